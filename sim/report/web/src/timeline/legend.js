// The states that occur, as buttons: choosing one highlights it.
import {h} from '../dom.js';
import {swatch} from '../hatching.js';
import {in_order, state} from '../states.js';

export function make_legend(timeline, chosen, redraw) {
  const used = new Set(timeline.lanes.flatMap((lane) => [...Object.keys(lane.states),
    ...lane.rows.flatMap((row) => [...new Set(row.state)].map((index) => timeline.states[index]))]));
  const buttons = in_order(used).map((name) => h('button', {
    'data-state': name, 'aria-pressed': 'false', title: `The warp ${state(name).meaning}`,
    onclick: () => {
      chosen.choose_state(name);
      refresh();
      redraw();
    },
  }, swatch(name), ` ${name}`));
  const refresh = () => buttons.forEach((button) =>
    button.setAttribute('aria-pressed', String(button.dataset.state === chosen.name())));
  return {node: h('div', {class: 'legend', role: 'group', 'aria-label': 'States: choose one to highlight it'}, buttons), refresh};
}
