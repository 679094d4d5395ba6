// Colours for the canvas, which knows no CSS variables.
import {canvas_fill} from '../hatching.js';

export function make_paint(context) {
  const known = new Map();
  let page = {};
  return {
    refresh: () => {
      const style = getComputedStyle(document.documentElement);
      const read = (name) => style.getPropertyValue(name).trim();
      page = {ink: read('--ink'), paper: read('--paper'), faint: read('--line'), ground: read('--ground'), soft: read('--ink-2')};
    },
    page: () => page,
    state: (name) => {
      if (!known.has(name)) {
        known.set(name, canvas_fill(context, name));
      }
      return known.get(name);
    },
  };
}
