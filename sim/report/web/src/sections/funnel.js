// From warp slots to issued instructions, per scheduler and cycle.
import {bars, chart} from '../charts.js';
import {number} from '../format.js';
import {missing, section, sides} from '../section.js';

const steps = [
  ['theoretical', 'smsp__maximum_warps_avg_per_active_cycle', 'var(--accent-soft)'],
  ['active', 'smsp__warps_active.avg.per_cycle_active', 'var(--accent)'],
  ['eligible', 'smsp__warps_eligible.avg.per_cycle_active', '#f0e442'],
  ['issued', 'smsp__issue_active.avg.per_cycle_active', '#009e73'],
];

function one_run(run) {
  const known = steps.filter(([, metric]) => run.metric(metric) !== null);
  if (known.length < 2) {
    return missing('Nothing was issued, so there is no funnel.');
  }
  const rows = known.map(([name, metric, fill]) => ({name, value: run.metric(metric), text: number(run.metric(metric)), fill}));
  return chart(`Warps per scheduler and cycle: ${rows.map((row) => `${row.name} ${row.text}`).join(', ')}`,
    (width) => bars(width, rows, {most: Math.max(16, ...rows.map((row) => row.value))}));
}

export function funnel_section(runs) {
  return section('funnel', 'Funnel', 'Warps per scheduler and active cycle: how many could be resident, were resident, could issue, and issued. A scheduler issues at most one a cycle; it idles when none is eligible.',
    sides(runs, one_run));
}
