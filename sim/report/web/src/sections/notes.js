// What the reader should know about the numbers, and the numbers to take along.
import {h} from '../dom.js';
import {section, stacked} from '../section.js';

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  h('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const field = (value) => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export function metrics_csv(document) {
  const rows = Object.entries(document.metrics ?? {}).map(([name, value]) =>
    [document.kernel, document.gpu, document.launch?.scheduler, name, document.definitions?.[name]?.unit, value]);
  return [['kernel', 'gpu', 'scheduler', 'metric', 'unit', 'value'], ...rows].map((row) => row.map(field).join(',')).join('\n') + '\n';
}

function one_run(run) {
  const {document} = run;
  const base = `${document.kernel}-${document.gpu}`.replace(/[^A-Za-z0-9_.-]+/g, '_');
  const notes = document.notes ?? [];
  return [
    notes.length > 0 ? h('ul', {}, notes.map((note) => h('li', {}, note))) : null,
    h('p', {class: 'buttons'},
      h('button', {onclick: () => save(`${base}.json`, 'application/json', JSON.stringify(document, null, 1) + '\n')}, 'Save all data (JSON)'),
      h('button', {onclick: () => save(`${base}.csv`, 'text/csv', metrics_csv(document))}, 'Save the metrics (CSV)')),
  ];
}

export function notes_section(runs) {
  return section('notes', 'Notes and data', null, stacked(runs, one_run));
}
