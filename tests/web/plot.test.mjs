// Pages of plots: every series of the study is drawn, named and listed.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {open, sound} from './browser.mjs';
import {in_folder, smsim} from './smsim.mjs';

const study = in_folder('study.yaml');
const database = in_folder('study.db');
const path = in_folder('plot.html');
writeFileSync(study, 'kernel: saxpy\nset: {params.n: 65536}\ngpus: [h200, a100, l4]\naxes: {params.block: [64, 128, 256]}\n');
const rows = JSON.parse(smsim('sweep', study, '--db', database, '--json'));
smsim('plot', database, '--x', 'params.block', '--y', 'gpc__cycles_elapsed.max', '--by', 'gpu', '--title', 'A <b> & "c"', '--html', path);

for (const [width, scheme] of [[1280, 'dark'], [400, 'light']]) {
  test(`three lines, nine points and their numbers at ${width} pixels, ${scheme}`, async () => {
    const tab = await open(path, {width, scheme});
    await sound(tab);
    assert.equal(await tab.page.$eval('h1', (node) => node.textContent), 'A <b> & "c"');
    const names = await tab.page.$$eval('ul.legend li', (nodes) => nodes.map((node) => node.textContent.trim()));
    assert.deepEqual(names, ['gpu', 'h200', 'a100', 'l4']);
    const strokes = await tab.page.$$eval('figure.chart svg g[aria-label="line"]', (nodes) => nodes.map((node) => node.getAttribute('stroke')));
    assert.equal(new Set(strokes).size, 3);
    assert.equal((await tab.page.$$('figure.chart svg g[aria-label="dot"] circle')).length, rows.length);
    const cells = await tab.page.$$eval('#numbers tbody tr', (nodes) => nodes.map((node) => [...node.children].map((cell) => cell.textContent)));
    assert.deepEqual(cells, rows.map((row) => [row.gpu, String(row['params.block']), row['gpc__cycles_elapsed.max'].toLocaleString('en-US')]));
    await tab.page.close();
  });
}
