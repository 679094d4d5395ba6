// Two runs side by side, and names that try to be more than names.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {open, sound} from './browser.mjs';
import {data_of, in_folder, make_page, smsim, write} from './smsim.mjs';

test('two runs: both verdicts, differences of metrics, two timelines', async () => {
  const {path, size, documents: [a, b]} = make_page('two', ['saxpy', '--set', 'params.n=8388608'], ['saxpy', '--set', 'params.n=8388608', '--set', 'params.block=1024']);
  assert.deepEqual(data_of(path).runs, [a, b]);
  assert.ok(size < 4 << 20, `${size} bytes`);
  for (const width of [1280, 400]) {
    const tab = await open(path, {width});
    await sound(tab);
    const summaries = await tab.page.$$eval('header .verdict .summary', (nodes) => nodes.map((node) => node.textContent));
    assert.deepEqual(summaries, [a.verdict.summary, b.verdict.summary]);
    assert.equal((await tab.page.$$('canvas.warps')).length, 2);
    const cells = await tab.page.$$eval('tr[data-metric="launch__block_size"] td', (nodes) => nodes.map((node) => node.textContent));
    assert.deepEqual(cells.slice(0, 3), ['256', '1,024', '+300.0 %']);
    await tab.page.close();
  }
});

test('one command makes the page of a run', async () => {
  smsim('run', 'block_reduce', '--set', 'params.n=65536', '--html', in_folder('one.html'));
  const tab = await open(in_folder('one.html'));
  await sound(tab);
  await tab.page.close();
});

test('names with markup are shown, not obeyed', async () => {
  const evil = '</script><img src=x onerror="alert(1)"><script>alert(2)</script>';
  const document = JSON.parse(smsim('run', 'block_reduce', '--set', 'params.n=65536', '--format', 'json', '--timeline', '--instructions'));
  document.kernel = evil;
  document.gpu_title = evil;
  document.notes.push(evil);
  document.verdict.summary = evil;
  document.instructions[0].text = evil;
  document.configuration.kernel_file = evil;
  smsim('report', write('evil.json', JSON.stringify(document)), '--html', in_folder('evil.html'));
  const tab = await open(in_folder('evil.html'));
  await sound(tab);
  assert.equal(await tab.page.$('img'), null);
  assert.ok((await tab.page.$eval('h1', (node) => node.textContent)).includes(evil));
  await tab.page.close();
  const plain = await open(in_folder('evil.html'), {scripts: false});
  assert.equal(await plain.page.$('img'), null);
  assert.ok((await plain.page.$eval('#smsim-static', (node) => node.textContent)).includes(evil));
  await plain.page.close();
});
