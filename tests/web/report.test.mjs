// Reports of different kernels: whole, without errors, and with the numbers of the JSON report.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {number_in, open, sound} from './browser.mjs';
import {data_of, DEADLOCK, in_folder, make_page, smsim, write} from './smsim.mjs';

const kernels = [
  ['saxpy', 'saxpy'],
  ['sgemm_tiled', 'sgemm_tiled'],
  ['persistent_queue', 'persistent_queue'],
  ['block_reduce', 'block_reduce', '--set', 'params.n=65536'],
  ['stuck', write('stuck.yaml', DEADLOCK)],
  ['too_big', 'saxpy', '--set', 'launch.registers=255', '--set', 'params.block=1024'],
];
const pages = new Map(kernels.map(([name, ...words]) => [name, make_page(name, words)]));

// Two decimals are shown of what is not whole, three digits of what is small.
function close(shown, value) {
  return shown === null || value === null ? shown === value :
    Math.abs(shown - value) <= Math.max(0.00501, Math.abs(value) >= 100000 ? 0.5 : 0) || Math.abs(shown - value) <= Math.abs(value) * 0.006;
}

for (const [name, {path, size, documents: [document]}] of pages) {
  test(`${name}: the page holds the document, in a file of a fair size`, () => {
    assert.deepEqual(data_of(path), {kind: 'report', runs: [document]});
    assert.ok(size < 2 << 20, `${size} bytes`);
  });

  for (const [width, scheme] of [[1280, 'light'], [400, 'dark']]) {
    test(`${name}: no error, no request, no overflow at ${width} pixels, ${scheme}`, async () => {
      const tab = await open(path, {width, scheme});
      await sound(tab);
      const sections = await tab.page.$$eval('section h2', (nodes) => nodes.map((node) => node.textContent));
      assert.equal(sections.length, 11);
      assert.equal(await tab.page.$('#smsim-static'), null);
      await tab.page.close();
    });
  }

  test(`${name}: metrics are those of the JSON report`, async () => {
    const {page} = await open(path);
    const shown = await page.$$eval('#metrics tr[data-metric]', (rows) => rows.map((row) => [row.dataset.metric, row.querySelector('.value').textContent]));
    assert.deepEqual(shown.map(([metric]) => metric), Object.keys(document.metrics));
    for (const [metric, text] of shown) {
      assert.ok(close(number_in(text), document.metrics[metric]), `${metric}: ${text} for ${document.metrics[metric]}`);
    }
    const summary = await page.$eval('header .summary', (node) => node.textContent);
    if (document.status === 'completed') {
      assert.equal(summary, document.verdict.summary);
    }
    await page.close();
  });

  test(`${name}: without scripts the tables are there`, async () => {
    const {page, problems} = await open(path, {scripts: false});
    const text = await page.$eval('#smsim-static', (node) => node.textContent);
    const captions = await page.$$eval('#smsim-static h2', (nodes) => nodes.map((node) => node.textContent));
    assert.ok(captions.includes('Metrics') && captions.includes('Occupancy limits'), captions.join());
    assert.ok(text.includes('gpc__cycles_elapsed.max'));
    if (document.status === 'completed') {
      assert.ok(text.includes(document.verdict.summary));
      assert.ok(captions.includes('Instructions') && captions.includes('Where a warp\'s time goes'));
    }
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('instructions: issues are those of the JSON report, headings sort', async () => {
  const {path, documents: [document]} = pages.get('sgemm_tiled');
  const {page} = await open(path);
  const column = (n) => page.$$eval(`#instructions tbody tr`, (rows, k) => rows.map((row) => row.children[k].textContent), n);
  assert.deepEqual((await column(3)).map(number_in), document.instructions.map((row) => row.issued));
  await page.$$eval('#instructions th .sort', (buttons) => buttons[3].click());
  const sorted = (await column(3)).map(number_in);
  assert.deepEqual(sorted, [...sorted].sort((a, b) => b - a));
  await page.close();
});

test('warp states: the shares of the GPU add up to its warp-cycles', async () => {
  const {path, documents: [document]} = pages.get('block_reduce');
  const {page} = await open(path);
  const shown = await page.$$eval('#stalls tbody tr', (rows) => rows.map((row) => [row.children[0].textContent.trim(), row.children[2].textContent]));
  for (const [state, text] of shown) {
    const cycles = document.instructions.reduce((sum, row) => sum + (row.states[state] ?? 0), 0);
    assert.equal(number_in(text), cycles, state);
  }
  await page.close();
});

test('a deadlock says which warps wait for what', async () => {
  const {path, documents: [document]} = pages.get('stuck');
  assert.equal(document.status, 'deadlock');
  const {page} = await open(path);
  const text = await page.$eval('.failure', (node) => node.textContent);
  assert.ok(text.includes(document.deadlock.explanation) && text.includes(document.deadlock.waits[0].waits_for), text);
  await page.close();
});

test('a launch failure says what would fit', async () => {
  const {path, documents: [document]} = pages.get('too_big');
  const {page} = await open(path);
  const text = await page.$eval('.failure', (node) => node.textContent);
  assert.ok(text.includes(document.launch_failure.explanation), text);
  await page.close();
});

test('a document without a timeline says in each section what it would need', async () => {
  const json = write('plain.json', smsim('run', 'saxpy', '--format', 'json'));
  smsim('report', json, '--html', in_folder('plain.html'));
  const tab = await open(in_folder('plain.html'));
  await sound(tab);
  for (const id of ['eligible', 'waves', 'timeline', 'occupancy', 'instructions', 'configuration']) {
    assert.match(await tab.page.$eval(`#${id}`, (node) => node.textContent), /--timeline|--instructions/);
  }
  await tab.page.close();
});

test('metrics and configuration are searched', async () => {
  const {page} = await open(pages.get('saxpy').path);
  await page.type('#metrics input', 'occupancy');
  const shown = await page.$$eval('#metrics tbody tr', (rows) => rows.filter((row) => !row.hidden).map((row) => row.textContent.toLowerCase()));
  assert.ok(shown.length > 0 && shown.every((text) => text.includes('occupancy')));
  await page.close();
});
