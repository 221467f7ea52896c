// Scores: as numbers, as text, and as a curve.

// A score in centipoints from the view of player 1; a decided game is infinite. None where nothing was said.
function scoreAt(game, ply) {
  const text = game.scores[ply - 1 - game.opening];
  if (!text || text === '-') return null;
  const mate = text.startsWith('m');
  const value = Number(text.slice(mate ? 1 : 0));
  const own = mate ? (value > 0 ? Infinity : -Infinity) : value;
  return game.mover(ply - 1) === 0 ? own : -own;
}

function scoreText(game, ply) {
  const text = game.scores[ply - 1 - game.opening];
  if (!text || text === '-') return '';
  if (!text.startsWith('m')) return signed(Number(text) / 100, 2);
  const moves = Number(text.slice(1));
  return (moves > 0 ? '+M' : '−M') + Math.abs(moves);
}

// Both engines' scores from the view of player 1, on a scale that leaves room for small ones.
function drawCurve(game, ply, width, goTo) {
  const scores = Array.from({length: game.plies}, (_, i) => scoreAt(game, i + 1));
  const most = Math.max(200, ...scores.filter(Number.isFinite).map(Math.abs));
  const bend = value => Number.isFinite(value) ? Math.asinh(value / 150) / Math.asinh(most / 150) * 0.92 : Math.sign(value);
  const marks = [100, 300, 1000, 3000, 10000].filter(mark => mark <= most).slice(-2);
  const places = new Map([0, ...marks, ...marks.map(mark => -mark)].map(mark => [bend(mark), mark / 100]));
  const {root, inside, across, up} = frame(width, 170, [0, Math.max(1, game.plies)], [-1.08, 1.08],
    {label: 'Scores from the view of player 1', yTicks: [...places.keys()], yText: place => signed(places.get(place))});
  for (const side of [0, 1]) {
    const points = scores.map((score, i) => [i + 1, score]).filter(([at, score]) => score !== null && game.mover(at - 1) === side)
      .map(([at, score]) => [across(at), up(bend(score))]);
    const colour = `var(--p${side + 1})`;
    inside.append(svg('path', {d: path(points), fill: 'none', style: 'stroke:' + colour, 'stroke-width': 1.8, 'stroke-linejoin': 'round'}));
    if (points.length === 1) inside.append(svg('circle', {cx: points[0][0], cy: points[0][1], r: 3, style: 'fill:' + colour}));
  }
  inside.append(svg('line', {x1: across(ply), x2: across(ply), y1: 0, y2: 170, style: 'stroke:var(--last)', 'stroke-width': 2}));
  root.addEventListener('click', event => {
    const place = root.getBoundingClientRect();
    const x = (event.clientX - place.left) * width / place.width;
    goTo(Math.round((x - across(0)) / (across(1) - across(0))));
  });
  return root;
}
