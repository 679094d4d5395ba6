// A table whose headings sort it.
import {h, table} from './dom.js';

const before = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);

// entries: [{node: a row, keys: what each column sorts by}]
export function sortable(columns, entries, label) {
  const node = table(columns.map((column, index) => {
    const about = typeof column === 'string' ? {text: column} : column;
    return {...about, text: h('button', {class: 'plain sort', onclick: () => sort(index)}, about.text)};
  }), entries.map((entry) => entry.node), {label});
  const body = node.querySelector('tbody');
  const headings = [...node.querySelectorAll('th[scope=col]')];

  function sort(index) {
    const up = headings[index].getAttribute('aria-sort') === 'descending' ||
      (headings[index].getAttribute('aria-sort') === null && typeof entries[0].keys[index] === 'string');
    headings.forEach((heading) => heading.removeAttribute('aria-sort'));
    headings[index].setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const sorted = [...entries].sort((a, b) => (up ? 1 : -1) * before(a.keys[index], b.keys[index]));
    body.replaceChildren(...sorted.map((entry) => entry.node));
  }
  return node;
}
