// Headless Chromium without a network. Whatever goes wrong in a page is kept in `problems`.
import {after, before} from 'node:test';
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const puppeteer = createRequire(`${process.env.SMSIM_WEB_PACKAGES}/`)('puppeteer-core');
let browser;

before(async () => {
  browser = await puppeteer.launch({
    executablePath: process.env.SMSIM_CHROMIUM,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND'],
  });
});
after(() => browser?.close());

export async function open(path, {width = 1280, scheme = 'light', scripts = true} = {}) {
  const page = await browser.newPage();
  const problems = [];
  const url = pathToFileURL(path).href;
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => (message.type() === 'error' || message.type() === 'warning') && problems.push(message.text()));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const own = request.url().split('#')[0] === url || /^(data|blob):/.test(request.url());
    if (!own) {
      problems.push(`request: ${request.url()}`);
    }
  });
  await page.setViewport({width, height: 900});
  await page.setJavaScriptEnabled(scripts);
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
  await page.goto(url);
  if (scripts) {
    await page.waitForSelector('body.ready');
    await frames(page);
  }
  return {page, problems};
}

// Charts are drawn when their width is known, the canvas in the frame after that.
export async function frames(page) {
  await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 50)));
}

export async function sound({page, problems}) {
  const {scroll, width} = await page.evaluate(() => ({scroll: document.documentElement.scrollWidth, width: window.innerWidth}));
  assert.ok(scroll <= width, `the page is ${scroll} pixels wide in a window of ${width}`);
  assert.deepEqual(problems, []);
}

// The number in a text as written for people; null for "-".
export const number_in = (text) => (text.trim() === '-' ? null : Number(text.replace(/[,%\s]/g, '')));
