// Which cycles the canvas shows, and the way between cycles and pixels.

const fewest = 16;  // cycles on the screen

export function make_view(end) {
  const view = {from: 0, until: end, left: 0, width: 1, end};
  const changed = [];

  function set(from, until) {
    const span = Math.min(Math.max(until - from, Math.min(fewest, end)), end);
    view.from = Math.min(Math.max(from, 0), end - span);
    view.until = view.from + span;
    changed.forEach((listener) => listener());
  }

  return Object.assign(view, {
    set,
    on_change: (listener) => changed.push(listener),
    x_of: (cycle) => view.left + (cycle - view.from) / (view.until - view.from) * view.width,
    cycle_of: (x) => view.from + (x - view.left) / view.width * (view.until - view.from),
    cycles_per_pixel: () => (view.until - view.from) / view.width,
    // Zooms by the factor; what is at this cycle stays where it is.
    zoom: (factor, at) => {
      const span = Math.min(Math.max((view.until - view.from) * factor, Math.min(fewest, end)), end);
      const share = (at - view.from) / (view.until - view.from);
      set(at - share * span, at + (1 - share) * span);
    },
    pan: (cycles) => set(view.from + cycles, view.until + cycles),
    show: (cycle) => {
      if (cycle < view.from || cycle >= view.until) {
        const span = view.until - view.from;
        set(cycle - span / 2, cycle + span / 2);
      }
    },
  });
}
