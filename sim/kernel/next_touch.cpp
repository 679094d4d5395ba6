#include "sim/kernel/next_touch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace smsim::sass {

namespace {

constexpr std::uint32_t kFar = 0xffffffff;

// Distance from a point to the next read and the next write of each register.
struct Distances {
  std::array<std::uint32_t, RegisterMap::kCount> read;
  std::array<std::uint32_t, RegisterMap::kCount> write;

  Distances() {
    read.fill(kFar);
    write.fill(kFar);
  }
  void take_nearer(const Distances& other) {
    for (std::size_t reg = 0; reg < read.size(); ++reg) {
      read[reg] = std::min(read[reg], other.read[reg]);
      write[reg] = std::min(write[reg], other.write[reg]);
    }
  }
  void step() {
    for (std::size_t reg = 0; reg < read.size(); ++reg) {
      read[reg] += read[reg] != kFar ? 1 : 0;
      write[reg] += write[reg] != kFar ? 1 : 0;
    }
  }
  bool operator==(const Distances&) const = default;
};

// From behind an instruction to in front of it.
void step_back(const Draft& draft, const RegisterMap& registers, Distances& next) {
  next.step();
  for (const Operand& result : draft.results) {
    registers.of(result, [&next](std::size_t reg) {
      next.write[reg] = 1;
      next.read[reg] = kFar;
    });
  }
  for (const Operand& source : draft.sources) {
    registers.of(source, [&next](std::size_t reg) { next.read[reg] = 1; });
  }
}

void note(const Draft& draft, const RegisterMap& registers, const Distances& next, std::size_t at,
          NextTouches& found) {
  std::uint32_t touch = kFar;
  std::uint32_t overwrite = kFar;
  for (const Operand& result : draft.results) {
    registers.of(result, [&](std::size_t reg) {
      touch = std::min({touch, next.read[reg], next.write[reg]});
    });
  }
  for (const Operand& source : draft.sources) {
    registers.of(source,
                 [&](std::size_t reg) { overwrite = std::min(overwrite, next.write[reg]); });
  }
  found.touch[at] = touch == kFar ? kNever : touch;
  found.overwrite[at] = overwrite == kFar ? kNever : overwrite;
}

}  // namespace

NextTouches find_next_touches(const DraftProgram& program, const RegisterMap& registers,
                              const FlowGraph& graph) {
  NextTouches found;
  found.touch.assign(program.code.size(), kNever);
  found.overwrite.assign(program.code.size(), kNever);
  std::vector<Distances> entry(graph.blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (auto number = graph.order.rbegin(); number != graph.order.rend(); ++number) {
      const BasicBlock& block = graph.blocks[*number];
      Distances next;
      for (const std::size_t successor : block.successors) {
        next.take_nearer(entry[successor]);
      }
      for (std::size_t at = block.end; at-- > block.begin;) {
        if (!program.code[at].is_label()) {
          note(program.code[at], registers, next, at, found);
          step_back(program.code[at], registers, next);
        }
      }
      if (!(next == entry[*number])) {
        entry[*number] = next;
        changed = true;
      }
    }
  }
  return found;
}

}  // namespace smsim::sass
