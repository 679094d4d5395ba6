// What each limit alone would allow, against the run; and the roofline.
import * as Plot from '@observablehq/plot';
import {bars, chart, style} from '../charts.js';
import {h} from '../dom.js';
import {number, percent, short, whole} from '../format.js';
import {ELAPSED} from '../run.js';
import {missing, section, sides} from '../section.js';

const smallest = 0.005;  // of the run; less than this is only counted

function bound_bars(run) {
  const {bounds = [], bound} = run.document.verdict ?? {};
  const elapsed = run.metric(ELAPSED);
  if (bounds.length === 0 || elapsed === null || run.document.status === 'deadlock') {
    return missing('What bounds a run can be said only of one that went on.');
  }
  const shown = bounds.filter((one) => one.share >= smallest);
  const rows = [{name: 'elapsed', value: elapsed, text: whole(elapsed), fill: 'var(--ink-2)'},
    ...shown.map((one) => ({name: one.name, value: one.cycles, text: `${whole(one.cycles)} (${percent(one.share, 0)})`,
      fill: one.name === bound ? 'var(--accent)' : 'var(--accent-soft)'}))];
  const label = `Cycles of each bound: ${shown.map((one) => `${one.name} ${whole(one.cycles)}`).join(', ')}; elapsed ${whole(elapsed)}`;
  const smaller = bounds.length - shown.length;
  return [chart(label, (width) => bars(width, rows)),
    h('details', {}, h('summary', {}, 'What the bounds mean'), h('dl', {class: 'meanings'}, bounds.map((one) =>
      [h('dt', {}, one.name), h('dd', {}, `${one.meaning} (${percent(one.share)} of the run)`)]))),
    smaller > 0 ? h('p', {class: 'small'}, `${smaller} more below ${percent(smallest)} of the run are in that list.`) : null];
}

function roofline(run) {
  const r = run.document.verdict?.roofline;
  if (!r || !(r.intensity > 0) || !(r.flops_per_second > 0)) {
    return missing('No roofline: the run has no floating-point work or no DRAM traffic.');
  }
  const {ridge, intensity, flops_per_second: reached, peak_flops_per_second: peak} = r;
  const low = Math.min(intensity, ridge) / 8;
  const high = Math.max(intensity, ridge) * 8;
  const roof = [low, ridge, high].map((x) => ({x, y: Math.min(peak, x * r.peak_bytes_per_second)}));
  const bottom = Math.min(reached, roof[0].y) / 3;
  const text = `${short(reached)}flop/s of ${short(peak)}flop/s ${r.precision ?? ''}, ${number(intensity)} flop per byte, ` +
    `ridge at ${number(ridge)}: on the ${r.side} side`;
  return [chart(`Roofline: ${text}`, (width) => Plot.plot({
    width, height: 250, style, marginLeft: 52, marginBottom: 44, marginTop: 24,
    x: {type: 'log', domain: [low, high], label: 'flop per byte of DRAM traffic', ticks: 4, tickFormat: (v) => short(v), grid: true},
    y: {type: 'log', domain: [bottom, peak * 2], label: 'flop/s', ticks: 4, tickFormat: (v) => short(v), grid: true},
    marks: [
      Plot.line(roof, {x: 'x', y: 'y', stroke: 'currentColor', strokeWidth: 2}),
      Plot.ruleX([intensity], {y1: bottom, y2: Math.min(peak, intensity * r.peak_bytes_per_second), stroke: 'var(--accent)', strokeDasharray: '3 3'}),
      Plot.dot([r], {x: 'intensity', y: 'flops_per_second', fill: 'var(--accent)', r: 6}),
      Plot.text([r], {x: 'intensity', y: 'flops_per_second', text: () => 'this run', textAnchor: intensity > ridge ? 'end' : 'start', dx: intensity > ridge ? -10 : 10, dy: 4, fill: 'currentColor'}),
    ],
  })), h('p', {class: 'small'}, `${text}.`)];
}

export function bounds_section(runs) {
  return section('bounds', 'Bounds', 'How many cycles each limit alone would need. The longest bar is what to work on; where even it is far from the elapsed cycles, waiting (latency, imbalance) costs the rest.',
    sides(runs, (run) => h('div', {class: 'two'}, h('div', {}, bound_bars(run)), h('div', {}, roofline(run)))));
}
