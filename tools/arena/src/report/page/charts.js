// Charts. Each is drawn for a width in pixels, and drawn again when the window changes.

const plots = [];

function redraw() {
  for (const {box, draw} of plots) box.replaceChildren(draw(Math.max(240, box.clientWidth)));
}

// A place for a chart, which is drawn when the page stands.
function plot(draw, attributes) {
  const box = html('div', attributes);
  plots.push({box, draw});
  return box;
}

function chartCard(title, note, draw, legend) {
  return html('div', {class: 'card'}, html('figure', null,
    html('figcaption', null, title, html('span', null, note)), plot(draw), legend || []));
}

const engineColour = index => `var(--e${index % 8})`;

function legend(entries) {
  return html('div', {class: 'legend'}, entries.map(([colour, name]) =>
    html('span', null, html('i', {class: 'dot', style: 'background:' + colour}), name)));
}

// Ratings after so many pairs, each with the band of its interval.
function ratingChart(series) {
  return width => {
    const total = series.pairs[series.pairs.length - 1];
    // The first pairs say so little that their bands would leave no room for the rest.
    const settled = series.elo.flatMap(line => line.filter((point, i) => point && series.pairs[i] >= total / 5));
    const low = Math.min(0, ...settled.map(point => point[1]));
    const high = Math.max(0, ...settled.map(point => point[2]));
    const pad = (high - low) * 0.06 || 10;
    const {root, inside, across, up} =
      frame(width, 250, [0, total], [low - pad, high + pad], {label: 'Elo after each number of pairs'});
    const clamp = value => Math.max(-1e4, Math.min(1e4, up(value)));
    series.elo.forEach((line, engine) => {
      const points = line.map((point, i) => point && [across(series.pairs[i]), ...point.map(clamp)]).filter(Boolean);
      const colour = engineColour(engine);
      const band = points.map(point => [point[0], point[3]])
        .concat(points.map(point => [point[0], point[2]]).reverse());
      inside.append(
        svg('path', {d: path(band) + 'Z', style: `fill:${colour}`, opacity: series.elo.length > 2 ? 0.08 : 0.18}),
        svg('path', {d: path(points), fill: 'none', style: `stroke:${colour}`, 'stroke-width': 2}));
      if (points.length === 1) inside.append(svg('circle', {cx: points[0][0], cy: points[0][1], r: 3, style: `fill:${colour}`}));
    });
    return root;
  };
}

// The log-likelihood ratio between its bounds.
function ratioChart(series, test) {
  return width => {
    const total = series.pairs[series.pairs.length - 1];
    const low = Math.min(test.lower, ...series.llr) - 0.5;
    // Room for the name of the upper bound.
    const high = Math.max(test.upper + (test.upper - low) * 0.12, ...series.llr);
    const {root, inside, across, up} =
      frame(width, 220, [0, total], [low, high], {label: 'Log-likelihood ratio after each number of pairs'});
    for (const [value, name, colour] of [[test.upper, 'H1', '--won'], [test.lower, 'H0', '--lost']]) {
      inside.append(
        svg('line', {x1: 0, x2: width, y1: up(value), y2: up(value), style: `stroke:var(${colour})`, 'stroke-dasharray': '5 4'}),
        svg('text', {x: width - 16, y: up(value) - 5, 'text-anchor': 'end'}, `${name} ${fixed(value, 2)}`));
    }
    const points = series.llr.map((value, i) => [across(series.pairs[i]), up(value)]);
    inside.append(svg('path', {d: path([[across(0), up(0)], ...points]), fill: 'none', style: 'stroke:var(--accent)', 'stroke-width': 2}));
    return root;
  };
}

// Upright bars: [text below, number, what it stands for, colour].
function barChart(bars, label) {
  return width => {
    const most = Math.max(1, ...bars.map(bar => bar[1]));
    const {root, inside, up} = frame(width, 210, [0, 1], [0, most * 1.12], {label, xTicks: [], yTicks: ticks(0, most, 4).filter(Number.isInteger)});
    const room = (width - 58) / bars.length;
    const every = Math.ceil(44 / room);
    bars.forEach(([text, number, meaning, colour], i) => {
      const x = 46 + room * i;
      inside.append(svg('rect', {x: x + room * 0.1, width: room * 0.8, y: up(number), height: up(0) - up(number), rx: 2, style: `fill:var(${colour || '--accent'})`},
        svg('title', null, `${meaning}: ${number}`)));
      if (bars.length <= 8) inside.append(svg('text', {class: 'value', x: x + room / 2, y: up(number) - 4, 'text-anchor': 'middle'}, number));
      if (i % every === 0) root.append(svg('text', {x: x + room / 2, y: 204, 'text-anchor': 'middle'}, text));
    });
    return root;
  };
}

// Lying bars of parts: [name, [[number, colour, meaning], …]].
function lyingBars(rows, label) {
  return width => {
    const sum = row => row[1].reduce((total, part) => total + part[0], 0);
    const most = Math.max(1, ...rows.map(sum));
    const left = Math.min(130, width * 0.36);
    const root = svg('svg', {width, height: rows.length * 28 + 4, role: 'img', 'aria-label': label});
    rows.forEach((row, i) => {
      const y = i * 28 + 4;
      let x = left;
      root.append(svg('text', {x: left - 8, y: y + 14, 'text-anchor': 'end', class: 'value'}, row[0]));
      for (const [number, colour, meaning] of row[1]) {
        const length = number / most * (width - left - 56);
        root.append(svg('rect', {x, y, width: length, height: 19, style: `fill:var(${colour})`},
          svg('title', null, `${meaning}: ${number}`)));
        x += length;
      }
      root.append(svg('text', {x: x + 6, y: y + 14}, sum(row)));
    });
    return root;
  };
}

// How many games had which length, in bars of a round width.
function lengthBars(lengths) {
  const longest = Math.max(...lengths);
  const width = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find(step => longest / step < 24) || 5000;
  const bars = [];
  for (let from = Math.floor(Math.min(...lengths) / width) * width; from <= longest; from += width) {
    const number = lengths.filter(length => length >= from && length < from + width).length;
    bars.push([from, number, width === 1 ? plies(from) : `${from} to ${from + width - 1} plies`]);
  }
  return bars;
}

// Mean time of a move by ply, a line for each engine.
function timeChart(games, engines) {
  const longest = Math.max(1, ...games.map(game => game.plies));
  const step = Math.max(1, Math.ceil(longest / 60));
  const sums = engines.map(() => []);
  for (const game of games) {
    game.times.forEach((time, k) => {
      const ply = game.opening + k;
      const list = sums[game.players[game.mover(ply)]];
      const cell = list[Math.floor(ply / step)] ||= [0, 0];
      cell[0] += time;
      cell[1] += 1;
    });
  }
  const lines = sums.map(list => Array.from(list, (cell, i) => cell && [(i + 0.5) * step, cell[0] / cell[1]]).filter(Boolean));
  const most = Math.max(...lines.flat().map(point => point[1]), 0.001);
  return width => {
    const {root, inside, across, up} = frame(width, 220, [0, longest], [0, most * 1.08], {label: 'Mean time of a move by ply', left: 56, yText: duration});
    lines.forEach((line, engine) => inside.append(svg('path', {
      d: path(line.map(([ply, time]) => [across(ply), up(time)])), fill: 'none', style: `stroke:${engineColour(engine)}`, 'stroke-width': 2})));
    return root;
  };
}
