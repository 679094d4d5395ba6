// What is highlighted: a state, an instruction, or nothing.

export function make_chosen() {
  let name = null;
  let pc = null;
  return {
    any: () => name !== null || pc !== null,
    fits: (a_name, a_pc) => (name !== null && a_name === name) || (pc !== null && a_pc === pc),
    name: () => name,
    pc: () => pc,
    choose_state: (wanted) => {
      name = name === wanted ? null : wanted;
      pc = null;
    },
    choose_instruction: (wanted) => {
      pc = wanted;
      name = null;
    },
  };
}
