// Sums: how many warps of a scheduler were in each state on average, one stack for each bin.
import {in_order} from '../states.js';

export function draw_bins({context, view, layout, timeline, paint, chosen}, x0, x1) {
  const width = timeline.bin_cycles;
  const first = Math.max(0, Math.floor(view.cycle_of(x0) / width));
  const last = Math.min(timeline.bins - 1, Math.floor(view.cycle_of(x1) / width));
  timeline.lanes.forEach((lane, l) => {
    const names = in_order(Object.keys(lane.states));
    const bottom = layout.lane_top(l) + layout.lane_height;
    for (let b = first; b <= last; ++b) {
      const a = Math.max(x0, Math.round(view.x_of(b * width)));
      const e = Math.min(x1, Math.round(view.x_of((b + 1) * width)));
      let y = bottom;
      for (const name of names) {
        const height = (lane.states[name][b] ?? 0) / timeline.cycles_of(b) * layout.row_height;
        context.globalAlpha = chosen.any() && !chosen.fits(name, -1) ? 0.16 : 1;
        context.fillStyle = paint.state(name);
        context.fillRect(a, y - height, e - a, height);
        y -= height;
      }
    }
  });
  context.globalAlpha = 1;
}

// The whole SM in a low strip: where one is in the run.
export function draw_overview(context, {timeline, paint, view}, width, height) {
  const names = in_order(new Set(timeline.lanes.flatMap((lane) => Object.keys(lane.states))));
  const {page} = paint;
  const x_of = (cycle) => cycle / timeline.end * width;
  const slots = timeline.lanes[0].rows.length * timeline.lanes.length;
  context.fillStyle = page().ground;
  context.fillRect(0, 0, width, height);
  for (let b = 0; b < timeline.bins; ++b) {
    const a = Math.round(x_of(b * timeline.bin_cycles));
    const e = Math.round(x_of((b + 1) * timeline.bin_cycles));
    let y = height - 5;
    for (const name of names) {
      const cycles = timeline.lanes.reduce((sum, lane) => sum + (lane.states[name]?.[b] ?? 0), 0);
      const tall = cycles / timeline.cycles_of(b) / slots * (height - 7);
      context.fillStyle = paint.state(name);
      context.fillRect(a, y - tall, e - a, tall);
      y -= tall;
    }
  }
  context.fillStyle = page().ink;
  for (const {from, until} of timeline.windows) {
    context.fillRect(x_of(from), height - 4, Math.max(2, x_of(until) - x_of(from)), 4);
  }
  context.strokeStyle = page().ink;
  context.lineWidth = 2;
  const left = Math.min(x_of(view.from), width - 4);
  context.strokeRect(left + 1, 1, Math.max(3, x_of(view.until) - left - 2), height - 2);
}
