// How often a scheduler had 0, 1, 2, ... warps to choose from.
import * as Plot from '@observablehq/plot';
import {chart, style} from '../charts.js';
import {h} from '../dom.js';
import {percent, whole} from '../format.js';
import {needs_timeline, section, sides} from '../section.js';

// Cycles by eligible warps; those with none are the active cycles that are left.
function histogram(run) {
  const cycles = [...run.timeline?.eligible_cycles ?? []];
  const active = (run.document.sms ?? []).flatMap((sm) => sm.schedulers).reduce((sum, one) => sum + one.active_cycles, 0);
  const some = cycles.slice(1).reduce((a, b) => a + b, 0);
  if (active > 0 && cycles.length > 0) {
    cycles[0] = Math.max(0, active - some);
  }
  return cycles;
}

function one_run(run) {
  const cycles = histogram(run);
  const all = cycles.reduce((a, b) => a + b, 0);
  if (all === 0) {
    return needs_timeline(run);
  }
  const most = cycles.reduce((found, n, i) => (n > 0 ? i : found), 0);
  const last = Math.max(4, cycles.reduce((found, n, i) => (n / all > 0.0005 ? i : found), 0));
  const rows = cycles.slice(0, last + 1).map((n, i) => ({warps: i, share: n / all, cycles: n}));
  const label = rows.filter((row) => row.cycles > 0).map((row) => `${row.warps} eligible: ${percent(row.share)}`).join(', ');
  return [chart(`Share of scheduler cycles by eligible warps: ${label}`, (width) => Plot.plot({
    width, height: 220, style, marginLeft: 50, marginBottom: 44, marginTop: 24,
    x: {label: 'eligible warps', type: 'band', domain: rows.map((row) => row.warps)},
    y: {label: null, percent: true, tickFormat: (v) => `${v} %`, grid: true, ticks: 4, domain: [0, Math.max(...rows.map((row) => row.share)) * 100]},
    marks: [
      Plot.barY(rows, {x: 'warps', y: 'share', fill: (row) => (row.warps === 0 ? 'var(--warm)' : '#f0e442'), stroke: 'var(--ink-2)', strokeWidth: 0.5}),
      width / rows.length > 50 ? Plot.text(rows, {x: 'warps', y: 'share', dy: -8, fill: 'currentColor', text: (row) => (row.share > 0.0005 ? percent(row.share, row.share < 0.0995 ? 1 : 0) : '')}) : null,
      Plot.ruleY([0]),
    ],
  })), h('p', {class: 'small'}, `${percent(cycles[0] / all)} of ${whole(all)} scheduler cycles with a resident warp had none that could issue; at most ${most} could at once.`)];
}

export function eligible_section(runs) {
  return section('eligible', 'Eligible warps', 'In how many cycles a scheduler had so many warps to choose from. Cycles with none are lost.', sides(runs, one_run));
}
