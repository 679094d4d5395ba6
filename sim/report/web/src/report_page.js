// The report: its sections in order, and the way to each.
import {h} from './dom.js';
import {hatching_defs} from './hatching.js';
import {read_run, tell_apart} from './run.js';
import {bounds_section} from './sections/bounds.js';
import {configuration_section} from './sections/configuration.js';
import {eligible_section} from './sections/eligible.js';
import {funnel_section} from './sections/funnel.js';
import {header} from './sections/header.js';
import {instructions_section} from './sections/instructions.js';
import {metrics_section} from './sections/metrics.js';
import {notes_section} from './sections/notes.js';
import {occupancy_section} from './sections/occupancy.js';
import {stalls_section} from './sections/stalls.js';
import {timeline_section} from './sections/timeline.js';
import {waves_section} from './sections/waves.js';

const sections = [
  ['Bounds', bounds_section],
  ['Occupancy', occupancy_section],
  ['Funnel', funnel_section],
  ['Eligible warps', eligible_section],
  ['Warp states', stalls_section],
  ['Waves', waves_section],
  ['Timeline', timeline_section],
  ['Instructions', instructions_section],
  ['Metrics', metrics_section],
  ['Configuration', configuration_section],
  ['Notes', notes_section],
];

export function report_page(data) {
  const runs = data.runs.map((document, index) => read_run(document, index, data.runs.length > 1));
  if (runs.length === 2) {
    tell_apart(runs);
  }
  const shown = sections.map(([name, make]) => [name, make(runs)]).filter(([, node]) => node !== null);
  const links = shown.map(([name, node]) => h('a', {href: `#${node.id}`}, name));
  return h('div', {class: 'page'}, hatching_defs(), header(runs),
    h('nav', {'aria-label': 'Sections'}, links), h('main', {}, shown.map(([, node]) => node)));
}
