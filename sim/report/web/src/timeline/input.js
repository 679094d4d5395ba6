// Pointer, wheel and keys on the canvas.

export function listen(canvas, {view, layout, timeline, place, move_cursor}) {
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };
  const place_at = ({x, y}) => ({...layout.at(y), cycle: Math.min(Math.max(view.cycle_of(x), view.from), view.until - 1e-6)});
  let grabbed = null;

  canvas.addEventListener('wheel', (event) => {
    const whole_run = view.until - view.from >= timeline.end;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      view.pan(event.deltaX * view.cycles_per_pixel());
    } else if (event.deltaY < 0 || !whole_run) {
      view.zoom(Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY * 0.0025))), view.cycle_of(at(event).x));
    } else {
      return;  // nothing to zoom out to: the page scrolls
    }
    event.preventDefault();
  }, {passive: false});

  canvas.addEventListener('pointerdown', (event) => {
    grabbed = {...at(event), from: view.from, until: view.until};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (grabbed !== null && Math.abs(at(event).x - grabbed.x) > 2) {
      const cycles = (grabbed.x - at(event).x) * (grabbed.until - grabbed.from) / view.width;
      view.set(grabbed.from + cycles, grabbed.until + cycles);
    }
    move_cursor(place_at(at(event)));
  });
  for (const end of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(end, () => {
      grabbed = null;
    });
  }
  canvas.addEventListener('dblclick', (event) => view.zoom(0.4, view.cycle_of(at(event).x)));

  const rows = layout.rows * layout.lanes;
  const step_row = (by) => {
    const now = place() ?? {lane: 0, row: 0, cycle: view.from};
    const next = Math.min(rows - 1, Math.max(0, now.lane * layout.rows + now.row + by));
    move_cursor({...now, lane: Math.floor(next / layout.rows), row: next % layout.rows});
  };
  const step_cycle = (pixels) => {
    const now = place() ?? {lane: 0, row: 0, cycle: view.from};
    const by = Math.sign(pixels) * Math.max(1, Math.abs(pixels) * view.cycles_per_pixel());
    const cycle = Math.min(timeline.end - 1, Math.max(0, Math.floor(now.cycle + by)));
    view.show(cycle);
    move_cursor({...now, cycle});
  };
  const middle = () => (place() !== null && place().cycle >= view.from && place().cycle < view.until ? place().cycle : (view.from + view.until) / 2);
  const span = () => view.until - view.from;
  const keys = {
    'ArrowLeft': (event) => (event.shiftKey ? view.pan(-span() / 5) : step_cycle(-1)),
    'ArrowRight': (event) => (event.shiftKey ? view.pan(span() / 5) : step_cycle(1)),
    'ArrowUp': () => step_row(-1),
    'ArrowDown': () => step_row(1),
    'PageUp': () => view.pan(-span() * 0.9),
    'PageDown': () => view.pan(span() * 0.9),
    'Home': () => view.set(0, span()),
    'End': () => view.set(timeline.end - span(), timeline.end),
    '+': () => view.zoom(0.5, middle()),
    '=': () => view.zoom(0.5, middle()),
    '-': () => view.zoom(2, middle()),
    '0': () => view.set(0, timeline.end),
  };
  canvas.addEventListener('keydown', (event) => {
    if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      keys[event.key](event);
      event.preventDefault();
    }
  });
}
