// Runs the built program and reads what its pages hold.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {unpack} from '../../sim/report/web/src/unpack.js';

const tool = process.env.SMSIM_TOOL;
const folder = mkdtempSync(join(tmpdir(), 'smsim-web-'));

export const in_folder = (name) => join(folder, name);

export function write(name, text) {
  writeFileSync(in_folder(name), text);
  return in_folder(name);
}

// The exit code 3 of deadlocks and launch failures is a result, not an error.
export function smsim(...words) {
  try {
    return execFileSync(tool, words, {encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe']});
  } catch (error) {
    if (error.status === 3) {
      return error.stdout;
    }
    throw new Error(`smsim ${words.join(' ')}: ${error.stderr}`);
  }
}

// A page of these runs: each is a list of words, KERNEL first. The documents are what JSON reports say of the same runs.
export function make_page(name, ...runs) {
  const results = runs.map((words, i) => write(`${name}-${i}.json`,
    smsim('run', ...words, '--format', 'json', '--timeline', '--per-sm', '--instructions', '--explain')));
  const path = in_folder(`${name}.html`);
  smsim('report', ...results, '--html', path);
  return {path, size: readFileSync(path).length, documents: results.map((file) => JSON.parse(readFileSync(file, 'utf8')))};
}

export function data_of(path) {
  const text = /<script type="application\/json" id="smsim-data">(.*?)<\/script>/s.exec(readFileSync(path, 'utf8'))[1];
  return unpack(JSON.parse(text));
}

export const DEADLOCK = `name: stuck
launch: {grid: 2, block: 64}
arrays: {X: 256}
program:
  - if: {when: tid < 32, then: [{barrier: {id: 1, threads: 64}}]}
  - x: {op: LDG, array: X, index: tid}
`;
