// The look of a state as an SVG paint, a canvas pattern and a legend's swatch.
import {state, STATES} from './states.js';

const size = 6;
const lines = {
  '/': [[-1, 7, 7, -1], [-1, 1, 1, -1], [5, 7, 7, 5]],
  'x': [[0, 0, 6, 6], [0, 6, 6, 0]],
  '.': [[2, 3, 4, 3]],
};

const svg_ns = 'http://www.w3.org/2000/svg';

function svg(tag, attributes, ...children) {
  const node = document.createElementNS(svg_ns, tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

// Patterns that every chart of the page refers to.
export function hatching_defs() {
  const patterns = [...STATES.values()].filter((one) => one.hatch !== '').map((one) =>
    svg('pattern', {id: `look-${one.name}`, width: size, height: size, patternUnits: 'userSpaceOnUse'},
      svg('rect', {width: size, height: size, fill: one.colour}),
      ...lines[one.hatch].map(([x1, y1, x2, y2]) =>
        svg('line', {x1, y1, x2, y2, stroke: one.ink, 'stroke-width': one.hatch === '.' ? 2 : 1.3}))));
  return svg('svg', {width: 0, height: 0, 'aria-hidden': 'true', class: 'defs'}, svg('defs', {}, ...patterns));
}

export function svg_fill(name) {
  const look = state(name);
  return look.hatch === '' || !STATES.has(name) ? look.colour : `url(#look-${name})`;
}

export function canvas_fill(context, name) {
  const look = state(name);
  if (look.hatch === '') {
    return look.colour;
  }
  const tile = document.createElement('canvas');
  tile.width = tile.height = size;
  const pen = tile.getContext('2d');
  pen.fillStyle = look.colour;
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = look.ink;
  pen.lineWidth = look.hatch === '.' ? 2 : 1.3;
  for (const [x1, y1, x2, y2] of lines[look.hatch]) {
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  }
  return context.createPattern(tile, 'repeat');
}

export function swatch(name) {
  const node = svg('svg', {class: 'swatch', width: 16, height: 16, 'aria-hidden': 'true'});
  node.append(svg('rect', {width: 16, height: 16, rx: 2, fill: svg_fill(name)}));
  return node;
}
