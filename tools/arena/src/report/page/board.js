// A game and its board after each move.

const EFFECT = /^([a-z]\d+)([a-z]\d+)((?:x[a-z]\d+)*)$/;
const MEN = {t: 'p1', d: 'p1', T: 'p2', K: 'king', k: 'king'};

// The side of a piece: small letters are player 1's.
const sideOf = letter => letter === letter.toLowerCase() ? 'p1' : 'p2';

// A game as the page uses it, with its texts taken apart.
function prepare(data, game, index) {
  const words = text => text ? text.split(' ') : [];
  const start = data.starts[game.start];
  const moves = words(game.moves);
  // Sides take turns, but for the moves of a turn that goes on.
  const again = new Set(game.again);
  const movers = [];
  for (let ply = 0; ply <= moves.length; ply++) {
    movers.push(ply === 0 ? start.side : again.has(ply) ? movers[ply - 1] : 1 - movers[ply - 1]);
  }
  return {
    ...game, index, moves, rows: start.rows,
    plies: moves.length,
    scores: words(game.scores), depths: words(game.depths), times: words(game.times).map(Number),
    mover: ply => movers[ply],
  };
}

function resultText(game) {
  const text = game.winner === null ? '½–½' : game.winner === 0 ? '1–0' : '0–1';
  return game.points ? `${text} (${game.points[0]} : ${game.points[1]})` : text;
}

// The letters on the squares, file by file within each rank, rank 1 first.
function squaresOf(rows) {
  return rows.split('/').reverse().flatMap(row =>
    row.match(/\d+|./g).flatMap(part => /\d/.test(part) ? Array(Number(part)).fill('') : [part]));
}

function rowsOf(squares, size) {
  const rows = [];
  for (let rank = size - 1; rank >= 0; rank--) {
    rows.push(squares.slice(rank * size, (rank + 1) * size).map(letter => letter || ' ').join('')
      .replace(/ +/g, blanks => String(blanks.length)));
  }
  return rows.join('/');
}

const squareIndex = (name, size) => name.charCodeAt(0) - 97 + (Number(name.slice(1)) - 1) * size;

// What a move does: where from, where to, what is cleared.
function effectOf(text, size) {
  const [, from, to, cleared] = EFFECT.exec(text);
  return {from: squareIndex(from, size), to: squareIndex(to, size),
    cleared: cleared.split('x').slice(1).map(name => squareIndex(name, size))};
}

// The squares after a number of plies, and what the last of them did.
function positionAt(game, ply, size) {
  const squares = squaresOf(game.rows);
  let last = null;
  for (const text of game.moves.slice(0, ply)) {
    last = effectOf(text, size);
    last.taken = last.cleared.map(square => squares[square]);
    for (const square of last.cleared) squares[square] = '';
    squares[last.to] = squares[last.from];
    squares[last.from] = '';
  }
  return {squares, last};
}

// A man; trolls, the only men on boards with holes who are no discs, are stones.
function man(letter, x, y, hasHoles, opacity = null) {
  const kind = MEN[letter];
  if (kind === 'p2' && hasHoles) {
    return svg('rect', {x: x + 0.12, y: y + 0.12, width: 0.76, height: 0.76, rx: 0.2, opacity, style: 'fill:var(--troll);stroke:var(--trollrim)', 'stroke-width': 0.06});
  }
  const isDark = sideOf(letter) === 'p1';
  const disc = svg('circle', {cx: x + 0.5, cy: y + 0.5, r: hasHoles ? 0.3 : 0.36, opacity,
    style: `fill:var(--${isDark ? 'dark' : 'pale'});stroke:var(--${isDark ? 'darkrim' : 'palerim'})`, 'stroke-width': 0.05});
  // Commanders, knights, mercenaries and guards show their letter.
  if (!kind) {
    return svg('g', {opacity}, disc, svg('text', {x: x + 0.5, y: y + 0.5, dy: '0.36em', class: 'kind', 'text-anchor': 'middle', 'font-size': 0.42,
      style: `fill:var(--${isDark ? 'pale' : 'dark'})`}, letter.toUpperCase()));
  }
  if (kind !== 'king') return disc;
  return svg('g', {opacity}, disc, svg('path', {
    d: `M${x + 0.5} ${y + 0.24}v0.52M${x + 0.24} ${y + 0.5}h0.52`, style: 'stroke:var(--king)', 'stroke-width': 0.13, 'stroke-linecap': 'round'}));
}

