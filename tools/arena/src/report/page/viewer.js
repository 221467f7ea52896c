// The games: one of them on the board, and the list of all.

const button = (text, label, act) => html('button', {type: 'button', 'aria-label': label, title: label, click: act}, text);

// What the referee and the clock noticed of a game, in a word or two for the list.
function marks({notes}) {
  if (!notes) return [];
  const faults = notes.warnings[0] + notes.warnings[1];
  return [...(notes.arena_late ? ['arena late'] : []), ...(faults ? [count(faults, 'warning')] : [])];
}

// Everything that is shown of one game. Calls `moved` with the game and the ply whenever they change.
class GameView {
  constructor(data, moved) {
    this.data = data;
    this.moved = moved;
    this.game = null;
    this.ply = 0;
    this.players = html('div', {class: 'players'});
    this.board = html('div', {id: 'board'});
    this.status = html('p', {class: 'soft', id: 'status', 'aria-live': 'polite'});
    this.moves = html('div', {id: 'moves', 'aria-label': 'Moves'});
    this.detail = html('div', {id: 'detail'});
    this.curve = plot(width => this.drawCurve(width), {id: 'curve'});
    const {sides} = data.summary;
    this.root = html('div', {id: 'viewer', tabindex: 0, 'aria-label': 'Game'},
      html('div', null, this.players, this.board, this.buttons(), this.status),
      html('div', null, this.moves, this.curve,
        html('div', {class: 'legend'},
          sides.map((side, i) => html('span', null, html('i', {class: 'dot', style: `background:var(--p${i + 1})`}), `as the ${side} see it`)),
          html('span', null, `above: good for the ${sides[0]}`)),
        this.detail));
  }

  buttons() {
    return html('div', {class: 'buttons'},
      button('«', 'First position (Home)', () => this.goTo(0)),
      button('‹', 'One move back (left arrow)', () => this.goTo(this.ply - 1)),
      button('›', 'One move on (right arrow)', () => this.goTo(this.ply + 1)),
      button('»', 'Last position (End)', () => this.goTo(this.game.plies)));
  }

  // Shows a game without telling anybody.
  set(game, ply) {
    this.game = game;
    this.drawGame();
    this.setPly(ply);
  }

  open(game, ply) {
    this.set(game, ply);
    this.moved(this.game, this.ply);
  }

  goTo(ply) {
    this.setPly(ply);
    this.moved(this.game, this.ply);
  }

  setPly(ply) {
    this.ply = Math.max(0, Math.min(this.game.plies, ply));
    this.board.replaceChildren(drawBoard(this.data.board, this.game, this.ply));
    this.curve.replaceChildren(this.drawCurve(Math.max(240, this.curve.clientWidth)));
    this.status.replaceChildren(this.statusText());
    this.markMove();
  }

  drawCurve(width) {
    return drawCurve(this.game, this.ply, width, ply => this.goTo(ply));
  }

  drawGame() {
    const {game, data} = this;
    this.players.replaceChildren(...game.players.map((engine, i) => html('div', null,
      html('i', {class: 'dot', style: `background:var(--p${i + 1})`}), html('b', null, data.run.engines[engine].name),
      html('div', {class: 'soft'}, capital(data.summary.sides[i])))));
    this.moves.replaceChildren(...this.moveCells());
    const about = ` · pair ${game.pair}, game ${game.half + 1}, round ${game.round + 1} · ${plies(game.plies)} · ${duration(game.seconds * 1000)}`;
    this.detail.replaceChildren(
      html('p', null, html('b', null, resultText(game)), ' ', game.reason, html('span', {class: 'soft'}, about)),
      ...(game.detail ? [html('pre', null, game.detail)] : []),
      ...(marks(game).length ? [html('p', {class: 'remark'}, [marks(game).join(', '), game.notes.first].filter(Boolean).join('; '))] : []));
  }

  // Numbers and moves, in rows of three cells.
  moveCells() {
    const {game} = this;
    let pair = 1;
    return game.moves.flatMap((move, i) => {
      const isFirst = game.mover(i) === 0;
      // A turn that goes on has its further moves below, in the column of its side.
      const begins = i === 0 || (isFirst && game.mover(i - 1) !== 0);
      if (begins && i > 0) pair++;
      const number = begins ? [html('span', {class: 'number'}, pair)] : [];
      const gap = i === 0 && !isFirst ? [html('span', null, '…')] : [];
      return [...number, ...gap, html('button', {type: 'button', 'data-ply': i + 1, class: i < game.opening ? 'opening' : null, style: `grid-column:${isFirst ? 2 : 3}`, click: () => this.goTo(i + 1)},
        move, html('small', null, scoreText(game, i + 1)))];
    });
  }

  // Marks the last move in the list. Only the list scrolls to it, never the page.
  markMove() {
    const {moves} = this;
    for (const marked of moves.querySelectorAll('.now')) marked.classList.remove('now');
    const current = moves.querySelector(`[data-ply="${this.ply}"]`);
    if (!current) {
      moves.scrollTop = 0;
      return;
    }
    current.classList.add('now');
    const {offsetTop: top, offsetHeight: height} = current;
    if (top < moves.scrollTop) moves.scrollTop = top;
    else if (top + height > moves.scrollTop + moves.clientHeight) moves.scrollTop = top + height - moves.clientHeight;
  }

