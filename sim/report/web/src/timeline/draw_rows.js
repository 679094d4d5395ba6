// Single cycles: the intervals of each slot.
import {state} from '../states.js';
import {first_after} from './model.js';
import {parts_of} from './producer.js';

const quiet = 0.16;  // opacity of what is not highlighted

// Draws what a window holds, between the pixels x0 and x1.
export function draw_rows(scene, window, x0, x1) {
  const {layout, timeline} = scene;
  timeline.lanes.forEach((lane, l) => lane.rows.forEach((row, r) => {
    const y = layout.row_top(l, r);
    draw_row(scene, row, window, {x0, x1, y, height: layout.row_height - 1});
    draw_stays(scene, row, window, {x0, x1, y, height: layout.row_height - 1});
  }));
}

function draw_row(scene, row, window, box) {
  const {view, timeline, chosen} = scene;
  const column = make_column(scene, box);
  const from = Math.max(window.from, view.cycle_of(box.x0));
  const until = Math.min(window.until, view.cycle_of(box.x1));
  for (let i = first_after(row, from); i < row.from.length && row.from[i] < until; ++i) {
    const a = view.x_of(Math.max(row.from[i], from));
    const b = view.x_of(Math.min(row.until[i], until));
    const name = timeline.states[row.state[i]];
    column.add(a, b, name, chosen.fits(name, row.pc[i]));
    if (b - a > 3) {
      issue_mark(scene, row, i, name, {a, b, ...box});
    }
  }
  column.flush();
}

// Intervals narrower than a pixel: the pixel shows the state that lasts longest in it, and a highlighted one always.
function make_column({context, paint, chosen}, {y, height}) {
  let at = -1;
  let lengths = new Map();
  let hit = null;

  function fill(x, width, name, bright) {
    context.globalAlpha = bright ? 1 : quiet;
    context.fillStyle = paint.state(name);
    context.fillRect(x, y, width, height);
  }
  function flush() {
    if (lengths.size > 0) {
      const longest = [...lengths].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
      fill(at, 1, hit ?? longest, hit !== null || !chosen.any());
    }
    lengths = new Map();
    hit = null;
    context.globalAlpha = 1;
  }
  function part(x, length, name, bright) {
    if (x !== at) {
      flush();
      at = x;
    }
    lengths.set(name, (lengths.get(name) ?? 0) + length);
    if (bright && chosen.any()) {
      hit = name;
    }
  }
  return {
    flush,
    add: (a, b, name, bright) => {
      const first = Math.floor(a);
      const last = Math.floor(b);
      if (first === last) {
        part(first, b - a, name, bright);
        return;
      }
      part(first, first + 1 - a, name, bright);
      if (last > first + 1) {
        flush();
        at = -1;
        fill(first + 1, last - first - 1, name, bright || !chosen.any());
        context.globalAlpha = 1;
      }
      if (b > last) {
        part(last, b - last, name, bright);
      }
    },
  };
}

// An issue is told by its shape as well as its colour; where there is room, by its operation.
function issue_mark({context, run, chosen, layout}, row, i, name, {a, b, y, height}) {
  if (chosen.any() && !chosen.fits(name, row.pc[i])) {
    return;
  }
  context.fillStyle = state(name).ink;
  if (name === 'selected') {
    context.fillRect(a + 1, y + height - 3, Math.max(1, b - a - 2), 2);
  }
  if (layout.row_height >= 12 && b - a > 46) {
    const operation = name === 'selected' ? parts_of(run.instruction(row.pc[i]).text).operation : name;
    const room = Math.floor((b - a - 8) / 6);
    if (operation.length <= room) {
      const look = state(name);
      if (look.hatch !== '') {  // hatching would cut through the letters
        context.fillStyle = look.colour;
        context.fillRect(a + 1, y, context.measureText(operation).width + 6, height);
        context.fillStyle = look.ink;
      }
      context.fillText(operation, a + 4, y + height / 2 + 0.5);
    }
  }
}

// Where a block's warp begins its stay.
function draw_stays({context, view, paint}, row, window, {x0, x1, y, height}) {
  let last = -10;
  for (const stay of row.stays) {
    const x = view.x_of(stay.from);
    if (stay.from < window.from || stay.from > window.until || x < x0 || x > x1 || x - last < 4) {
      continue;
    }
    context.fillStyle = paint.page().ink;
    context.fillRect(Math.round(x) - 1, y, x - last > 30 ? 2 : 1, height);
    last = x;
  }
}
