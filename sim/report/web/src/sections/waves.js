// Every SM over time: waves of blocks, the tail, and SMs that had less to do.
import * as Plot from '@observablehq/plot';
import {chart, style} from '../charts.js';
import {h} from '../dom.js';
import {number, tick, whole} from '../format.js';
import {needs_timeline, section, sides} from '../section.js';

const left = 52;
const right = 12;

function heat_map(timeline) {
  const {sms, bins, bin_cycles: width_of_bin} = timeline;
  const cells = sms.flatMap((sm) => Array.from({length: bins}, (_, b) => timeline.resident(sm, b)));
  const most = cells.reduce((a, b) => Math.max(a, b), 1);
  const where = h('p', {class: 'small readout'}, 'Point at the map to read a cell.');
  const map = chart(`Heat map: resident warps of ${sms.length} SMs over ${whole(bins * width_of_bin)} cycles`, (width) => Plot.plot({
    width, height: Math.max(120, Math.min(340, sms.length * 12 + 80)), style,
    marginLeft: left, marginRight: right, marginBottom: 40, marginTop: 10,
    x: {domain: [0, bins * width_of_bin], label: 'cycle', ticks: Math.max(2, Math.floor(width / 130)), tickFormat: tick},
    y: {domain: [sms.length, 0], label: null, ticks: 5},
    color: {scheme: 'viridis', domain: [0, most]},
    marks: [Plot.raster(cells, {width: bins, height: sms.length, x1: 0, x2: bins * width_of_bin, y1: 0, y2: sms.length, imageRendering: 'pixelated'})],
  }));
  map.addEventListener('pointermove', (event) => {
    const box = map.getBoundingClientRect();
    const image = map.querySelector('image')?.getBoundingClientRect() ?? box;
    const b = Math.floor((event.clientX - image.left) / image.width * bins);
    const s = Math.floor((event.clientY - image.top) / image.height * sms.length);
    if (b >= 0 && b < bins && s >= 0 && s < sms.length) {
      where.textContent = `SM ${sms[s].sm}, cycles ${whole(b * width_of_bin)} to ${whole((b + 1) * width_of_bin)}: ` +
        `${number(cells[s * bins + b])} resident warps, ${number(timeline.issued(sms[s], b))} instructions a cycle`;
    }
  });
  return [h('h4', {}, 'Resident warps: one row an SM, from SM 0 at the top'), h('div', {class: 'heat-legend'}, '0 ', h('span', {class: 'viridis', 'aria-hidden': 'true'}), ` ${number(most)} warps`), map, where];
}

function line(timeline, title, value) {
  const points = Array.from({length: timeline.bins}, (_, b) => ({
    x: b * timeline.bin_cycles, y: timeline.sms.reduce((sum, sm) => sum + value(sm, b), 0) / timeline.sms.length}));
  points.push({x: timeline.bins * timeline.bin_cycles, y: points[points.length - 1].y});
  const most = Math.max(...points.map((point) => point.y), 1e-9);
  return [h('h4', {}, title), chart(`${title} over time, at most ${number(most)}`, (width) => Plot.plot({
    width, height: 130, style, marginLeft: left, marginRight: right, marginBottom: 26, marginTop: 8,
    x: {domain: [0, timeline.bins * timeline.bin_cycles], label: null, ticks: Math.max(2, Math.floor(width / 130)), tickFormat: tick},
    y: {domain: [0, most * 1.05], label: null, ticks: 3, grid: true, tickFormat: (v) => (most >= 10 ? tick(v) : number(v))},
    marks: [
      Plot.areaY(points, {x: 'x', y: 'y', curve: 'step-after', fill: 'var(--accent)', fillOpacity: 0.25}),
      Plot.lineY(points, {x: 'x', y: 'y', curve: 'step-after', stroke: 'var(--accent)', strokeWidth: 1.5}),
    ],
  }))];
}

function one_run(run) {
  const {timeline} = run;
  if (!timeline || timeline.bins === 0) {
    return needs_timeline(run);
  }
  return [
    heat_map(timeline),
    line(timeline, 'Resident warps per SM', timeline.resident),
    line(timeline, 'Instructions issued per SM and cycle', timeline.issued),
    line(timeline, 'Memory requests under way per SM', timeline.requests),
    h('p', {class: 'small'}, `One column or step is ${whole(timeline.bin_cycles)} cycles.`),
  ];
}

export function waves_section(runs) {
  return section('waves', 'Waves and tail', 'Where the map is dark, an SM has fewer warps: at the start, between waves of blocks, and in the tail when the last blocks run alone.',
    sides(runs, one_run));
}
