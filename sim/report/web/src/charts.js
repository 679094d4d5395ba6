// What every chart has in common: it fits its place, follows the page's colours, and says in words what it shows.
import * as Plot from '@observablehq/plot';
import {h} from './dom.js';

// draw(width) makes the chart; it is called again when the place becomes wider or narrower.
export function chart(label, draw) {
  const figure = h('figure', {class: 'chart', role: 'img', 'aria-label': label});
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.floor(figure.clientWidth);
    if (width > 0 && width !== drawn) {
      drawn = width;
      figure.replaceChildren(draw(width));
    }
  }).observe(figure);
  return figure;
}

export const style = {background: 'transparent', color: 'inherit', fontFamily: 'inherit', fontSize: '13px', overflow: 'visible'};

// Horizontal bars with their values beside them. Rows: {name, value, text, fill}.
export function bars(width, rows, options = {}) {
  const longest = Math.max(...rows.map((row) => row.name.length));
  const left = Math.min(longest * 7.4 + 12, width * 0.42);
  const right = Math.max(...rows.map((row) => row.text.length)) * 7.2 + 10;
  return Plot.plot({
    width, style,
    height: rows.length * 26 + (options.axis ? 62 : 16),
    marginLeft: left, marginRight: right, marginTop: 8, marginBottom: options.axis ? 46 : 8,
    x: {domain: [0, options.most ?? Math.max(...rows.map((row) => row.value), 1e-9)], axis: options.axis ? 'bottom' : null,
      label: options.axis ?? null, ticks: Math.max(2, Math.floor(width / 150)), tickFormat: options.tick, grid: options.axis !== undefined},
    y: {domain: rows.map((row) => row.name), label: null, tickSize: 0},
    marks: [
      Plot.barX(rows, {x: 'value', y: 'name', fill: (row) => row.fill ?? 'var(--accent)', insetTop: 3, insetBottom: 3}),
      Plot.text(rows, {x: 'value', y: 'name', text: 'text', textAnchor: 'start', dx: options.text_gap ?? 6, fill: 'currentColor'}),
      Plot.ruleX([0], {stroke: 'currentColor'}),
      ...(options.marks ?? []),
    ],
  });
}
