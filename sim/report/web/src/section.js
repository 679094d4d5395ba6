// A section of the page: one for each question, with one column a run.
import {h} from './dom.js';

// What stands where a chart needs more than the document has.
export function needs_timeline(run) {
  return missing(run.document.launch_failure ? 'Nothing ran, so there is nothing to show over time.' :
    'This document has no timeline: smsim run ... --format json --timeline writes one, and so does --html.');
}

export function section(id, title, intro, ...children) {
  return h('section', {id, 'aria-labelledby': `${id}-title`},
    h('h2', {id: `${id}-title`}, title), intro ? h('p', {class: 'intro'}, intro) : null, children);
}

export function missing(text) {
  return h('p', {class: 'missing'}, text);
}

// One column for each run; `content` makes it of a run. Two runs are named A and B.
export function sides(runs, content) {
  return h('div', {class: runs.length > 1 ? 'sides' : 'alone'}, runs.map((run) =>
    h('div', {class: 'side'}, run_heading(run), content(run))));
}

// The same, one under the other: for what is too wide for half a page.
export function stacked(runs, content) {
  return runs.map((run) => h('div', {class: 'side'}, run_heading(run), content(run)));
}

function run_heading(run) {
  return run.letter === '' ? null : h('h3', {class: 'run'}, h('span', {class: `letter letter-${run.letter}`}, run.letter), ` ${run.name}`,
    run.differs === '' ? null : h('span', {class: 'differs'}, ` ${run.differs}`));
}
