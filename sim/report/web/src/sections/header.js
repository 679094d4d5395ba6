// What was run, what came of it, and why.
import {h, table, number_cell} from '../dom.js';
import {duration, number, percent, whole} from '../format.js';
import {ELAPSED, launch_words} from '../run.js';
import {sides} from '../section.js';

const figures = [
  ['Elapsed cycles', ELAPSED, whole],
  ['Duration', 'gpu__time_duration.sum', duration],
  ['Achieved occupancy', 'sm__warps_active.avg.pct_of_peak_sustained_active', (v) => percent(v / 100)],
  ['Issue slots used', 'smsp__issue_active.avg.pct_of_peak_sustained_active', (v) => percent(v / 100)],
  ['DRAM throughput', 'gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed', (v) => percent(v / 100)],
];

function tiles(run) {
  const shown = figures.filter(([, name]) => run.metric(name) !== null);
  return shown.length === 0 ? null : h('dl', {class: 'tiles'}, shown.map(([label, name, format]) =>
    h('div', {}, h('dt', {}, label), h('dd', {'data-metric': name}, format(run.metric(name))))));
}

function verdict(run) {
  const {summary = '', suggestions = []} = run.document.verdict ?? {};
  const told = run.document.deadlock || run.document.launch_failure;  // its own box says more
  if ((summary === '' || told) && suggestions.length === 0) {
    return null;
  }
  const advice = suggestions.map((one) =>
    h('li', {}, h('span', {class: 'advice'}, one.text), h('span', {class: 'evidence'}, one.evidence)));
  return h('div', {class: 'verdict'}, h('p', {class: 'summary'}, summary),
    advice.length > 0 ? [h('p', {}, 'What to try, and why:'), h('ol', {}, advice)] : null);
}

function deadlock(found) {
  const rows = found.waits.map((warp) => h('tr', {},
    number_cell(whole(warp.block)), number_cell(whole(warp.warp)), number_cell(whole(warp.sm)),
    h('td', {}, h('code', {}, warp.text ?? `instruction ${warp.instruction}`)),
    number_cell(warp.line > 0 ? String(warp.line) : '-'), h('td', {}, warp.waits_for)));
  return h('div', {class: 'failure'}, h('p', {class: 'summary'}, `Deadlock at cycle ${whole(found.cycle)}`),
    h('p', {}, found.explanation),
    (found.wait_for_cycle ?? []).length > 0 ? h('ol', {}, found.wait_for_cycle.map((step) => h('li', {}, words(step)))) : null,
    table([{text: 'block', number: true}, {text: 'warp', number: true}, {text: 'SM', number: true}, 'instruction', {text: 'line', number: true}, 'waits for'],
      rows, {label: 'Blocked warps'}));
}

function words(step) {
  return typeof step === 'string' ? step : JSON.stringify(step);
}

function launch_failure(found) {
  return h('div', {class: 'failure'}, h('p', {class: 'summary'}, 'This launch is impossible'), h('p', {}, found.explanation),
    h('p', {}, `It needs ${number(found.need)} of ${found.resource}; the limit is ${number(found.limit)}.`),
    found.what_fits ? h('p', {}, `What fits: ${words(found.what_fits)}`) : null);
}

function one_run(run) {
  const {document} = run;
  return [
    h('p', {class: 'launch'}, launch_words(document.launch)),
    run.completed ? null : h('p', {class: 'status'}, `Status: ${document.status.replace('_', ' ')}`),
    document.deadlock ? deadlock(document.deadlock) : null,
    document.launch_failure ? launch_failure(document.launch_failure) : null,
    verdict(run), tiles(run),
  ];
}

// "B takes 0.81 times the time of A."
function difference(runs) {
  const [a, b] = runs.map((run) => run.metric('gpu__time_duration.sum'));
  if (!(a > 0) || !(b > 0)) {
    return null;
  }
  const text = a === b ? 'A and B take the same time.' :
    a > b ? `B is ${number(a / b)} times as fast as A.` : `B takes ${number(b / a)} times as long as A.`;
  return h('p', {class: 'summary'}, text);
}

export function header(runs) {
  const title = runs.length === 1 ? runs[0].name : 'Two runs side by side';
  return h('header', {}, h('p', {class: 'maker'}, `smsim ${runs[0].document.smsim_version ?? ''}: predicted, not measured`),
    h('h1', {}, title), runs.length > 1 ? difference(runs) : null, sides(runs, one_run));
}
