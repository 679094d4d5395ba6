// Every metric with its definition; of two runs also the difference.
import {filter_field, h, number_cell, table} from '../dom.js';
import {number, signed} from '../format.js';
import {section} from '../section.js';

function change(a, b) {
  if (a === null || b === null) {
    return '-';
  }
  if (a === b) {
    return '=';
  }
  return a === 0 ? signed(b - a, number(b - a)) : signed(b - a, `${((b - a) / Math.abs(a) * 100).toFixed(1)} %`);
}

export function metrics_section(runs) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.document.metrics ?? {})))];
  const definitions = Object.assign({}, ...runs.map((run) => run.document.definitions ?? {}));
  const two = runs.length === 2;
  const rows = names.map((name) => {
    const about = definitions[name] ?? {};
    return h('tr', {'data-metric': name},
      h('th', {scope: 'row'}, about.label ? [about.label, h('br'), h('code', {class: 'small'}, name)] : h('code', {}, name)),
      runs.map((run) => h('td', {class: 'number value'}, number(run.metric(name)))),
      two ? number_cell(change(runs[0].metric(name), runs[1].metric(name))) : null,
      h('td', {}, about.unit ?? ''), h('td', {class: 'words'}, about.definition ?? ''));
  });
  const values = runs.map((run) => ({text: run.letter === '' ? 'value' : run.letter, number: true}));
  const columns = ['metric', ...values, ...(two ? [{text: 'A to B', number: true}] : []), 'unit', 'definition'];
  return section('metrics', 'Metrics', 'All of them, under Nsight Compute\'s names; those that begin with smsim__ are the simulator\'s own.',
    filter_field('Search the metrics', rows), table(columns, rows, {label: 'Metrics', class: 'metrics'}));
}
