// A lesson: what is asked, what was simulated, and why it comes out like that.
import * as Plot from '@observablehq/plot';
import {bars, chart, style} from './charts.js';
import {h, number_cell, table} from './dom.js';
import {number, percent, short} from './format.js';
import {hatching_defs, svg_fill, swatch} from './hatching.js';
import {section} from './section.js';
import {in_order} from './states.js';

const paragraphs = (text) => text.split('\n').filter((line) => line !== '').map((line) => h('p', {}, line));

const words = (id, title, text) => text ? section(id, title, null, paragraphs(text)) : null;

// What a cell shows: numbers with three digits that count, words as they are.
const shown = (value) => typeof value === 'number' && Math.abs(value) >= 1e6 ? short(value) : number(value);

// The measured figures of a column, by variant; those of another GPU are left out.
function measured_in(lesson, column) {
  const points = lesson.measured.filter((point) => point.variant !== null && point.metric === column.metric && point.source.includes(`/${lesson.gpu}/`));
  return points.map((point) => ({name: point.label, value: point.value}));
}

function results_table(lesson) {
  const columns = lesson.columns.map((column) => ({text: column.unit ? `${column.title} [${column.unit}]` : column.title, number: column.metric !== 'largest_stall' && column.metric !== 'status', attributes: {title: column.definition || null}}));
  const rows = lesson.variants.map((variant) => h('tr', {}, h('th', {scope: 'row'}, variant.label),
    variant.values.map((value, i) => columns[i].number ? number_cell(shown(value)) : h('td', {}, value))));
  return table(['', ...columns], rows, {label: 'Results'});
}

function failures(lesson) {
  return lesson.variants.filter((variant) => variant.deadlock || variant.launch_failure).map((variant) => h('div', {class: 'failure'},
    h('p', {}, h('span', {class: 'status'}, variant.label), `: ${(variant.deadlock ?? variant.launch_failure).explanation}`),
    variant.deadlock ? h('ol', {}, variant.deadlock.wait_for_cycle.map((wait) => h('li', {}, wait))) : null));
}

function bars_chart(lesson, one) {
  const column = lesson.columns[one.column];
  const rows = lesson.variants.map((variant) => ({name: variant.label, value: variant.values[one.column] ?? 0, text: shown(variant.values[one.column])}));
  const points = measured_in(lesson, column);
  const most = Math.max(...[...rows, ...points].map((row) => row.value), 1e-9);
  const title = one.title || column.title;
  return [h('h3', {}, column.unit ? `${title} [${column.unit}]` : title),
    chart(`${title}: ${rows.map((row) => `${row.name} ${row.text}`).join(', ')}`, (width) => bars(width, rows, {most, text_gap: points.length > 0 ? 12 : 6,
      marks: [Plot.tickX(points, {x: 'value', y: 'name', stroke: 'var(--warm)', strokeWidth: 4, insetTop: 1, insetBottom: 1, title: (point) => `measured: ${shown(point.value)}`})]})),
    points.length > 0 ? h('p', {class: 'small'}, 'Bars are simulated; the strokes across them were measured on the real GPU.') : null];
}

function states_chart(lesson, one) {
  const pieces = lesson.variants.flatMap((variant) => {
    const all = Object.values(variant.stalls).reduce((a, b) => a + (b ?? 0), 0);
    let at = 0;
    return in_order(Object.keys(variant.stalls)).filter((name) => variant.stalls[name] > 0).map((name) => {
      const piece = {who: variant.label, name, from: at / all, until: (at + variant.stalls[name]) / all};
      at += variant.stalls[name];
      return piece;
    });
  });
  const longest = Math.max(...lesson.variants.map((variant) => variant.label.length));
  const title = one.title || 'Where the time of the warps goes';
  return [h('h3', {}, title), chart(title, (width) => Plot.plot({
    width, style, height: lesson.variants.length * 30 + 40, marginLeft: Math.min(longest * 7.4 + 12, width * 0.42), marginBottom: 32, marginRight: 16,
    x: {domain: [0, 100], percent: true, label: null, tickFormat: (v) => `${v} %`, ticks: 5},
    y: {domain: lesson.variants.map((variant) => variant.label), label: null, tickSize: 0},
    marks: [Plot.barX(pieces, {x1: 'from', x2: 'until', y: 'who', fill: (piece) => svg_fill(piece.name), insetTop: 3, insetBottom: 3,
      title: (piece) => `${piece.name}: ${percent(piece.until - piece.from)}`})],
  })), h('ul', {class: 'legend'}, in_order(new Set(pieces.map((piece) => piece.name))).map((name) => h('li', {}, swatch(name), ` ${name}`)))];
}

function checks(lesson) {
  return section('checks', 'What the simulator checked', null, h('ul', {}, lesson.expect.map((one) =>
    h('li', {class: one.holds ? null : 'status'}, `${one.holds ? 'Seen' : 'Not seen'}: ${one.text} (${one.found}).`))));
}

function measured_section(lesson) {
  if (lesson.measured.length === 0) {
    return null;
  }
  const value_of = (point) => {
    const column = lesson.columns.findIndex((one) => one.metric === point.metric);
    return point.variant === null || column < 0 ? null : lesson.variants[point.variant].values[column];
  };
  const rows = lesson.measured.map((point) => h('tr', {}, h('th', {scope: 'row', class: 'words'}, point.label ?? point.note), h('td', {}, h('code', {}, point.metric)),
    number_cell(shown(value_of(point))), number_cell(shown(point.value)), h('td', {}, h('code', {}, point.source))));
  return section('measured', 'Measured on a real GPU', null,
    table(['', 'metric', {text: 'smsim', number: true}, {text: 'GPU', number: true}, 'profile'], rows, {label: 'Measured figures'}));
}

function student_part(lesson) {
  const commands = lesson.try.map((one) => h('div', {}, one.why ? h('p', {}, `${one.why}:`) : null, h('pre', {}, one.run)));
  return [lesson.try.length > 0 ? section('try', 'Try it yourself', null, commands) : null,
    lesson.ask ? section('question', 'A question for you', null, paragraphs(lesson.ask),
      lesson.answer ? h('details', {}, h('summary', {}, 'The answer'), paragraphs(lesson.answer)) : null) : null];
}

export function lesson_page(lesson) {
  return h('div', {class: 'page lesson'}, hatching_defs(),
    h('header', {}, h('p', {class: 'maker'}, `smsim ${lesson.smsim_version}, ${lesson.gpu_title}`),
      h('h1', {}, `${lesson.number > 0 ? `Lesson ${lesson.number}: ` : ''}${lesson.title}`), h('p', {class: 'summary'}, lesson.question)),
    h('main', {},
      section('kernel', 'The kernel', null, h('pre', {}, lesson.kernel)),
      words('change', 'What is changed', lesson.change), words('predict', 'Predict first', lesson.predict),
      section('results', 'Result', null, results_table(lesson), failures(lesson),
        lesson.charts.map((one) => one.kind === 'bars' ? bars_chart(lesson, one) : states_chart(lesson, one))),
      words('look', 'Look at', lesson.look_at), words('why', 'Why', lesson.reason), checks(lesson), measured_section(lesson), student_part(lesson)));
}