  statusText() {
    const {game, ply} = this;
    if (ply === 0) return 'Start';
    const parts = [`Ply ${ply} of ${game.plies}`, `${this.data.summary.sides[game.mover(ply - 1)]} ${game.moves[ply - 1]}`];
    const k = ply - 1 - game.opening;
    if (k < 0) return [...parts, 'opening'].join(' · ');
    if (scoreText(game, ply)) parts.push(scoreText(game, ply));
    if (game.depths[k] && game.depths[k] !== '-') parts.push('depth ' + game.depths[k]);
    if (k < game.times.length) parts.push(duration(game.times[k]));
    return parts.join(' · ');
  }
}

// The list of games with its filters, a page at a time. Calls `chosen` with a game.
class GameList {
  static PAGE = 40;

  constructor(data, games, chosen) {
    this.names = data.run.engines.map(engine => engine.name);
    this.games = games;
    this.shown = games;
    this.chosen = chosen;
    this.current = games[0];
    this.page = 0;
    const sides = data.summary.sides.map(capital);
    const reasons = [...new Set(games.map(game => game.reason))].sort();
    this.engine = this.choice('Engine', [['', 'All engines'], ...this.names.map((name, i) => [i, name])]);
    this.result = this.choice('Result', [['', 'All results'], ['0', `${sides[0]} won`], ['1', `${sides[1]} won`], ['null', 'Drawn']]);
    this.reason = this.choice('Reason', [['', 'All reasons'], ...reasons.map(word => [word, word])]);
    this.body = html('tbody');
    this.place = html('span', {class: 'soft'});
    this.back = button('‹', 'Earlier games', () => this.turn(-1));
    this.on = button('›', 'Later games', () => this.turn(1));
    this.root = html('div', {id: 'list'},
      html('div', {class: 'filters'}, this.engine, this.result, this.reason, this.back, this.place, this.on),
      html('div', {class: 'scroll'}, html('table', null,
        head(['#'], [sides[0], 'text'], [sides[1], 'text'], ['Result'], ['Reason', 'text'], ['Plies'], ['Time']), this.body)));
    this.draw();
  }

  choice(label, options) {
    return html('select', {'aria-label': label, change: () => this.filter()}, options.map(([value, text]) => html('option', {value}, text)));
  }

  filter() {
    const [engine, result, reason] = [this.engine.value, this.result.value, this.reason.value];
    this.shown = this.games.filter(game => (engine === '' || game.players.includes(Number(engine)))
      && (result === '' || String(game.winner) === result) && (reason === '' || game.reason === reason));
    this.page = 0;
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  mark(game) {
    if (game === this.current) return;
    this.current = game;
    this.draw();
  }

  draw() {
    const from = this.page * GameList.PAGE;
    const to = Math.min(from + GameList.PAGE, this.shown.length);
    this.body.replaceChildren(...this.shown.slice(from, to).map(game => this.row(game)));
    this.place.textContent = this.shown.length ? `${from + 1}–${to} of ${this.shown.length}` : 'no games';
    this.back.disabled = this.page === 0;
    this.on.disabled = to >= this.shown.length;
  }

  row(game) {
    return html('tr', {
      tabindex: 0, class: game === this.current ? 'now' : null, click: () => this.chosen(game),
      keydown: event => { if (event.key === 'Enter') this.chosen(game); }},
      html('td', null, game.index + 1), game.players.map(player => nameCell(player, this.names[player])), html('td', null, resultText(game)),
      html('td', {class: 'text'}, game.reason, marks(game).map(mark => html('small', null, mark))), html('td', null, game.plies), html('td', null, duration(game.seconds * 1000)));
  }
}

// View and list of games, keys, and the address, which names the game and the ply.
function viewer(data, games, section) {
  const view = new GameView(data, (game, ply) => {
    list.mark(game);
    try {
      history.replaceState(null, '', `#game=${game.index + 1}&ply=${ply}`);
    } catch { /* A page that was opened from a place without an address has no use for one. */ }
  });
  const list = new GameList(data, games, game => {
    view.open(game, 0);
    view.root.scrollIntoView({block: 'start'});
    view.root.focus({preventScroll: true});
  });
  section.append(view.root, list.root);

  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target instanceof HTMLSelectElement) return;
    const steps = {ArrowLeft: view.ply - 1, ArrowRight: view.ply + 1};
    // Elsewhere these two move the page.
    if (view.root.contains(document.activeElement)) Object.assign(steps, {Home: 0, End: view.game.plies});
    if (steps[event.key] === undefined) return;
    event.preventDefault();
    view.goTo(steps[event.key]);
  });

  function follow() {
    const [, number, ply] = /^#game=(\d+)&ply=(\d+)$/.exec(location.hash) || [];
    const game = games[number - 1];
    if (!game) return false;
    view.set(game, Number(ply));
    list.mark(game);
    return true;
  }
  window.addEventListener('hashchange', follow);
  if (follow()) view.root.scrollIntoView({block: 'start'});
  else view.set(games[0], 0);
}
