// Elements, numbers as text, scales and axes.

const SVG = 'http://www.w3.org/2000/svg';

// Every text goes in as a text node, whatever it holds.
function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined).map(
    child => child instanceof Node ? child : String(child)));
  return node;
}
const html = (name, attributes, ...children) => build(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => build(document.createElementNS(SVG, name), attributes, children);
const byId = id => document.getElementById(id);

const NONE = '–';
const minus = text => text.replace('-', '−');
const fixed = (value, digits = 0) => value === null || value === undefined ? NONE : minus(value.toFixed(digits));
const signed = (value, digits = 0) => (value > 0 ? '+' : '') + fixed(value, digits);
const percent = share => share === null || share === undefined ? NONE : fixed(share * 100 + 1e-9, 1) + ' %';
const count = (number, what) => number + ' ' + what + (number === 1 ? '' : 's');
const plies = number => number + (number === 1 ? ' ply' : ' plies');
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

// Milliseconds, with a unit that suits them.
function duration(time) {
  if (time === null || time === undefined) return NONE;
  if (time === 0) return '0';
  if (time < 10) return fixed(time, 1) + ' ms';
  if (time < 1000) return fixed(time) + ' ms';
  if (time < 60000) return fixed(time / 1000, 1) + ' s';
  return fixed(time / 60000, 1) + ' min';
}

function estimate(value, digits = 0) {
  return value ? signed(value.value, digits) + ' ± ' + fixed((value.high - value.low) / 2, digits) : NONE;
}

const gamesOf = results => results.won + results.drawn + results.lost;
const scoreOf = results => gamesOf(results) ? (results.won + results.drawn / 2) / gamesOf(results) : null;
const reversed = results => ({won: results.lost, drawn: results.drawn, lost: results.won});
const resultsText = results => `+${results.won} =${results.drawn} −${results.lost}`;

// Round numbers that divide an interval into about this many steps.
function ticks(low, high, about) {
  const raw = (high - low) / about;
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find(factor => factor * power >= raw);
  const list = [];
  for (let n = Math.ceil(low / step); n * step <= high + step * 1e-9; n++) list.push(n * step);
  return list;
}

const scale = (from, to) => value => to[0] + (value - from[0]) / ((from[1] - from[0]) || 1) * (to[1] - to[0]);

// Numbers the clip paths, whose names must be unique on the page.
let clips = 0;

// The frame of a chart: axes, grid and a group that is cut off at its edges.
function frame(width, height, x, y, options = {}) {
  const [left, right, top, bottom] = [options.left || 46, 12, 10, 24];
  const across = scale(x, [left, width - right]);
  const up = scale(y, [height - bottom, top]);
  const root = svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': options.label});
  for (const value of options.yTicks || ticks(y[0], y[1], 5)) {
    root.append(
      svg('line', {class: value === 0 ? 'zero' : 'grid', x1: left, x2: width - right, y1: up(value), y2: up(value)}),
      svg('text', {x: left - 6, y: up(value) + 4, 'text-anchor': 'end'}, (options.yText || plainTick)(value)));
  }
  // What is counted from left to right are pairs, games or plies, so there is nothing between whole numbers.
  for (const value of options.xTicks || ticks(x[0], x[1], Math.max(2, Math.floor(width / 90))).filter(Number.isInteger)) {
    root.append(svg('text', {x: across(value), y: height - 6, 'text-anchor': 'middle'}, plainTick(value)));
  }
  const id = 'clip' + clips++;
  root.append(svg('clipPath', {id},
    svg('rect', {x: left, y: top - 2, width: Math.max(0, width - left - right), height: height - top - bottom + 4})));
  const inside = svg('g', {'clip-path': `url(#${id})`});
  root.append(inside);
  return {root, inside, across, up};
}

const plainTick = value => minus(String(Number(value.toPrecision(6))));
const path = points => points.map(([x, y], i) => (i ? 'L' : 'M') + x.toFixed(1) + ' ' + y.toFixed(1)).join('');
