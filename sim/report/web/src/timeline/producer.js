// Which earlier instruction writes what a waiting one reads, from the text of both.

// "@!P0 LDG.E R10, desc[UR2][R8.64]" -> {operation: "LDG.E", operands: ["R10", "desc[UR2][R8.64]"]}
export function parts_of(text) {
  const [, operation = text, rest = ''] = /^(?:@\S+\s+)?(\S+)\s*(.*)$/.exec(text) ?? [];
  return {operation, operands: rest.split(/,\s*/).filter((operand) => operand !== '')};
}

const slow = {
  long_scoreboard: /^(LD|LDG|LDL|ATOM|ATOMG|TEX|TLD|SULD)(\.|$)/,
  short_scoreboard: /^(LDS|LDSM|LDC|ULDC|S2R|S2UR|MUFU|SHFL|ATOMS|POPC|FLO|BREV|I2F|F2I|F2F|QSPC|MATCH|VOTE)(\.|$)/,
};

const registers_in = (text) => text.match(/\bU?R\d+\b/g) ?? [];

// {register, pc, cycle} of the last such instruction that the warp issued before interval i; null where none is known.
export function producer(run, row, i, name) {
  const kind = slow[name];
  if (kind === undefined) {
    return null;
  }
  const {operation, operands} = parts_of(run.instruction(row.pc[i]).text);
  const stores = /^(ST|RED|BAR|BRA|EXIT)/.test(operation);
  const read = new Set(registers_in((stores ? operands : operands.slice(1)).join(',')));
  for (let k = i - 1; k >= 0 && row.stay[k] === row.stay[i]; --k) {
    if (run.timeline.states[row.state[k]] !== 'selected') {
      continue;
    }
    const earlier = parts_of(run.instruction(row.pc[k]).text);
    const [written] = registers_in(earlier.operands[0] ?? '');
    if (kind.test(earlier.operation) && read.has(written)) {
      return {register: written, pc: row.pc[k], cycle: row.from[k]};
    }
  }
  return null;
}

// The instruction that the warp issued last before interval i.
export function issued_before(run, row, i) {
  for (let k = i - 1; k >= 0 && row.stay[k] === row.stay[i]; --k) {
    if (run.timeline.states[row.state[k]] === 'selected') {
      return {pc: row.pc[k], cycle: row.from[k]};
    }
  }
  return null;
}
