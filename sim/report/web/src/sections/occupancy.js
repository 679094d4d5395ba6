// Which resource limits the resident blocks, and what another size would give.
import * as Plot from '@observablehq/plot';
import {bars, chart, style} from '../charts.js';
import {h} from '../dom.js';
import {number, plural, tick, whole} from '../format.js';
import {missing, section, sides} from '../section.js';

const resources = ['warps', 'blocks', 'registers', 'shared_mem', 'barriers'];
const curves = [
  ['block_size', 'threads per block'],
  ['registers', 'registers per thread'],
  ['smem_dynamic', 'bytes of dynamic shared memory'],
];

// Documents without an "occupancy" part still have the limits among their metrics.
function limits_of(run) {
  const limits = run.document.occupancy?.limits ??
    Object.fromEntries(resources.map((name) => [name, run.metric(`launch__occupancy_limit_${name}`)]));
  return Object.entries(limits).filter(([, blocks]) => blocks !== null);
}

function limiter_bars(run) {
  const limits = limits_of(run);
  if (limits.length === 0) {
    return missing('This document has no occupancy limits.');
  }
  const least = Math.min(...limits.map(([, blocks]) => blocks));
  const limiters = run.document.occupancy?.limiters ?? limits.filter(([, blocks]) => blocks === least).map(([name]) => name);
  const rows = limits.map(([name, blocks]) => ({name, value: blocks, fill: limiters.includes(name) ? 'var(--warm)' : 'var(--accent-soft)',
    text: whole(blocks) + (limiters.includes(name) ? ', limits' : '')}));
  return [h('h4', {}, 'Blocks per SM that each resource alone admits'),
    chart(`Blocks per SM: ${rows.map((row) => `${row.name} ${row.text}`).join(', ')}`, (width) => bars(width, rows))];
}

function curve(run, key, label) {
  const {occupancy} = run.document;
  const points = occupancy.curves?.[key] ?? [];
  if (points.length === 0) {
    return null;
  }
  const now = occupancy.now[key];
  const here = {x: now, y: occupancy.warps_per_sm};
  return h('div', {}, h('h4', {}, `Warps per SM by ${label}`),
    chart(`Resident warps per SM by ${label}; now ${number(now)}: ${here.y} warps`, (width) => Plot.plot({
      width, height: 190, style, marginLeft: 34, marginBottom: 42, marginTop: 12, marginRight: 16,
      x: {label, ticks: Math.max(2, Math.floor(width / 90)), tickFormat: tick},
      y: {domain: [0, occupancy.max_warps_per_sm], label: null, ticks: 4, grid: true},
      marks: [
        Plot.line(points, {x: '0', y: '1', stroke: 'var(--accent)', strokeWidth: 2, curve: key === 'block_size' ? 'linear' : 'step-after'}),
        Plot.ruleX([here], {x: 'x', stroke: 'var(--warm)', strokeDasharray: '3 3'}),
        Plot.dot([here], {x: 'x', y: 'y', fill: 'var(--warm)', r: 6}),
      ],
    })));
}

function one_run(run) {
  const {occupancy} = run.document;
  const bars_part = h('div', {}, limiter_bars(run));
  if (!occupancy) {
    return [bars_part, missing('The curves need a document of smsim run ... --format json --timeline, or --html.')];
  }
  const steps = occupancy.next_steps ?? [];
  return [
    h('p', {}, `${plural(occupancy.blocks_per_sm, 'block')} of ${plural(occupancy.warps_per_block, 'warp')} fit on an SM at once: ` +
      `${occupancy.warps_per_sm} of ${occupancy.max_warps_per_sm} warps (theoretical).`),
    bars_part,
    steps.length > 0 ? h('ul', {}, steps.map((step) => h('li', {}, step))) : null,
    h('div', {class: 'curves'}, curves.map(([key, label]) => curve(run, key, label))),
  ];
}

export function occupancy_section(runs) {
  return section('occupancy', 'Occupancy', 'How many warps can be resident at once. More of them hide more latency, as long as they find something to do.',
    sides(runs, one_run));
}
