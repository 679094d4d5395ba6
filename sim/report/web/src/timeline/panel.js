// The timeline with its overview, buttons, legend and the answer to "why".
import {h} from '../dom.js';
import {whole} from '../format.js';
import {swatch} from '../hatching.js';
import {make_chosen} from './chosen.js';
import {draw, stretches} from './draw.js';
import {draw_overview} from './draw_bins.js';
import {listen} from './input.js';
import {make_layout} from './layout.js';
import {make_legend} from './legend.js';
import {make_paint} from './paint.js';
import {make_view} from './view.js';
import {why} from './why.js';
import {longest_wait} from './find.js';

const strip = 34;  // height of the overview

export function timeline_panel(run) {
  const {timeline} = run;
  const canvas = h('canvas', {class: 'warps', tabindex: 0, role: 'img', 'aria-describedby': `keys-${run.letter}`,
    'aria-label': `Timeline of the warps of SM ${timeline.sm}. Arrow keys move the cursor, plus and minus zoom.`});
  const overview = h('canvas', {class: 'overview', 'aria-hidden': 'true', title: 'The whole run; the black bars are known cycle by cycle'});
  const answer = h('div', {class: 'why', 'aria-live': 'polite'}, h('p', {}, 'Point at a row, or focus the timeline and use the arrow keys.'));
  const range = h('output', {class: 'range'});
  const context = canvas.getContext('2d');
  const scene = {run, timeline, context, view: make_view(timeline.end), layout: make_layout(timeline.lanes),
    paint: make_paint(context), chosen: make_chosen(), cursor: null};
  const {view, chosen} = scene;

  let waiting = false;
  function redraw() {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        draw_all();
      });
    }
  }
  function draw_all() {
    scene.paint.refresh();
    draw(scene);
    const pen = overview.getContext('2d');
    draw_overview(pen, scene, overview.clientWidth, strip);
    range.textContent = `cycles ${whole(Math.floor(view.from))} to ${whole(Math.ceil(view.until))}`;
  }
  function fit() {
    const width = canvas.parentElement.clientWidth;
    if (width === 0) {
      return;
    }
    size(canvas, width, scene.layout.height);
    size(overview, width, strip);
    view.left = 20;
    view.width = width - view.left;
    redraw();
  }
  function move_cursor(place) {
    const x = view.x_of(place.cycle);
    const part = stretches(view, timeline).find(({x0, x1}) => x0 <= x && x < x1);
    const only_sums = part === undefined || part.window === null;
    scene.cursor = {...place, only_sums};
    tell(answer, why(run, place, only_sums));
    redraw();
  }

  const legend = make_legend(timeline, chosen, redraw);
  view.on_change(redraw);
  listen(canvas, {view, layout: scene.layout, timeline, place: () => scene.cursor, move_cursor});
  overview.addEventListener('pointerdown', (event) => go(event));
  overview.addEventListener('pointermove', (event) => (event.buttons > 0 ? go(event) : null));
  function go(event) {
    const box = overview.getBoundingClientRect();
    const middle = (event.clientX - box.left) / box.width * timeline.end;
    const half = (view.until - view.from) / 2;
    view.set(middle - half, middle + half);
  }
  view.set(...opening(timeline));

  const clear = h('button', {hidden: true, onclick: () => show_instruction(null)}, '');
  function show_instruction(pc) {
    chosen.choose_instruction(pc);
    legend.refresh();
    clear.hidden = pc === null;
    redraw();
    const place = pc === null ? null : longest_wait(timeline, pc);
    if (pc !== null) {
      clear.textContent = `${place === null ? 'not in the cycles kept: ' : ''}${run.instruction(pc).text} (end highlight)`;
    }
    if (place !== null) {
      const around = Math.max(200, place.length * 3);
      view.set(place.cycle - around / 3, place.cycle + around);
      move_cursor(place);
      canvas.scrollIntoView({block: 'nearest'});
    }
    return place !== null;
  }

  const node = h('div', {class: 'timeline'}, buttons(view, timeline, range), legend.node, clear, answer, overview, h('div', {class: 'frame'}, canvas),
    h('p', {class: 'small', id: `keys-${run.letter}`}, 'Wheel or + and - zoom, dragging or Shift with the arrow keys pans, arrow keys move the cursor, Home and End go to the ends, 0 shows the whole run. ' +
      'A narrow pixel shows the state that lasts longest in it; a dark line begins a block\'s stay; a solid line above marks cycles known one by one, a dashed one sums.'));
  new ResizeObserver(fit).observe(node);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  window.addEventListener('beforeprint', draw_all);
  return {node, show_instruction, view, scene};
}

// The first window, from shortly before its first warp: launching alone takes thousands of cycles.
function opening({windows, stays, end}) {
  const [first = {from: 0, until: end}] = windows;
  const begin = stays.reduce((least, stay) => Math.min(least, stay.from), first.until);
  return [Math.max(first.from, begin - (first.until - begin) / 40), first.until];
}

function size(canvas, width, height) {
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.getContext('2d').setTransform(density, 0, 0, density, 0, 0);
}

function buttons(view, timeline, range) {
  const middle = () => (view.from + view.until) / 2;
  const [first, last] = [timeline.windows[0], timeline.windows[timeline.windows.length - 1]];
  const button = (text, label, onclick) => h('button', {'aria-label': label, onclick}, text);
  const whole_known = timeline.gaps.length === 0;
  return h('div', {class: 'buttons'},
    button('+', 'Zoom in', () => view.zoom(0.5, middle())), button('\u2212', 'Zoom out', () => view.zoom(2, middle())),
    button('Whole run', 'Show the whole run', () => view.set(0, timeline.end)),
    first && !whole_known ? button(first === last ? 'Known cycles' : 'First window', 'Show the first cycles that are known one by one', () => view.set(first.from, first.until)) : null,
    last && last !== first ? button('Last window', 'Show the last cycles that are known one by one', () => view.set(last.from, last.until)) : null,
    range);
}

function tell(answer, {title, state, lines, requests = []}) {
  const paragraphs = (list) => list.map((line) => h('p', {}, line));
  answer.replaceChildren(h('div', {}, h('p', {class: 'title'}, state ? [swatch(state), ' '] : null, title), paragraphs(lines)),
    h('div', {class: 'requests'}, paragraphs(requests)));
}
