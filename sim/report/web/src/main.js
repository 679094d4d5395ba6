// Reads the data in the page and shows it. Where anything fails, the tables that the page came with stay.
import {h} from './dom.js';
import {lesson_page} from './lesson_page.js';
import {plot_page} from './plot_page.js';
import {report_page} from './report_page.js';
import {unpack} from './unpack.js';

const pages = {report: report_page, lesson: lesson_page, plot: plot_page};

function show() {
  const place = document.getElementById('smsim-page');
  const fallback = document.getElementById('smsim-static');
  try {
    const data = unpack(JSON.parse(document.getElementById('smsim-data').textContent));
    place.append(pages[data.kind](data));
    fallback.remove();
    document.body.classList.add('ready');
  } catch (error) {
    console.error(error);
    place.replaceChildren(h('p', {class: 'missing'}, `The charts cannot be shown (${error.message}); the tables above are complete.`));
  }
}

show();
