// Where an instruction is waited for.

// The longest wait for it that the windows hold, as a place for the cursor; null where there is none.
export function longest_wait(timeline, pc) {
  let best = null;
  timeline.lanes.forEach((lane, l) => lane.rows.forEach((row, r) => {
    for (let i = 0; i < row.from.length; ++i) {
      const length = row.until[i] - row.from[i];
      if (row.pc[i] === pc && (best === null || length > best.length)) {
        best = {lane: l, row: r, cycle: row.from[i], length};
      }
    }
  }));
  return best;
}
