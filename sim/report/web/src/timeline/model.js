// The timeline of a document, arranged so that a row and a cycle lead to an answer quickly.
import {ELAPSED} from '../run.js';

// Null where the document has none.
export function read_timeline(document) {
  const data = document.timeline;
  if (!data) {
    return null;
  }
  const end = end_of(document, data);
  const sms = data.sms ?? [];
  const bins = Math.max(0, ...sms.flatMap((sm) => Object.values(sm.states).map((list) => list.length)),
    ...(data.schedulers ?? []).flatMap((one) => Object.values(one.states).map((list) => list.length)));
  const width = data.bin_cycles;
  const windows = (data.windows ?? []).map(([from, until]) => ({from, until: Math.min(until, end)})).filter((w) => w.until > w.from);
  const cycles_of = (b) => Math.max(1, Math.min((b + 1) * width, end) - b * width);  // the last bin ends with the run
  const stays = (data.warps ?? []).map((stay, index) => ({...stay, index}));
  return {
    sm: data.sm, states: data.states ?? [], bin_cycles: width, bins, sms, end, windows, stays,
    gaps: gaps_between(windows, end), cycles_of,
    eligible_cycles: data.eligible_cycles ?? [],
    schedulers: (data.schedulers ?? []).map((one) => ({...one, totals: totals_of([one])})),
    gpu_totals: totals_of(sms),
    lanes: lanes_of(stays, data, cycles_of),
    flights_of: flights_by_stay(data.flights ?? []),
    resident: (sm, b) => Object.values(sm.states).reduce((sum, list) => sum + (list[b] ?? 0), 0) / cycles_of(b),
    issued: (sm, b) => (sm.states.selected?.[b] ?? 0) / cycles_of(b),
    requests: (sm, b) => (sm.requests?.[b] ?? 0) / cycles_of(b),
  };
}

function end_of(document, data) {
  const elapsed = document.metrics?.[ELAPSED] ?? document.deadlock?.cycle ?? 0;
  const last = [...(data.warps ?? []).map((stay) => stay.until), 0].reduce((a, b) => Math.max(a, b), 0);
  const binned = Math.max(0, ...(data.sms ?? []).map((sm) => Math.max(0, ...Object.values(sm.states).map((list) => list.length)))) * data.bin_cycles;
  return Math.max(elapsed, last, elapsed > 0 ? 0 : binned);
}

function totals_of(parts) {
  const totals = {};
  for (const {states} of parts) {
    for (const [name, list] of Object.entries(states)) {
      totals[name] = (totals[name] ?? 0) + list.reduce((a, b) => a + b, 0);
    }
  }
  return totals;
}

function gaps_between(windows, end) {
  const gaps = [];
  let at = 0;
  for (const {from, until} of windows) {
    if (from > at) {
      gaps.push({from: at, until: from});
    }
    at = Math.max(at, until);
  }
  return at < end ? [...gaps, {from: at, until: end}] : gaps;
}

// One lane a scheduler: its rows (slots) with their intervals, and its sums by bin.
function lanes_of(stays, data, cycles_of) {
  const schedulers = data.schedulers ?? [];
  const count = Math.max(4, schedulers.length);
  const busiest = Math.max(0, ...schedulers.map((one) => busiest_bin(one, cycles_of)));
  const slots = Math.max(1, Math.ceil(busiest - 1e-9), stays.reduce((most, stay) => Math.max(most, stay.slot + 1), 0));
  return Array.from({length: count}, (_, scheduler) => ({
    scheduler,
    states: schedulers.find((one) => one.scheduler === scheduler)?.states ?? {},
    rows: Array.from({length: slots}, (__, slot) =>
      row_of(stays.filter((stay) => stay.scheduler === scheduler && stay.slot === slot))),
  }));
}

function busiest_bin({states}, cycles_of) {
  const lists = Object.values(states);
  const bins = Math.max(0, ...lists.map((list) => list.length));
  return Math.max(0, ...Array.from({length: bins}, (_, b) => lists.reduce((sum, list) => sum + (list[b] ?? 0), 0) / cycles_of(b)));
}

// Intervals of a slot in time order, in arrays of numbers: there are tens of thousands.
function row_of(stays) {
  const sorted = [...stays].sort((a, b) => a.from - b.from);
  const count = sorted.reduce((sum, stay) => sum + stay.intervals.reduce((n, chunk) => n + (chunk.length - 1) / 3, 0), 0);
  const row = {stays: sorted, from: new Float64Array(count), until: new Float64Array(count), state: new Uint8Array(count),
    pc: new Uint32Array(count), stay: new Uint32Array(count)};
  let i = 0;
  for (const stay of sorted) {
    for (const chunk of stay.intervals) {
      let at = chunk[0];
      for (let k = 1; k + 2 < chunk.length; k += 3, ++i) {
        row.from[i] = at;
        at += chunk[k];
        row.until[i] = at;
        row.state[i] = chunk[k + 1];
        row.pc[i] = chunk[k + 2];
        row.stay[i] = stay.index;
      }
    }
  }
  return row;
}

// The first interval that ends after the cycle.
export function first_after(row, cycle) {
  let low = 0;
  let high = row.from.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.until[middle] > cycle) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// The interval at the cycle, or -1.
export function interval_at(row, cycle) {
  const i = first_after(row, cycle);
  return i < row.from.length && row.from[i] <= cycle ? i : -1;
}

function flights_by_stay(flights) {
  const found = new Map();
  for (const [from, until, stay, pc, sectors] of flights) {
    if (stay >= 0) {
      const list = found.get(stay) ?? [];
      list.push({from, until, pc, sectors});
      found.set(stay, list);
    }
  }
  return (stay) => found.get(stay) ?? [];
}

export function window_at(timeline, cycle) {
  return timeline.windows.find(({from, until}) => from <= cycle && cycle < until) ?? null;
}
