// The canvas: for each stretch of time either single cycles or sums, an axis above, names at the left.
import {tick, whole} from '../format.js';
import {draw_bins} from './draw_bins.js';
import {draw_rows} from './draw_rows.js';

const narrowest = 120;  // pixels that a window needs to be drawn cycle by cycle

// [{x0, x1, window}] from left to right; window null: only sums.
export function stretches(view, timeline) {
  const right = view.left + view.width;
  const parts = [];
  let at = view.left;
  for (const window of timeline.windows) {
    const x0 = Math.max(at, Math.round(view.x_of(window.from)));
    const x1 = Math.min(right, Math.round(view.x_of(window.until)));
    const all = view.x_of(window.until) - view.x_of(window.from);
    if (x1 <= x0 || (all < narrowest && timeline.bins > 0)) {
      continue;
    }
    if (x0 > at) {
      parts.push({x0: at, x1: x0, window: null});
    }
    parts.push({x0, x1, window});
    at = x1;
  }
  return at < right ? [...parts, {x0: at, x1: right, window: null}] : parts;
}

export function draw(scene) {
  const {context, view, layout, timeline, paint} = scene;
  const width = view.left + view.width;
  context.clearRect(0, 0, width + 1, layout.height);
  context.textBaseline = 'middle';
  ground(scene);
  for (const {x0, x1, window} of stretches(view, timeline)) {
    context.save();
    context.beginPath();
    context.rect(x0, 0, x1 - x0, layout.height);
    context.clip();
    if (window === null) {
      draw_bins(scene, x0, x1);
    } else {
      context.font = '11px system-ui, sans-serif';
      draw_rows(scene, window, x0, x1);
    }
    context.restore();
    stretch_mark(scene, x0, x1, window);
  }
  axis(scene);
  names(scene);
  cursor(scene);
}

function ground({context, view, layout, timeline, paint}) {
  context.fillStyle = paint.page().ground;
  const right = Math.min(view.left + view.width, view.x_of(timeline.end));
  timeline.lanes.forEach((_, l) => context.fillRect(view.left, layout.lane_top(l), right - view.left, layout.lane_height));
}

// A line above the rows tells single cycles (solid) from sums (dashed, with words).
function stretch_mark({context, layout, timeline, paint}, x0, x1, window) {
  const y = layout.axis - 3;
  context.strokeStyle = window === null ? paint.page().soft : paint.page().ink;
  context.lineWidth = window === null ? 1 : 3;
  context.setLineDash(window === null ? [3, 3] : []);
  context.beginPath();
  context.moveTo(x0 + 1, y);
  context.lineTo(x1 - 1, y);
  context.stroke();
  context.setLineDash([]);
}

function axis({context, view, paint, layout}) {
  context.font = '12px system-ui, sans-serif';
  context.fillStyle = paint.page().ink;
  context.textAlign = 'center';
  const step = nice_step((view.until - view.from) / Math.max(2, view.width / 110));
  const long = step >= 1000 && view.width < 500 ? tick : whole;
  for (let cycle = Math.ceil(view.from / step) * step; cycle <= view.until; cycle += step) {
    const x = view.x_of(cycle);
    context.fillRect(Math.round(x), layout.axis - 8, 1, 5);
    const text = long(cycle);
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(Math.max(x, view.left + half - 6), view.left + view.width - half - 2), 9);
  }
  context.textAlign = 'left';
}

function nice_step(least) {
  const base = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return Math.max(1, [1, 2, 5, 10].map((n) => n * base).find((step) => step >= least));
}

function names({context, view, layout, timeline, paint}) {
  context.fillStyle = paint.page().ink;
  context.font = '12px system-ui, sans-serif';
  timeline.lanes.forEach((lane, l) => {
    context.save();
    context.translate(9, layout.lane_top(l) + layout.lane_height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = 'center';
    const text = layout.lane_height > 80 && view.left > 10 ? `scheduler ${lane.scheduler}` : `S${lane.scheduler}`;
    context.fillText(text, 0, 0);
    context.restore();
  });
}

// Where the pointer or the keys are.
function cursor({context, view, layout, paint, cursor: place}) {
  if (place === null || place.cycle < view.from || place.cycle >= view.until) {
    return;
  }
  const x = view.x_of(Math.floor(place.cycle));
  const wide = Math.max(1, view.x_of(Math.floor(place.cycle) + 1) - x);
  context.strokeStyle = paint.page().ink;
  context.lineWidth = 1;
  context.strokeRect(Math.round(x) - 0.5, layout.axis, Math.round(wide) + 1, layout.height - layout.axis - 1);
  context.lineWidth = 2;
  const [y, tall] = place.only_sums ? [layout.lane_top(place.lane), layout.lane_height] : [layout.row_top(place.lane, place.row), layout.row_height];
  context.strokeRect(view.left + 1, y - 1, view.width - 2, tall + 1);
}
