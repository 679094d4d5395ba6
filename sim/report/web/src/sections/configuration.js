// What the run was made of: the kernel's file, changes, and every figure of the GPU with its source.
import {filter_field, h, table} from '../dom.js';
import {missing, section, stacked} from '../section.js';

function gpu_table(rows) {
  const nodes = rows.map((row) => h('tr', {}, h('th', {scope: 'row'}, h('code', {}, row.path)),
    h('td', {}, row.value), h('td', {class: `status-${row.status === 'verified' ? 'verified' : 'other'}`}, row.status), h('td', {class: 'words'}, row.source)));
  return h('details', {}, h('summary', {}, `The GPU: ${rows.length} figures, each with its source`),
    filter_field('Search the figures', nodes), table(['figure', 'value', 'status', 'source'], nodes, {label: 'Figures of the GPU'}));
}

function one_run(run) {
  const {configuration} = run.document;
  if (!configuration) {
    return missing('This document does not hold its configuration: smsim run ... --format json --timeline, or --html, does.');
  }
  const {kernel_path: path, kernel_file: file, changes = [], gpu = []} = configuration;
  return [
    h('p', {}, 'Kernel: ', h('code', {}, path ?? run.document.kernel)),
    changes.length > 0 ? [h('p', {}, 'Changed on the command line:'), h('ul', {}, changes.map((one) => h('li', {}, h('code', {}, one))))] : null,
    file ? h('details', {}, h('summary', {}, 'The kernel file'), h('pre', {tabindex: 0}, file)) : null,
    gpu.length > 0 ? gpu_table(gpu) : null,
  ];
}

export function configuration_section(runs) {
  return section('configuration', 'Configuration', null, stacked(runs, one_run));
}
