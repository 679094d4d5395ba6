// One column of a study over another, a line for each value of a third.
import * as Plot from '@observablehq/plot';
import {chart, style} from './charts.js';
import {h, number_cell, table} from './dom.js';
import {number, short, tick} from './format.js';
import {section} from './section.js';

const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#888888', '#8c6d1f'];
const colour_of = (i) => colours[i % colours.length];
const dashes_of = (i) => ['none', '6 3', '2 3', '8 3 2 3'][Math.floor(i / colours.length) % 4];

export function plot_page(plot) {
  const y_name = plot.y_unit ? `${plot.y} [${plot.y_unit}]` : plot.y;
  const notes = [
    plot.where.length > 0 ? `Only rows with ${plot.where.join(' and ')}.` : null,
    plot.several_per_x ? 'Several points share one x, as other inputs vary: lines go through their medians.' : null,
    plot.left_out > 0 ? `${plot.left_out} points could not run, or have no such value, and are left out.` : null,
  ].filter((note) => note !== null);
  return h('div', {class: 'page'}, h('header', {}, h('h1', {}, plot.title), notes.map((note) => h('p', {class: 'small'}, note))),
    h('main', {}, chart(`${y_name} over ${plot.x}`, (width) => draw(plot, y_name, width)), legend(plot), numbers_section(plot, y_name)));
}

const x_of = (plot, x) => plot.categories.length > 0 ? plot.categories[x] : x;

function draw(plot, y_name, width) {
  const named = (key) => plot.series.flatMap((one, i) => one[key].map(([x, y]) => ({x: x_of(plot, x), y, i, name: one.name})));
  const category = plot.categories.length > 0;
  return Plot.plot({
    width, style, height: Math.max(360, Math.min(560, width * 0.55)), marginLeft: 70, marginBottom: category ? 110 : 50, marginRight: 24,
    x: {label: plot.x, ...(category ? {type: 'point', domain: plot.categories, tickRotate: -40} : {type: plot.log_x ? 'log' : 'linear', base: 2,
      tickFormat: tick, ticks: Math.max(3, Math.floor(width / 110)), nice: true}), grid: true},
    y: {label: y_name, type: plot.log_y ? 'log' : 'linear', tickFormat: (v) => short(v), zero: !plot.log_y, grid: true, nice: true},
    marks: [
      ...plot.series.map((one, i) => Plot.line(one.line.map(([x, y]) => ({x: x_of(plot, x), y})),
        {x: 'x', y: 'y', stroke: colour_of(i), strokeWidth: 2, strokeDasharray: dashes_of(i)})),
      Plot.dot(named('points'), {x: 'x', y: 'y', fill: (d) => colour_of(d.i), r: 3.5, title: (d) => `${d.name}\n${plot.x} ${d.x}\n${plot.y} ${number(d.y)}`, tip: true}),
    ],
  });
}

function legend(plot) {
  return plot.by === '' ? null : h('ul', {class: 'legend', 'aria-label': plot.by}, h('li', {}, h('b', {}, plot.by)), plot.series.map((one, i) =>
    h('li', {}, h('span', {class: 'line-swatch', style: `border-top: 3px ${i < colours.length ? 'solid' : 'dashed'} ${colour_of(i)}`}), ` ${one.name}`)));
}

function numbers_section(plot, y_name) {
  const rows = plot.series.flatMap((one) => one.points.map(([x, y]) =>
    h('tr', {}, h('th', {scope: 'row'}, one.name), number_cell(String(x_of(plot, x))), number_cell(number(y)))));
  return section('numbers', 'Numbers', null, table([plot.by || 'series', {text: plot.x, number: true}, {text: y_name, number: true}], rows, {label: 'Numbers'}));
}
