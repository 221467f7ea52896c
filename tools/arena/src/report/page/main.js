// Puts the page together.

const data = JSON.parse(byId('data').textContent);
const games = data.games.map((game, index) => prepare(data, game, index));

byId('head').append(...heading(data));
byId('standings').append(...standingsTable(data));
byId('roles').append(...rolesTable(data));
byId('duels').append(pairsTable(data));
byId('conditions').append(conditions(data));

if (games.length) {
  const charts = byId('charts');
  const {run, summary, series} = data;
  const names = run.engines.map(engine => engine.name);
  const keys = legend(names.map((name, engine) => [engineColour(engine), name]));
  charts.append(chartCard('Elo over time', names.length === 2 ? `of ${names[0]}, with its 95 % interval, by pairs` : 'with 95 % intervals, by pairs',
    ratingChart(series), names.length === 2 ? null : keys.cloneNode(true)));
  if (summary.sprt) charts.append(chartCard('Log-likelihood ratio', 'of H1 to H0, by pairs', ratioChart(series, summary.sprt)));
  const duel = names.length === 2 && summary.duels[0];
  if (duel) {
    charts.append(chartCard(duel.counts.kind === 'pentanomial' ? 'Points of a pair' : 'Matches', `of ${names[0]}`,
      barChart(CELLS[duel.counts.kind].map(([text, meaning, cell]) => [text, duel.counts.cells[cell], meaning, CELL_COLOURS[cell]]), 'Results of pairs')));
  }
  const tally = reason => ['0', '1', 'null'].map(winner => games.filter(game => game.reason === reason && String(game.winner) === winner).length);
  const reasons = Object.entries(summary.reasons).sort((a, b) => b[1] - a[1]).map(([reason]) => {
    const [first, second, drawn] = tally(reason);
    return [reason, [[first, '--p1', `${summary.sides[0]} won`], [drawn, '--drawn', 'drawn'], [second, '--p2', `${summary.sides[1]} won`]]];
  });
  charts.append(
    chartCard('Reasons', 'how games ended', lyingBars(reasons, 'Reasons'), legend([
      ['var(--p1)', `${summary.sides[0]} won`], ['var(--drawn)', 'drawn'], ['var(--p2)', `${summary.sides[1]} won`]])),
    chartCard('Length', 'games by plies', barChart(lengthBars(games.map(game => game.plies)), 'Lengths of games')),
    chartCard('Time use', 'mean time of a move, by ply', timeChart(games, run.engines), keys));
  viewer(data, games, byId('games'));
} else {
  byId('games').append(html('p', {class: 'soft'}, 'No games yet.'));
}

redraw();
window.addEventListener('resize', redraw);
document.documentElement.dataset.ready = 'yes';
