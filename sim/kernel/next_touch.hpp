// How far away the next use of every result is, and the next overwriting of every operand.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/kernel/control_codes.hpp"
#include "sim/kernel/draft.hpp"
#include "sim/kernel/flow_graph.hpp"

namespace smsim::sass {

inline constexpr std::size_t kNever = static_cast<std::size_t>(-1);

/// Distances in instructions, on the shortest way; kNever where nothing follows.
struct NextTouches {
  std::vector<std::size_t> touch;      // by position: first read or overwriting of a result
  std::vector<std::size_t> overwrite;  // by position: first overwriting of an operand
};

NextTouches find_next_touches(const DraftProgram& program, const RegisterMap& registers,
                              const FlowGraph& graph);

}  // namespace smsim::sass
