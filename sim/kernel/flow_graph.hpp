// Control-flow graph of a draft program: basic blocks and the ways between them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/kernel/draft.hpp"

namespace smsim::sass {

struct BasicBlock {
  std::size_t begin = 0;  // positions in DraftProgram::code; labels may stand at the front
  std::size_t end = 0;
  std::vector<std::size_t> successors;
  std::vector<std::size_t> predecessors;
};

struct FlowGraph {
  std::vector<BasicBlock> blocks;     // in program order; block 0 is the entry
  std::vector<std::size_t> order;     // reachable blocks, in reverse postorder
  std::vector<std::size_t> block_of;  // by position
};

FlowGraph build_flow_graph(const DraftProgram& program);

/// Labels that an instruction can jump to (not counting the next instruction).
std::vector<LabelId> targets(const DraftProgram& program, const Draft& draft);

/// Does control go on to the next instruction, at least sometimes?
bool falls_through(const Draft& draft);

}  // namespace smsim::sass
