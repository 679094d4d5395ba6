// The warps of one SM, cycle by cycle.
import {h} from '../dom.js';
import {whole} from '../format.js';
import {needs_timeline, section, stacked} from '../section.js';
import {timeline_panel} from '../timeline/panel.js';

// What the document does not hold must not be mistaken for nothing happening.
function kept(timeline) {
  const windows = timeline.windows.map(({from, until}) => `${whole(from)} to ${whole(until)}`).join(' and ');
  const gaps = timeline.gaps.map(({from, until}) => `${whole(from)} to ${whole(until)}`).join(' and ');
  return `SM ${timeline.sm}. ` + (windows ? `Every warp is known in cycles ${windows}. ` : '') +
    (gaps ? `Cycles ${gaps}: only sums of ${whole(timeline.bin_cycles)} cycles are kept.` : 'That is the whole run.');
}

function one_run(run) {
  if (!run.timeline || run.timeline.end === 0) {
    return needs_timeline(run);
  }
  run.panel = timeline_panel(run);
  return [h('p', {class: 'small kept'}, kept(run.timeline)), run.panel.node];
}

export function timeline_section(runs) {
  return section('timeline', 'Timeline', 'One row is a warp slot, grouped by scheduler; a block\'s warp stays in its slot until it ends. Point at a cycle to read why a warp does not issue.',
    stacked(runs, one_run));
}
