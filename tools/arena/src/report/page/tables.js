// Standings, results by side, pairs, and the conditions of the run.

const head = (...cells) => html('thead', null, html('tr', null, cells.map(([text, kind]) => html('th', {class: kind}, text))));
const table = (header, rows) => html('div', {class: 'scroll'}, html('table', null, header, html('tbody', null, rows)));
const nameCell = (engine, name) => html('td', {class: 'text'}, html('i', {class: 'dot', style: 'background:' + engineColour(engine)}), name);

// What the engine with this index scored against that one, from its own view.
function duelOf(summary, engine, opponent) {
  const low = Math.min(engine, opponent), high = Math.max(engine, opponent);
  const duel = summary.duels.find(duel => duel.engines[0] === low && duel.engines[1] === high);
  if (!duel) return null;
  const own = engine === low;
  const roles = own ? duel.roles : [duel.roles[1], duel.roles[0]].map(reversed);
  return {
    score: own ? duel.score : 1 - duel.score,
    results: {won: roles[0].won + roles[1].won, drawn: roles[0].drawn + roles[1].drawn, lost: roles[0].lost + roles[1].lost},
  };
}

function standingsTable({run, summary}) {
  const players = summary.players;
  const rows = players.map((player, rank) => html('tr', null,
    html('td', null, rank + 1),
    nameCell(player.engine, player.name),
    html('td', null, estimate(player.elo)),
    html('td', null, percent(player.score)),
    html('td', null, gamesOf(player.results)),
    players.map(other => {
      if (other === player) return html('td', {class: 'self'});
      const duel = duelOf(summary, player.engine, other.engine);
      return duel ? html('td', null, percent(duel.score), html('small', null, resultsText(duel.results))) : html('td', null, NONE);
    }),
    html('td', null, duration(player.time)),
    html('td', {class: 'text wide'}, Object.entries(player.losses).map(([reason, number]) => `${reason} ${number}`).join(', ') || NONE)));
  const header = head(['#'], ['Engine', 'text'], ['Elo'], ['Score'], ['Games'],
    ...players.map((player, rank) => ['against ' + (rank + 1)]), ['Time a move'], ['Losses', 'text']);
  const note = run.engines.length === 2
    ? 'Elo is the difference between the two, with its 95 % interval, from pairs of games.'
    : 'Elo is a Bradley–Terry fit around a mean of 0, with 95 % intervals, from pairs of games.';
  const remarks = players.flatMap(player => player.remarks.map(remark => html('p', {class: 'remark'}, `${player.name}: ${remark}`)));
  return [table(header, rows), html('p', {class: 'soft'}, note), remarks].flat();
}

function resultsBar(results) {
  const games = gamesOf(results) || 1;
  return html('div', {class: 'bar', role: 'img', 'aria-label': resultsText(results), title: resultsText(results)},
    ['won', 'drawn', 'lost'].map(kind => html('i', {class: kind, style: `width:${results[kind] / games * 100}%`})));
}

function rolesTable({summary}) {
  const cells = results => [html('td', null, percent(scoreOf(results)), html('small', null, resultsText(results))), html('td', null, resultsBar(results))];
  const rows = summary.players.map(player => html('tr', null,
    nameCell(player.engine, player.name), player.roles.map(cells)));
  rows.push(html('tr', null, html('td', {class: 'text'}, 'All games'),
    cells(summary.first_side), cells(reversed(summary.first_side))));
  const header = head(['', 'text'], ...summary.sides.flatMap(side => [['as ' + side], ['']]));
  return [table(header, rows), html('div', {class: 'legend'}, [['--won', 'won'], ['--drawn', 'drawn'], ['--lost', 'lost']].map(
    ([colour, name]) => html('span', null, html('i', {class: 'dot', style: `background:var(${colour})`}), name)))];
}

// The cells that a pair can come to: short text, meaning, index among the counts.
const CELLS = {
  pentanomial: [['0', 'lost both games', 0], ['½', 'a loss and a draw', 1], ['1', 'even', 2], ['1½', 'a win and a draw', 3], ['2', 'won both games', 4]],
  trinomial: [['lost', 'matches lost', 0], ['drawn', 'matches drawn', 2], ['won', 'matches won', 4]],
};
const CELL_COLOURS = ['--lost', '--lost', '--drawn', '--won', '--won'];