// The ground of a square: of the board, of one that means something, the stone, or nothing.
function ground(letter, [x, y], what, hasHoles, isStone) {
  const line = (attributes, shape = 'path') => svg(shape, {class: 'special', fill: 'none', ...attributes}, svg('title', null, what));
  if (isStone) {
    return [svg('rect', {x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.12, class: 'stone', style: 'fill:var(--stone)'})];
  }
  if (letter === '*') return [];
  const shade = hasHoles && (x + y) % 2 ? '--wood2' : '--wood';
  const parts = [svg('rect', {x, y, width: 1, height: 1, style: `fill:var(${shade});stroke:var(--line)`, 'stroke-width': 0.03})];
  if (what === 'castle' || what === 'throne') {
    parts.push(line({d: `M${x + 0.08} ${y + 0.08}l0.84 0.84M${x + 0.92} ${y + 0.08}l-0.84 0.84`, style: 'stroke:var(--line)', 'stroke-width': 0.07}));
  } else if (what) {
    parts.push(line({x: x + 0.1, y: y + 0.1, width: 0.8, height: 0.8, rx: 0.08, style: 'stroke:var(--line)', 'stroke-width': 0.06}, 'rect'));
  }
  return parts;
}

// A hole that is not cut from the edge is the stone.
function isStone(squares, square, size) {
  const [file, rank] = [square % size, Math.floor(square / size)];
  const inside = file > 0 && rank > 0 && file < size - 1 && rank < size - 1;
  return squares[square] === '*' && inside && [-1, 1, -size, size].every(step => squares[square + step] !== '*');
}

// The board with the men of a position, the last move and what it captured.
function drawBoard(board, game, ply) {
  const {size} = board;
  const {squares, last} = positionAt(game, ply, size);
  const hasHoles = squares.includes('*');
  const corner = square => [square % size, size - 1 - Math.floor(square / size)];
  // Coordinates are as large on every board.
  const margin = size * 0.055;
  const root = svg('svg', {viewBox: `${-margin} ${-margin} ${size + 2 * margin} ${size + 2 * margin}`, role: 'img',
    'font-size': (size * 0.03).toFixed(2), 'aria-label': `Position after ${plies(ply)}`, 'data-rows': rowsOf(squares, size), 'data-ply': ply});
  const specials = new Map(board.specials.map(([name, what]) => [squareIndex(name, size), what]));
  squares.forEach((letter, square) =>
    root.append(...ground(letter, corner(square), specials.get(square), hasHoles, isStone(squares, square, size))));
  for (const square of last ? [last.from, last.to] : []) {
    const [x, y] = corner(square);
    root.append(svg('rect', {x, y, width: 1, height: 1, class: 'last', style: 'fill:var(--last)', opacity: square === last.to ? 0.55 : 0.32}));
  }
  squares.forEach((letter, square) => {
    if (letter && letter !== '*') root.append(man(letter, ...corner(square), hasHoles));
  });
  (last ? last.cleared : []).forEach((square, i) => {
    const [x, y] = corner(square);
    if (square !== last.to) root.append(man(last.taken[i], x, y, hasHoles, 0.35));
    root.append(svg('path', {d: `M${x + 0.22} ${y + 0.22}l0.56 0.56M${x + 0.78} ${y + 0.22}l-0.56 0.56`, class: 'captured', style: 'stroke:var(--captured)', 'stroke-width': 0.1, 'stroke-linecap': 'round'}));
  });
  for (let i = 0; i < size; i++) {
    root.append(svg('text', {x: i + 0.5, y: size + margin * 0.7, 'text-anchor': 'middle'}, String.fromCharCode(97 + i)),
      svg('text', {x: -margin / 2, y: size - i - 0.5, dy: '0.35em', 'text-anchor': 'middle'}, i + 1));
  }
  return root;
}
