// Pages of lessons: whole, without errors, and with what the JSON says.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {open, sound} from './browser.mjs';
import {data_of, in_folder, smsim} from './smsim.mjs';

for (const name of ['ilp', 'barriers', 'deadlocks']) {
  const path = in_folder(`${name}.html`);
  const document = JSON.parse(smsim('lesson', name, '--format', 'json', '--html', path));

  test(`${name}: the page holds the document`, () => {
    assert.deepEqual(data_of(path), {kind: 'lesson', ...document});
  });

  for (const [width, scheme] of [[1280, 'light'], [400, 'dark']]) {
    test(`${name}: no error, no request, no overflow at ${width} pixels, ${scheme}`, async () => {
      const tab = await open(path, {width, scheme});
      await sound(tab);
      assert.equal(await tab.page.$('#smsim-static'), null);
      const charts = await tab.page.$$('figure.chart svg');
      assert.equal(charts.length, document.charts.length);
      const rows = await tab.page.$$eval('#results tbody tr', (nodes) => nodes.length);
      assert.equal(rows, document.variants.length);
      const text = await tab.page.$eval('main', (node) => node.textContent);
      assert.ok(text.includes(document.variants[0].label));
      await tab.page.close();
    });
  }
}
