// Where warps wait, by instruction. A click shows the instruction in the timeline.
import {h, number_cell} from '../dom.js';
import {number, percent, whole} from '../format.js';
import {swatch} from '../hatching.js';
import {missing, section, stacked} from '../section.js';
import {sortable} from '../sortable.js';

function top_reason(states) {
  const waits = Object.entries(states).filter(([name]) => name !== 'selected');
  waits.sort((a, b) => b[1] - a[1]);
  return waits.length > 0 ? waits[0] : null;
}

function row_of(run, row, all) {
  const top = top_reason(row.states);
  const share = row.warp_cycles / all;
  const show = run.panel === null ? null : () => {
    const found = run.panel.show_instruction(row.pc);
    document.querySelectorAll('tr.chosen').forEach((node) => node.classList.remove('chosen'));
    node.classList.toggle('chosen', found);
  };
  const text = h('code', {}, row.text);
  const node = h('tr', {'data-pc': row.pc},
    number_cell(String(row.pc)), number_cell(row.line > 0 ? String(row.line) : '-'),
    h('th', {scope: 'row', class: 'code'}, show === null ? text :
      h('button', {class: 'plain', title: 'Show in the timeline', onclick: show}, text)),
    number_cell(whole(row.issued)), number_cell(number(row.issued > 0 ? row.warp_cycles / row.issued : null)),
    h('td', {class: 'reason'}, top === null ? '-' : [swatch(top[0]), ` ${top[0]} ${percent(top[1] / row.warp_cycles, 0)}`]),
    h('td', {class: 'bar-cell'}, h('span', {class: 'track', 'aria-hidden': 'true'}, h('span', {class: 'bar', style: `width:${(share * 100).toFixed(2)}%`})), percent(share)));
  const keys = [row.pc, row.line, row.text, row.issued, row.issued > 0 ? row.warp_cycles / row.issued : 0, top?.[0] ?? '', share];
  return {node, keys};
}

function one_run(run) {
  const rows = run.document.instructions ?? [];
  if (rows.length === 0) {
    return missing('This document has no instructions: they are there with --instructions.');
  }
  const all = rows.reduce((sum, row) => sum + row.warp_cycles, 0) || 1;
  const entries = rows.map((row) => row_of(run, row, all));
  const columns = [
    {text: 'pc', number: true}, {text: 'line', number: true}, 'instruction', {text: 'issues', number: true},
    {text: 'cycles per issue', number: true}, 'top reason', 'share of warp time',
  ];
  return sortable(columns, entries, `Instructions of ${run.name}`);
}

export function instructions_section(runs) {
  return section('instructions', 'Instructions',
    'A warp\'s time is counted at the instruction that it issues next. Choose an instruction to see it in the timeline; choose a heading to sort.',
    stacked(runs, one_run));
}
