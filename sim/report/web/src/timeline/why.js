// Why a warp does not issue in a cycle, in words.
import {number, plural, whole} from '../format.js';
import {in_order, state} from '../states.js';
import {interval_at, window_at} from './model.js';
import {issued_before, producer} from './producer.js';

// {title, state?, lines: [text], requests?: [text]} for a place {lane, row, cycle}; only_sums: what was drawn there.
export function why(run, place, only_sums) {
  const {timeline} = run;
  const cycle = Math.floor(place.cycle);
  if (only_sums || window_at(timeline, cycle) === null) {
    return sums(timeline, place, cycle, window_at(timeline, cycle) !== null);
  }
  const row = timeline.lanes[place.lane].rows[place.row];
  const i = interval_at(row, cycle);
  const where = `scheduler ${place.lane}, slot ${place.row}`;
  if (i < 0) {
    return {title: `Cycle ${whole(cycle)}, ${where}: no warp`, lines: [empty(row, cycle)]};
  }
  const stay = timeline.stays[row.stay[i]];
  const name = timeline.states[row.state[i]];
  const instruction = run.instruction(row.pc[i]);
  const line = instruction.line > 0 ? `, line ${instruction.line}` : '';
  return {
    title: `Cycle ${whole(cycle)}: block ${whole(stay.block)}, warp ${stay.warp} (${where})`,
    state: name,
    lines: [
      `${name} from ${whole(row.from[i])} to ${whole(row.until[i])} (${plural(row.until[i] - row.from[i], 'cycle')}): it ${state(name).meaning}.`,
      `${name === 'selected' ? 'Issues' : 'Next instruction'}: ${instruction.text} (pc ${row.pc[i]}${line})`,
      ...whom(run, place, {row, i, stay, name, cycle}),
    ],
    requests: flights(run, stay, cycle, row.until[i]),
  };
}

function empty(row, cycle) {
  const next = row.stays.find((stay) => stay.from > cycle);
  const before = [...row.stays].reverse().find((stay) => stay.until <= cycle);
  return [before ? `Block ${whole(before.block)} left at ${whole(before.until)}.` : 'No block was here before.',
    next ? `Block ${whole(next.block)} comes at ${whole(next.from)}.` : ''].join(' ');
}

// Who it waits for, where that can be read from the other rows.
function whom(run, place, {row, i, stay, name, cycle}) {
  const {timeline} = run;
  if (name === 'not_selected') {
    const picked = warps_at(timeline, cycle, (_, l) => l === place.lane).find((warp) => warp.name === 'selected');
    return picked ? [`Picked instead: block ${whole(picked.stay.block)}, warp ${picked.stay.warp}.`] : [];
  }
  if (name === 'barrier') {
    const late = warps_at(timeline, cycle, () => true).filter((warp) => warp.stay.block === stay.block && warp.name !== 'barrier');
    const list = late.slice(0, 6).map((warp) => `warp ${warp.stay.warp} (${warp.name})`).join(', ');
    return late.length > 0 ? [`Not there yet: ${list}${late.length > 6 ? ` and ${late.length - 6} more` : ''}.`] : [];
  }
  if (name === 'wait') {
    const last = issued_before(run, row, i);
    return last ? [`Before it: ${run.instruction(last.pc).text} (pc ${last.pc}), issued at ${whole(last.cycle)}.`] : [];
  }
  const from = producer(run, row, i, name);
  return from ? [`It reads ${from.register}, which ${run.instruction(from.pc).text} (pc ${from.pc}) writes, issued at ${whole(from.cycle)}.`] : [];
}

function warps_at(timeline, cycle, wanted) {
  return timeline.lanes.flatMap((lane, l) => (wanted(lane, l) ? lane.rows : []).flatMap((row) => {
    const i = interval_at(row, cycle);
    return i < 0 ? [] : [{stay: timeline.stays[row.stay[i]], name: timeline.states[row.state[i]]}];
  }));
}

// The warp's requests under way, and those that still leave before it goes on.
function flights(run, stay, cycle, until) {
  const open = run.timeline.flights_of(stay.index).filter((one) => one.from < until && cycle < one.until);
  if (open.length === 0) {
    return [];
  }
  const shown = open.slice(0, 3).map(({from, until: answer, pc, sectors}) => `${run.instruction(pc).text} (pc ${pc}), ${plural(sectors, 'sector')}: ` +
    `${from > cycle ? 'leaves' : 'left'} the SM at ${whole(from)}, answered at ${whole(answer)}`);
  return [`Its memory requests under way: ${open.length}`, ...shown, ...(open.length > 3 ? [`and ${open.length - 3} more`] : [])];
}

function sums(timeline, {lane}, cycle, known) {
  const b = Math.floor(cycle / timeline.bin_cycles);
  const {states} = timeline.lanes[lane];
  const names = in_order(Object.keys(states)).filter((name) => (states[name][b] ?? 0) > 0)
    .sort((x, y) => states[y][b] - states[x][b]);
  const from = b * timeline.bin_cycles;
  const until = from + timeline.cycles_of(b);
  return {
    title: `Cycles ${whole(from)} to ${whole(until)}, scheduler ${lane}: warps on average`,
    lines: [
      names.length > 0 ? names.map((name) => `${name} ${number(states[name][b] / timeline.cycles_of(b))}`).join(', ') : 'no warp',
      known ? 'Zoom in to see single cycles.' : 'Of these cycles only sums are kept.',
    ],
  };
}