function pairsTable({run, summary}) {
  if (!summary.duels.length) return html('p', {class: 'soft'}, 'No pairs yet.');
  const cells = CELLS[summary.duels[0].counts.kind];
  const margin = value => value ? signed(value.mean, 1) + (value.error === null ? '' : ' ± ' + fixed(value.error, 1)) : NONE;
  const hasPoints = summary.duels.some(duel => duel.margin);
  const isMatch = summary.duels[0].counts.kind === 'trinomial';
  const rows = summary.duels.map(duel => html('tr', null,
    summary.duels.length === 1 ? [] : html('td', {class: 'text'}, duel.engines.map((engine, i) => [i ? ' against ' : '', run.engines[engine].name])),
    cells.map(cell => html('td', {title: cell[1]}, duel.counts.cells[cell[2]])),
    html('td', null, estimate(duel.elo)),
    html('td', null, estimate(duel.normalized)),
    html('td', null, percent(duel.superiority)),
    html('td', null, percent(duel.drawn_games)),
    isMatch ? [] : html('td', null, percent(duel.drawn_pairs)),
    hasPoints ? [html('td', null, margin(duel.margin)), duel.margins.map(value => html('td', null, margin(value)))] : []));
  const header = head(...(summary.duels.length === 1 ? [] : [['', 'text']]), ...cells.map(cell => [cell[0]]), ['Elo'], ['normalised'], ['LOS'],
    [isMatch ? 'drawn battles' : 'drawn games'], ...(isMatch ? [] : [['even pairs']]),
    ...(hasPoints ? [['margin'], ...summary.sides.map(side => ['as ' + side])] : []));
  return table(header, rows);
}

function conditions({run, summary}) {
  const list = entries => html('dl', null, entries.filter(entry => entry[1] !== '' && entry[1] !== undefined).map(
    ([name, value]) => [html('dt', null, name), html('dd', null, value)]));
  const options = engine => Object.entries(engine.options).map(([name, value]) => `${name}=${value}`).join(', ');
  const limits = [...new Set(run.engines.map(engine => engine.limit))].join(' and ');
  return html('details', null,
    html('summary', null, html('b', null, 'Conditions'), html('span', {class: 'soft'}, [run.variant, limits, `seed ${run.seed}`].filter(Boolean).join(' · '))),
    list([['Variant', run.variant], ['Began', run.started], ['Host', run.host], ['Arena', run.arena], ['Seed', String(run.seed)],
      ['Test', summary.sprt ? Object.entries(summary.sprt.test).map(([key, value]) => `${key}=${value}`).join(' ') : '']]),
    run.engines.map((engine, index) => [
      html('h3', null, html('i', {class: 'dot', style: 'background:' + engineColour(index)}), engine.name),
      list([['Calls itself', engine.id], ['Limit', engine.limit], ['Command', html('code', null, engine.command)],
        ['Options', options(engine)], ['Protocol', engine.protocol], ['SHA-256', html('code', null, engine.checksum)]])]),
    html('h3', null, 'Settings'), html('pre', null, JSON.stringify(run.settings, null, 2)));
}

// The head of the page: who played what, and what it came to.
function heading({run, summary}) {
  const names = run.engines.map(engine => engine.name);
  const title = names.length === 2 ? names.join(' against ') : `Tournament of ${count(names.length, 'engine')}`;
  document.title = `${title} · ${run.variant}`;
  const tiles = [];
  const tile = (value, meaning) => tiles.push(html('div', {class: 'tile'}, html('b', null, value), html('span', null, meaning)));
  const duel = names.length === 2 && summary.duels[0];
  if (duel) {
    const player = summary.players.find(player => player.engine === 0);
    tile(estimate(duel.elo), `Elo of ${names[0]}`);
    tile(percent(duel.score), 'score of pairs');
    tile(resultsText(player.results), duel.margin ? 'battles' : 'games');
    tile(percent(duel.superiority), 'likelihood of superiority');
    if (duel.margin) tile(signed(duel.margin.mean, 1) + (duel.margin.error === null ? '' : ' ± ' + fixed(duel.margin.error, 1)), 'margin of a battle');
  } else if (summary.players.length && summary.pairs) {
    tile(summary.players[0].name, `first, ${estimate(summary.players[0].elo)} Elo`);
  }
  if (summary.sprt) {
    const {llr, lower, upper, verdict, pairs, after} = summary.sprt;
    const when = verdict ? ` after ${count(pairs, 'pair')}` + (after ? `; finished after the verdict: ${after}` : '') : '';
    tile(verdict ? `${verdict} accepted` : 'undecided', `SPRT, LLR ${fixed(llr, 2)} (${fixed(lower, 2)} to ${fixed(upper, 2)})${when}`);
  }
  tile(count(summary.pairs, 'pair'), count(2 * summary.pairs, 'game'));
  return [html('h1', null, title), html('p', {class: 'soft'}, [run.variant, run.started, run.host].filter(Boolean).join(' · ')),
    html('div', {class: 'tiles'}, tiles)];
}
