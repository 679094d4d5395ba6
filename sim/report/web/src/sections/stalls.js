// Where the time of warps goes: a stack for each scheduler and for the GPU, and the same in numbers.
import * as Plot from '@observablehq/plot';
import {chart, style} from '../charts.js';
import {h, number_cell, table} from '../dom.js';
import {number, percent, whole} from '../format.js';
import {svg_fill, swatch} from '../hatching.js';
import {missing, section, sides, stacked} from '../section.js';
import {in_order, state} from '../states.js';

// [{who, totals: {state: warp-cycles}}]
function stacks_of(run) {
  const gpu = gpu_totals(run);
  const stacks = run.timeline ?
    run.timeline.schedulers.map((one) => ({who: `scheduler ${one.scheduler}`, totals: one.totals})) : [];
  return [...(gpu ? [{who: 'GPU', totals: gpu}] : []), ...stacks].filter((stack) => sum(stack.totals) > 0);
}

// The document's own counters; ratios times the issues where it has no instructions.
function gpu_totals(run) {
  if (run.timeline) {
    return run.timeline.gpu_totals;
  }
  const issued = run.metric('smsp__inst_issued.sum');
  return issued === null ? null :
    Object.fromEntries(Object.entries(run.document.stalls ?? {}).map(([name, ratio]) => [name, (ratio ?? 0) * issued]));
}

const sum = (totals) => Object.values(totals).reduce((a, b) => a + b, 0);

function pieces_of(stacks) {
  return stacks.flatMap(({who, totals}) => {
    const all = sum(totals);
    let at = 0;
    return in_order(Object.keys(totals)).filter((name) => totals[name] > 0).map((name) => {
      const piece = {who, name, cycles: totals[name], from: at / all, until: (at + totals[name]) / all};
      at += totals[name];
      return piece;
    });
  });
}

function stack_chart(run) {
  const stacks = stacks_of(run);
  if (stacks.length === 0) {
    return missing('No warp ran, so there are no states.');
  }
  const pieces = pieces_of(stacks);
  const shown = in_order(new Set(pieces.map((piece) => piece.name)));
  return [chart(`Shares of warp time: ${pieces.filter((piece) => piece.who === stacks[0].who)
    .map((piece) => `${piece.name} ${percent(piece.until - piece.from)}`).join(', ')}`, (width) => Plot.plot({
    width, height: stacks.length * 34 + 46, style, marginLeft: 92, marginBottom: 36, marginTop: 4, marginRight: 16,
    x: {domain: [0, 100], percent: true, label: null, tickFormat: (v) => `${v} %`, ticks: width < 500 ? 3 : 6},
    y: {domain: stacks.map((stack) => stack.who), label: null, tickSize: 0},
    marks: [
      Plot.barX(pieces, {x1: 'from', x2: 'until', y: 'who', fill: (piece) => svg_fill(piece.name), insetTop: 3, insetBottom: 3,
        stroke: 'var(--paper)', strokeWidth: 0.6,
        title: (piece) => `${piece.who}: ${piece.name}\n${whole(piece.cycles)} warp-cycles, ${percent(piece.until - piece.from)}`}),
      Plot.text(pieces.filter((piece) => (piece.until - piece.from) * (width - 108) > piece.name.length * 7.2 + 8),
        {x: (piece) => (piece.from + piece.until) / 2, y: 'who', text: 'name', fill: (piece) => state(piece.name).ink, stroke: (piece) => state(piece.name).colour, strokeWidth: 6, pointerEvents: 'none'}),
    ],
  })), h('ul', {class: 'legend'}, shown.map((name) => h('li', {}, swatch(name), ` ${name}`))),
  run.timeline ? h('p', {class: 'small'}, `The schedulers are those of SM ${run.timeline.sm}.`) :
    h('p', {class: 'small'}, 'Single schedulers need a document with a timeline.')];
}

function state_table(run) {
  const stalls = run.document.stalls ?? {};
  const totals = gpu_totals(run) ?? {};
  const all = sum(totals);
  const names = Object.keys(totals).filter((name) => totals[name] > 0).sort((a, b) => totals[b] - totals[a]);
  if (names.length === 0) {
    return null;
  }
  const rows = names.map((name) => h('tr', {}, h('th', {scope: 'row', class: 'reason'}, swatch(name), ` ${name}`),
    number_cell(number(stalls[name] ?? null)), number_cell(whole(totals[name])), number_cell(percent(totals[name] / all)),
    h('td', {class: 'words'}, `the warp ${state(name).meaning}`)));
  return h('details', {}, h('summary', {}, 'The states in numbers, and what each means'),
    table(['state', {text: 'cycles per issue', number: true}, {text: 'warp-cycles', number: true}, {text: 'share', number: true}, 'meaning'], rows, {label: 'Warp states'}));
}

export function stalls_section(runs) {
  return section('stalls', 'Warp states', 'Every resident warp is in one state in every cycle; here their sums. A large piece shows what warps wait for, not always what limits the run: that is the bound above.',
    sides(runs, stack_chart), stacked(runs, state_table));
}
