// A lesson: question, kernel, what is changed, what came of it, and why.
import * as Plot from '@observablehq/plot';
import {bars, chart, style} from './charts.js';
import {h, number_cell, table} from './dom.js';
import {number, short} from './format.js';
import {hatching_defs, svg_fill, swatch} from './hatching.js';
import {section} from './section.js';
import {in_order, state} from './states.js';

export function lesson_page(data) {
  const lesson = data.lesson;
  return h('div', {class: 'page lesson'}, hatching_defs(),
    h('header', {}, h('p', {class: 'maker'}, `smsim ${lesson.smsim_version}, lesson ${lesson.number}, simulated on ${lesson.gpu_title}`),
      h('h1', {}, lesson.title), h('p', {class: 'summary'}, lesson.question)),
    h('main', {}, kernel_section(lesson), predict_section(lesson), result_section(lesson), text_section('look', 'Look at', lesson.look_at),
      text_section('why', 'Why', lesson.reason), checked_section(lesson), measured_section(lesson), try_section(lesson), ask_section(lesson)));
}

function paragraphs(text) {
  return text.split('\n').filter((line) => line !== '').map((line) => h('p', {}, line));
}

function text_section(id, title, text) {
  return text === '' ? null : section(id, title, null, paragraphs(text));
}

function kernel_section(lesson) {
  return section('kernel', 'The kernel', null, h('pre', {tabindex: 0}, lesson.kernel), h('h3', {}, 'What is changed'), paragraphs(lesson.change));
}

function predict_section(lesson) {
  return lesson.predict === '' ? null : section('predict', 'Predict first', null, paragraphs(lesson.predict));
}

function value_text(value, unit) {
  const text = Math.abs(value) >= 1e6 ? short(value) : number(value);
  return value === null ? 'none' : text;
}

function result_section(lesson) {
  const head = ['', ...lesson.columns.map((column) => ({text: `${column.title}${column.unit === '' ? '' : `, ${column.unit}`}`, number: true}))];
  const rows = lesson.variants.map((variant) => h('tr', {}, h('th', {scope: 'row'}, variant.label),
    variant.values.map((value) => number_cell(value_text(value)))));
  const ended = lesson.variants.filter((variant) => variant.status !== 'completed');
  return section('result', 'Result', null, table(head, rows, {label: 'Result'}),
    ended.map((variant) => h('p', {class: 'failure'}, h('b', {}, `${variant.label}: `), variant.summary)),
    lesson.charts.map((wanted) => wanted.kind === 'states' ? states_chart(lesson) : bars_chart(lesson, wanted)));
}

// Simulated bars; a ring where the real GPU was.
function bars_chart(lesson, wanted) {
  const column = lesson.columns[wanted.column];
  const title = `${wanted.title || column.title}${column.unit === '' ? '' : ` [${column.unit}]`}`;
  const rows = lesson.variants.map((variant) => ({
    name: variant.label, value: variant.values[wanted.column] ?? 0, text: value_text(variant.values[wanted.column]),
  }));
  const measured = lesson.measured.filter((point) => point.metric === column.metric && point.variant !== null)
    .map((point) => ({name: lesson.variants[point.variant].label, value: point.value}));
  const most = Math.max(...rows.map((row) => row.value), ...measured.map((point) => point.value), 1e-9);
  const ring = Plot.dot(measured, {x: 'value', y: 'name', r: 6, stroke: 'var(--warm)', strokeWidth: 2.5, fill: 'var(--paper)'});
  return [h('h4', {}, title), chart(title, (width) => bars(width, rows, {most, text_gap: 12, marks: measured.length > 0 ? [ring] : []})),
    measured.length > 0 ? h('p', {class: 'small'}, 'Rings: measured on the real GPU.') : null];
}

// Where the time of warps goes, one bar a variant.
function states_chart(lesson) {
  const rows = lesson.variants.flatMap((variant) => {
    let until = 0;
    return in_order(Object.keys(variant.stalls)).filter((name) => variant.stalls[name] > 0)
      .map((name) => ({who: variant.label, name, cycles: variant.stalls[name], from: until, until: until += variant.stalls[name]}));
  });
  const used = in_order(new Set(rows.map((row) => row.name)));
  const longest = Math.max(...lesson.variants.map((variant) => variant.label.length));
  const draw = (width) => Plot.plot({
    width, style,
    height: lesson.variants.length * 34 + 54, marginLeft: Math.min(longest * 7.4 + 12, width * 0.42), marginRight: 16, marginBottom: 42,
    x: {label: 'cycles per issued instruction', ticks: Math.max(2, Math.floor(width / 150)), grid: true},
    y: {domain: lesson.variants.map((variant) => variant.label), label: null, tickSize: 0},
    marks: [Plot.barX(rows, {x1: 'from', x2: 'until', y: 'who', fill: (row) => svg_fill(row.name), insetTop: 4, insetBottom: 4,
      title: (row) => `${row.name}: ${number(row.cycles)} cycles\n${state(row.name).meaning}`})],
  });
  return [h('h4', {}, 'What warps do between two of their instructions'), chart('Warp states of every variant', draw),
    h('ul', {class: 'legend'}, used.map((name) => h('li', {}, swatch(name), ` ${name}`)))];
}

function checked_section(lesson) {
  const rows = lesson.expect.map((one) => h('li', {}, h('b', {}, one.holds ? 'seen: ' : 'NOT seen: '), `${one.text} (${one.found})`));
  return rows.length === 0 ? null : section('checked', 'Checked by the simulator', null, h('ul', {}, rows));
}

function measured_section(lesson) {
  if (lesson.measured.length === 0) {
    return null;
  }
  const rows = lesson.measured.map((point) => {
    const column = lesson.columns.findIndex((one) => one.metric === point.metric);
    const simulated = point.variant === null || column < 0 ? null : lesson.variants[point.variant].values[column];
    const error = simulated === null ? '' : `${(100 * (simulated / point.value - 1)).toFixed(1)} %`;
    return h('tr', {}, h('th', {scope: 'row'}, point.label ?? point.note), h('td', {}, column < 0 ? point.metric : lesson.columns[column].title),
      number_cell(simulated === null ? '' : value_text(simulated)), number_cell(value_text(point.value)), number_cell(error), h('td', {}, h('code', {}, point.source)));
  });
  const head = ['', 'metric', {text: 'smsim', number: true}, {text: 'GPU', number: true}, {text: 'error', number: true}, 'launch'];
  return section('measured', 'Measured on the real GPU', null, table(head, rows, {label: 'Measured'}));
}

function try_section(lesson) {
  const rows = lesson.try.map((one) => h('li', {}, h('code', {}, one.run), h('br'), one.why));
  return rows.length === 0 ? null : section('try', 'Try it yourself', null, h('ul', {class: 'commands'}, rows));
}

function ask_section(lesson) {
  return lesson.ask === '' ? null : section('question', 'A question for you', null, paragraphs(lesson.ask),
    h('details', {}, h('summary', {}, 'The answer'), paragraphs(lesson.answer)));
}
