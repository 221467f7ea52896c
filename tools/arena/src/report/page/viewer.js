// Games: the list, and one of them on the board.

const EFFECT = /^([a-z]\d+)([a-z]\d+)((?:x[a-z]\d+)*)$/;
const MEN = {t: 'p1', d: 'p1', T: 'p2', K: 'king'};

// A game as the page uses it, with its texts taken apart.
function prepare(data, game, index) {
  const words = text => text ? text.split(' ') : [];
  const start = data.starts[game.start];
  const moves = words(game.moves);
  return {
    ...game, index, moves, rows: start.rows,
    plies: moves.length,
    scores: words(game.scores), depths: words(game.depths), times: words(game.times).map(Number),
    mover: ply => (start.side + ply) % 2,
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
  const isDark = kind === 'p1';
  const disc = svg('circle', {cx: x + 0.5, cy: y + 0.5, r: hasHoles ? 0.3 : 0.36, opacity,
    style: `fill:var(--${isDark ? 'dark' : 'pale'});stroke:var(--${isDark ? 'darkrim' : 'palerim'})`, 'stroke-width': 0.05});
  if (kind !== 'king') return disc;
  return svg('g', {opacity}, disc, svg('path', {
    d: `M${x + 0.5} ${y + 0.24}v0.52M${x + 0.24} ${y + 0.5}h0.52`, style: 'stroke:var(--king)', 'stroke-width': 0.13, 'stroke-linecap': 'round'}));
}

// The board with the men of a position, the last move and what it captured.
function drawBoard(board, game, ply) {
  const {size} = board;
  const {squares, last} = positionAt(game, ply, size);
  const holes = squares.map(letter => letter === '*');
  const hasHoles = holes.includes(true);
  // Coordinates are as large on every board.
  const margin = size * 0.055;
  const root = svg('svg', {viewBox: `${-margin} ${-margin} ${size + 2 * margin} ${size + 2 * margin}`, role: 'img',
    'font-size': (size * 0.03).toFixed(2), 'aria-label': `Position after ${count(ply, 'ply').replace('plys', 'plies')}`, 'data-rows': rowsOf(squares, size), 'data-ply': ply});
  const corner = square => [square % size, size - 1 - Math.floor(square / size)];
  const specials = new Map(board.specials.map(([name, what]) => [squareIndex(name, size), what]));
  squares.forEach((letter, square) => {
    const [x, y] = corner(square);
    if (holes[square]) {
      // A hole that is not cut from the edge is the stone.
      const beside = [square - 1, square + 1, square - size, square + size];
      const isStone = x > 0 && y > 0 && x < size - 1 && y < size - 1 && beside.every(other => !holes[other]);
      if (isStone) root.append(svg('rect', {x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.12, class: 'stone', style: 'fill:var(--stone)'}));
      return;
    }
    const shade = (x + y) % 2 && hasHoles ? '--wood2' : '--wood';
    root.append(svg('rect', {x, y, width: 1, height: 1, style: `fill:var(${shade});stroke:var(--line)`, 'stroke-width': 0.03}));
    const what = specials.get(square);
    if (what === 'castle' || what === 'throne') {
      root.append(svg('path', {d: `M${x + 0.08} ${y + 0.08}l0.84 0.84M${x + 0.92} ${y + 0.08}l-0.84 0.84`, class: 'special', style: 'stroke:var(--line)', 'stroke-width': 0.07},
        svg('title', null, what)));
    } else if (what) {
      root.append(svg('rect', {x: x + 0.1, y: y + 0.1, width: 0.8, height: 0.8, rx: 0.08, class: 'special', fill: 'none', style: 'stroke:var(--line)', 'stroke-width': 0.06},
        svg('title', null, what)));
    }
  });
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
function drawCurve(game, ply, goTo) {
  return width => {
    const scores = Array.from({length: game.plies}, (_, i) => scoreAt(game, i + 1));
    const most = Math.max(200, ...scores.filter(Number.isFinite).map(Math.abs));
    const bend = value => Number.isFinite(value) ? Math.asinh(value / 150) / Math.asinh(most / 150) * 0.92 : Math.sign(value);
    const marks = [100, 300, 1000, 3000, 10000].filter(mark => mark <= most);
    const shown = marks.slice(-2).flatMap(mark => [-mark, mark]).concat(0);
    const places = new Map(shown.map(mark => [bend(mark), mark / 100]));
    const {root, inside, across, up} = frame(width, 170, [0, Math.max(1, game.plies)], [-1.08, 1.08],
      {label: 'Scores from the view of player 1', yTicks: [...places.keys()], yText: place => signed(places.get(place))});
    for (const side of [0, 1]) {
      const points = scores.map((score, i) => [i + 1, score]).filter(([at, score]) => score !== null && game.mover(at - 1) === side)
        .map(([at, score]) => [across(at), up(bend(score))]);
      inside.append(svg('path', {d: path(points), fill: 'none', style: `stroke:var(--p${side + 1})`, 'stroke-width': 1.8, 'stroke-linejoin': 'round'}));
      if (points.length === 1) inside.append(svg('circle', {cx: points[0][0], cy: points[0][1], r: 3, style: `fill:var(--p${side + 1})`}));
    }
    inside.append(svg('line', {x1: across(ply), x2: across(ply), y1: 0, y2: 170, style: 'stroke:var(--last)', 'stroke-width': 2}));
    root.addEventListener('click', event => {
      const x = (event.clientX - root.getBoundingClientRect().left) * width / root.getBoundingClientRect().width;
      goTo(Math.round((x - across(0)) / (across(1) - across(0))));
    });
    return root;
  };
}

// The viewer of games with its list. Returns what opens a game.
function viewer(data, games, section) {
  const names = data.run.engines.map(engine => engine.name);
  const sides = data.summary.sides;
  const state = {game: games[0], ply: 0, page: 0, shown: games};
  const PAGE = 40;

  const players = html('div', {class: 'players'});
  const board = html('div', {id: 'board'});
  const status = html('p', {class: 'soft', id: 'status', 'aria-live': 'polite'});
  const moves = html('div', {id: 'moves', 'aria-label': 'Moves'});
  const detail = html('div', {id: 'detail'});
  const curve = plot(width => drawCurve(state.game, state.ply, goTo)(width), {id: 'curve'});
  const button = (text, label, act) => html('button', {type: 'button', 'aria-label': label, title: label, click: act}, text);
  const buttons = html('div', {class: 'buttons'},
    button('«', 'First position (Home)', () => goTo(0)), button('‹', 'One move back (left arrow)', () => goTo(state.ply - 1)),
    button('›', 'One move on (right arrow)', () => goTo(state.ply + 1)), button('»', 'Last position (End)', () => goTo(state.game.plies)));
  const frameOf = html('div', {id: 'viewer', tabindex: 0, 'aria-label': 'Game'},
    html('div', null, players, board, buttons, status),
    html('div', null, moves, curve,
      html('div', {class: 'legend'}, sides.map((side, i) => html('span', null, html('i', {class: 'dot', style: `background:var(--p${i + 1})`}), `as the ${side} see it`)),
        html('span', null, `above: good for the ${sides[0]}`)), detail));
  const list = html('div', {id: 'list'});
  section.append(frameOf, list);

  function goTo(ply) {
    state.ply = Math.max(0, Math.min(state.game.plies, ply));
    drawPly();
    try {
      history.replaceState(null, '', `#game=${state.game.index + 1}&ply=${state.ply}`);
    } catch { /* A page that was opened from a place without an address has no use for one. */ }
  }

  function open(game, ply) {
    state.game = game;
    drawGame();
    goTo(ply);
  }

  function drawGame() {
    const game = state.game;
    players.replaceChildren(...game.players.map((engine, i) => html('div', null,
      html('i', {class: 'dot', style: `background:var(--p${i + 1})`}), html('b', null, names[engine]), html('div', {class: 'soft'}, capital(sides[i])))));
    const cells = [];
    const offset = game.mover(0);
    for (let ply = 1; ply <= game.plies; ply++) {
      const mover = game.mover(ply - 1);
      if (mover === 0 || ply === 1) cells.push(html('span', {class: 'number'}, Math.floor((ply - 1 + offset) / 2) + 1));
      if (ply === 1 && mover === 1) cells.push(html('span', null, '…'));
      cells.push(html('button', {type: 'button', 'data-ply': ply, class: ply <= game.opening ? 'opening' : null, click: () => goTo(ply)},
        game.moves[ply - 1], html('small', null, scoreText(game, ply))));
    }
    moves.replaceChildren(...cells);
    detail.replaceChildren(html('p', null, html('b', null, resultText(game)), ' ', game.reason, html('span', {class: 'soft'},
      ` · pair ${game.pair}, game ${game.half + 1}, round ${game.round + 1} · ${game.plies} plies · ${duration(game.seconds * 1000)}`)),
      ...(game.detail ? [html('pre', null, game.detail)] : []));
    drawList();
  }

  function drawPly() {
    const {game, ply} = state;
    board.replaceChildren(drawBoard(data.board, game, ply));
    curve.replaceChildren(drawCurve(game, ply, goTo)(Math.max(240, curve.clientWidth)));
    for (const now of moves.querySelectorAll('.now')) now.classList.remove('now');
    const current = moves.querySelector(`[data-ply="${ply}"]`);
    if (current) {
      current.classList.add('now');
      // Only the list scrolls, never the page.
      moves.scrollTop += Math.min(0, current.offsetTop - moves.scrollTop) + Math.max(0, current.offsetTop + current.offsetHeight - moves.scrollTop - moves.clientHeight);
    } else moves.scrollTop = 0;
    status.replaceChildren(statusText());
  }

  function statusText() {
    const {game, ply} = state;
    if (ply === 0) return 'Start';
    const k = ply - 1 - game.opening;
    const parts = [`Ply ${ply} of ${game.plies}`, `${sides[game.mover(ply - 1)]} ${game.moves[ply - 1]}`];
    if (k < 0) parts.push('opening');
    else {
      if (scoreText(game, ply)) parts.push(scoreText(game, ply));
      if (game.depths[k] && game.depths[k] !== '-') parts.push('depth ' + game.depths[k]);
      if (k < game.times.length) parts.push(duration(game.times[k]));
    }
    return parts.join(' · ');
  }

  const choice = (label, options) => html('select', {'aria-label': label, change: filter}, options.map(([value, text]) => html('option', {value}, text)));
  const engine = choice('Engine', [['', 'All engines'], ...names.map((name, i) => [i, name])]);
  const result = choice('Result', [['', 'All results'], ['0', `${capital(sides[0])} won`], ['1', `${capital(sides[1])} won`], ['null', 'Drawn']]);
  const reason = choice('Reason', [['', 'All reasons'], ...[...new Set(games.map(game => game.reason))].sort().map(word => [word, word])]);
  const body = html('tbody');
  const place = html('span', {class: 'soft'});
  const back = button('‹', 'Earlier games', () => turn(-1));
  const on = button('›', 'Later games', () => turn(1));
  list.append(html('div', {class: 'filters'}, engine, result, reason, back, place, on),
    html('div', {class: 'scroll'}, html('table', null, head(['#'], [capital(sides[0]), 'text'], [capital(sides[1]), 'text'], ['Result'], ['Reason', 'text'], ['Plies'], ['Time']), body)));

  function filter() {
    state.shown = games.filter(game => (engine.value === '' || game.players.includes(Number(engine.value)))
      && (result.value === '' || String(game.winner) === result.value) && (reason.value === '' || game.reason === reason.value));
    state.page = 0;
    drawList();
  }

  function turn(by) {
    state.page += by;
    drawList();
  }

  function drawList() {
    const pages = Math.max(1, Math.ceil(state.shown.length / PAGE));
    state.page = Math.max(0, Math.min(pages - 1, state.page));
    const from = state.page * PAGE;
    const rows = state.shown.slice(from, from + PAGE).map(game => html('tr', {
      tabindex: 0, class: game === state.game ? 'now' : null, click: () => show(game),
      keydown: event => { if (event.key === 'Enter') show(game); }},
      html('td', null, game.index + 1), game.players.map(player => nameCell(player, names[player])), html('td', null, resultText(game)),
      html('td', {class: 'text'}, game.reason), html('td', null, game.plies), html('td', null, duration(game.seconds * 1000))));
    body.replaceChildren(...rows);
    place.textContent = state.shown.length ? `${from + 1}–${Math.min(from + PAGE, state.shown.length)} of ${state.shown.length}` : 'no games';
    back.disabled = state.page === 0;
    on.disabled = state.page === pages - 1;
  }

  function show(game) {
    open(game, 0);
    frameOf.scrollIntoView({block: 'start'});
    frameOf.focus({preventScroll: true});
  }

  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target instanceof HTMLSelectElement) return;
    const inside = frameOf.contains(document.activeElement);
    const keys = {ArrowLeft: () => state.ply - 1, ArrowRight: () => state.ply + 1, ...(inside ? {Home: () => 0, End: () => state.game.plies} : {})};
    if (!keys[event.key]) return;
    event.preventDefault();
    goTo(keys[event.key]());
  });

  // The address may name a game and a ply.
  function follow() {
    const [, number, ply] = /^#game=(\d+)&ply=(\d+)$/.exec(location.hash) || [];
    const game = games[number - 1];
    if (game && (game !== state.game || Number(ply) !== state.ply)) open(game, Number(ply));
    return Boolean(game);
  }
  window.addEventListener('hashchange', follow);
  drawGame();
  drawPly();
  if (follow()) frameOf.scrollIntoView({block: 'start'});
}
