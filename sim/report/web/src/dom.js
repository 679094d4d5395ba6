// Elements from text that is never read as markup.

export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      node.addEventListener(name.slice(2), value);
    } else {
      node.setAttribute(name, value === true ? '' : value);
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// Listens for what is typed into a search field and hides the rows that do not hold it.
export function filter_field(label, rows) {
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const count = h('output', {}, '');
  const input = h('input', {
    type: 'search',
    'aria-label': label,
    placeholder: label,
    oninput: () => {
      const wanted = input.value.trim().toLowerCase();
      let shown = 0;
      rows.forEach((row, i) => {
        row.hidden = !texts[i].includes(wanted);
        shown += row.hidden ? 0 : 1;
      });
      count.textContent = wanted === '' ? '' : ` ${shown} of ${rows.length} rows`;
    },
  });
  return h('p', {class: 'filter'}, input, count);
}

export function table(columns, rows, options = {}) {
  const head = columns.map((column) => {
    const {text, number = false, attributes = {}} = typeof column === 'string' ? {text: column} : column;
    return h('th', {scope: 'col', class: number ? 'number' : null, ...attributes}, text);
  });
  return h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': options.label ?? 'Table'},
    h('table', {class: options.class}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, rows)));
}

export function number_cell(text) {
  return h('td', {class: 'number'}, text);
}
