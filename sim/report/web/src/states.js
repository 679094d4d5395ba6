// The 19 states of a warp: how each looks, and what it means in plain words.
//
// Colours are told apart with colour-blind eyes for the frequent states; the others share a colour with
// their relatives and differ by hatching.

const blue = '#0072b2';
const sky = '#56b4e9';
const green = '#009e73';
const yellow = '#f0e442';
const orange = '#e69f00';
const red = '#d55e00';
const pink = '#cc79a7';
const grey = '#c6c6c6';
const dark = '#6a6a6a';
const pale = '#dcdcdc';

// In the order in which stacks are drawn: work first, then waiting by kind.
const looks = [
  ['selected', green, '', 'issues an instruction'],
  ['not_selected', yellow, '', 'could issue, but its scheduler picked another warp in this cycle'],
  ['long_scoreboard', blue, '', 'waits for data that an earlier load or atomic fetches from L1, L2 or DRAM'],
  ['drain', blue, '/', 'has ended and waits until its last stores have left for memory'],
  ['short_scoreboard', sky, '', 'waits for a result of shared memory, the special function unit or another unit behind the MIO queue'],
  ['barrier', red, '', 'waits at a barrier until the other warps of its block arrive'],
  ['membar', red, '/', 'waits at a memory fence until its earlier accesses are visible to others'],
  ['sleeping', red, '.', 'sleeps because the program told it to (nanosleep)'],
  ['math_pipe_throttle', pink, '.', 'waits because the arithmetic pipe that it needs is busy with other warps'],
  ['dispatch_stall', pink, '/', 'waits because the dispatch unit cannot send the instruction on'],
  ['gmma', pink, 'x', 'waits for a matrix operation of its warp group on the tensor core'],
  ['lg_throttle', orange, '', 'waits because the queue for global and local memory instructions is full'],
  ['mio_throttle', orange, '/', 'waits because the MIO queue (shared memory, special functions, ...) is full'],
  ['tex_throttle', orange, '.', 'waits because the queue of the texture unit is full'],
  ['wait', grey, '', 'waits out the fixed number of cycles that the instruction before it takes'],
  ['branch_resolving', dark, '', 'waits until a branch is resolved and the next address is known'],
  ['no_instruction', dark, '/', 'waits because its next instruction is not fetched yet'],
  ['imc_miss', dark, 'x', 'waits for a constant that is not in the constant cache'],
  ['misc', pale, 'x', 'waits for another reason'],
];

export const STATES = new Map(looks.map(([name, colour, hatch, meaning], order) =>
  [name, {name, colour, hatch, meaning, order, ink: [yellow, sky, orange, grey, pale, pink].includes(colour) ? '#000' : '#fff'}]));

const unknown = {colour: pale, hatch: '.', meaning: 'waits', order: looks.length, ink: '#000'};

export function state(name) {
  return STATES.get(name) ?? {name, ...unknown};
}

export function in_order(names) {
  return [...names].sort((a, b) => state(a).order - state(b).order);
}
