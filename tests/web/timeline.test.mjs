// The canvas: drawn, zoomed, read by pointer and keys, and linked with the instructions.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {frames, open, sound} from './browser.mjs';
import {make_page} from './smsim.mjs';

const {path, documents: [document]} = make_page('timeline', ['sgemm_tiled']);
const {timeline} = document;

async function colours(page) {
  return page.$eval('canvas.warps', (canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const counts = {};
    for (let i = 0; i < data.length; i += 4) {
      const key = `${data[i]},${data[i + 1]},${data[i + 2]}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return Object.values(counts).filter((count) => count > 100).length;
  });
}

const range = (page) => page.$eval('.range', (node) => node.textContent);
const answer = (page) => page.$eval('.why', (node) => node.textContent);
async function press(page, text) {
  await page.$$eval('.timeline .buttons button', (buttons, wanted) => buttons.find((button) => button.textContent === wanted).click(), text);
  await frames(page);
}
async function box(page) {
  const canvas = await page.$('canvas.warps');
  await canvas.scrollIntoView();
  return canvas.boundingBox();
}

test('single cycles and sums are drawn in the colours of their states', async () => {
  for (const [width, scheme] of [[1280, 'light'], [400, 'dark']]) {
    const tab = await open(path, {width, scheme});
    for (const view of ['First window', 'Whole run', 'Last window']) {
      await press(tab.page, view);
      assert.ok(await colours(tab.page) >= 5, `${view} at ${width}`);
    }
    await sound(tab);
    await tab.page.close();
  }
});

test('buttons, wheel, dragging and keys zoom and pan', async () => {
  const tab = await open(path);
  const {page} = tab;
  await press(page, 'Whole run');
  const seen = [await range(page)];
  const {x, y, width} = await box(page);
  const steps = [
    () => press(page, '+'),
    async () => {
      await page.mouse.move(x + width / 2, y + 200);
      await page.mouse.wheel({deltaY: -400});
    },
    async () => {
      await page.mouse.down();
      await page.mouse.move(x + width / 2 - 150, y + 200, {steps: 3});
      await page.mouse.up();
    },
    () => page.focus('canvas.warps').then(() => page.keyboard.press('+')),
    () => page.keyboard.press('Home'),
    () => page.keyboard.press('End'),
    () => page.keyboard.press('-'),
  ];
  for (const step of steps) {
    await step();
    await frames(page);
    seen.push(await range(page));
  }
  assert.equal(new Set(seen).size, seen.length, seen.join('; '));
  await page.keyboard.press('0');
  await frames(page);
  assert.equal(await range(page), seen[0]);
  await sound(tab);
  await page.close();
});

// The keys go to a cycle; what is said there must be what the document says.
test('the answer to "why" is that of the document', async () => {
  const {page} = await open(path);
  await press(page, 'First window');
  await page.focus('canvas.warps');
  await page.keyboard.press('ArrowDown');
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(i % 3 === 0 ? 'ArrowDown' : 'ArrowRight');
    const text = await answer(page);
    const found = /Cycle ([\d,]+): block ([\d,]+), warp (\d+) \(scheduler (\d), slot (\d+)\)(\w+) from/.exec(text);
    if (!found) {
      assert.match(text, /no warp/);
      continue;
    }
    const [cycle, block, warp, scheduler, slot] = found.slice(1, 6).map((part) => Number(part.replaceAll(',', '')));
    const stay = timeline.warps.find((one) => one.block === block && one.warp === warp && one.scheduler === scheduler && one.slot === slot);
    const interval = interval_at(stay, cycle);
    assert.equal(found[6], timeline.states[interval.state], text);
    const under_way = timeline.flights.filter(([from, until, index]) =>
      index === timeline.warps.indexOf(stay) && from < interval.until && cycle < until).length;
    assert.equal(Number(/requests under way: (\d+)/.exec(text)?.[1] ?? 0), under_way, text);
  }
  await page.close();
});

function interval_at(stay, cycle) {
  for (const [start, ...triples] of stay.intervals) {
    let at = start;
    for (let i = 0; i < triples.length; i += 3) {
      at += triples[i];
      if (cycle >= start && cycle < at) {
        return {state: triples[i + 1], until: at};
      }
    }
  }
  return null;
}

test('sums are told apart from single cycles', async () => {
  const {page} = await open(path);
  const kept = await page.$eval('.kept', (node) => node.textContent);
  assert.match(kept, new RegExp(`only sums of ${timeline.bin_cycles.toLocaleString('en-US')} cycles`));
  await press(page, 'Whole run');
  const {x, y, width} = await box(page);
  await page.mouse.move(x + width / 2, y + 100);
  await frames(page);
  assert.match(await answer(page), /warps on average.*only sums are kept/s);
  await page.close();
});

test('an instruction of the table is shown in the timeline', async () => {
  const tab = await open(path);
  const {page} = tab;
  const slowest = document.instructions.reduce((a, b) => (b.warp_cycles > a.warp_cycles ? b : a));
  await page.$eval(`#instructions tr[data-pc="${slowest.pc}"] button`, (button) => button.click());
  await frames(page);
  assert.ok((await answer(page)).includes(slowest.text), await answer(page));
  await sound(tab);
  await page.close();
});

test('a state of the legend is highlighted, and again is not', async () => {
  const {page} = await open(path);
  const before = await colours(page);
  const pressed = () => page.$$eval('.timeline .legend button', (buttons) => buttons.filter((button) => button.ariaPressed === 'true').length);
  const click = async () => {
    await page.$eval('.timeline .legend button[data-state=wait]', (button) => button.click());
    await frames(page);
  };
  await click();
  assert.equal(await pressed(), 1);
  await click();
  assert.equal(await pressed(), 0);
  assert.equal(await colours(page), before);
  await page.close();
});
