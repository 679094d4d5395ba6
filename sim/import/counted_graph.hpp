// Control flow of a listing, rebuilt from how often each instruction was executed: basic blocks,
// how often each way between them was taken, loops, and what lies between a branch and the point
// where its sides meet again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/sass_operands.hpp"

namespace smsim {

/// One instruction with its counts, over all warps of the launch.
struct CountedLine {
  std::uint32_t offset = 0;  // bytes from the function's start
  sass::SassText text;
  double executed = 0;
  double divergent = 0;  // executions on which some lanes jumped and others did not
};

struct CountedBlock {
  std::size_t begin = 0;  // lines
  std::size_t end = 0;
  double executed = 0;
  std::optional<std::size_t> next;    // falls through to
  std::optional<std::size_t> target;  // jumps to
  double falls = 0;                   // how often
  double jumps = 0;  // how often, or (without a target, behind a conditional EXIT) exits
  bool conditional = false;
  bool exits = false;    // ends with EXIT
  bool barrier = false;  // has a barrier of the whole block in it
};

struct CountedLoop {
  std::size_t header = 0;
  std::vector<bool> blocks;    // by block: part of it
  std::size_t exit_block = 0;  // whose branch leaves it most often
  bool has_exit = false;
};

struct CountedGraph {
  std::vector<CountedBlock> blocks;
  std::vector<CountedLoop> loops;     // inner ones after the outer ones that hold them
  std::vector<std::size_t> merge_of;  // by block: where the sides of its branch meet; none: size
  bool complete = true;               // the counts of all ways followed from those of the lines

  /// Blocks that a branch's sides run through before they meet again.
  std::vector<bool> between(std::size_t block) const;
  /// The innermost loop of a block; nothing outside loops.
  std::optional<std::size_t> loop_of(std::size_t block) const;
};

CountedGraph build_counted_graph(const std::vector<CountedLine>& lines);

}  // namespace smsim
