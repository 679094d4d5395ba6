// One document of the simulator, and the questions that sections ask of it.
import {read_timeline} from './timeline/model.js';
import {whole} from './format.js';

export function read_run(document, index, several) {
  const metrics = document.metrics ?? {};
  return {
    document,
    letter: several ? 'AB'[index] ?? String(index + 1) : '',
    name: `${document.kernel ?? '?'} on ${document.gpu_title ?? document.gpu ?? '?'}`,
    differs: '',  // from the other run, in words
    completed: document.status === 'completed',
    timeline: read_timeline(document),
    panel: null,  // the timeline's canvas, once it is there
    metric: (name) => metrics[name] ?? null,
    instruction: instruction_lookup(document),
  };
}

// Names alone do not tell two runs of one kernel apart.
export function tell_apart(runs) {
  if (runs[0].name !== runs[1].name) {
    return;
  }
  const [a, b] = runs.map((run) => launch_words(run.document.launch).split(', '));
  const unlike = (words, others) => words.filter((word) => !others.includes(word)).join(', ');
  runs[0].differs = unlike(a, b);
  runs[1].differs = unlike(b, a);
}

function instruction_lookup(document) {
  const rows = new Map((document.instructions ?? []).map((row) => [row.pc, row]));
  const texts = document.timeline?.instructions ?? [];
  return (pc) => rows.get(pc) ?? {pc, text: texts[pc] ?? `instruction ${pc}`, line: 0};
}

export function launch_words(launch) {
  const blocks = launch.grid.reduce((a, b) => a * b, 1);
  const threads = launch.block.reduce((a, b) => a * b, 1);
  const shared = launch.smem_static + launch.smem_dynamic;
  return [
    `${whole(blocks)} blocks of ${whole(threads)} threads`,
    `${launch.registers} registers`,
    shared > 0 ? `${whole(shared)} bytes of shared memory` : null,
    launch.cluster > 1 ? `clusters of ${launch.cluster}` : null,
    `scheduler ${launch.scheduler}`,
    `seed ${launch.seed}`,
  ].filter((word) => word !== null).join(', ');
}

export const ELAPSED = 'gpc__cycles_elapsed.max';
