#include "sim/kernel/liveness.hpp"

#include <algorithm>

namespace smsim::sass {

bool BitSet::merge(const BitSet& other) {
  std::uint64_t changed = 0;
  for (std::size_t word = 0; word < words_.size(); ++word) {
    changed |= other.words_[word] & ~words_[word];
    words_[word] |= other.words_[word];
  }
  return changed != 0;
}

void BitSet::remove(const BitSet& other) {
  for (std::size_t word = 0; word < words_.size(); ++word) {
    words_[word] &= ~other.words_[word];
  }
}

Elements::Elements(const std::vector<Value>& values) {
  first.reserve(values.size());
  for (const Value& value : values) {
    first.push_back(count);
    count += static_cast<std::size_t>(value.width);
  }
}

namespace {

// From what is alive behind an instruction to what is alive in front of it.
void step_back(const Draft& draft, const std::vector<Value>& values, const Elements& elements,
               BitSet& live) {
  for (const Operand& result : draft.results) {
    elements.of(result, values, [&live](std::size_t e) { live.erase(e); });
  }
  for (const Operand& source : draft.sources) {
    elements.of(source, values, [&live](std::size_t e) { live.insert(e); });
  }
}

}  // namespace

Liveness analyse_liveness(const DraftProgram& program, const FlowGraph& graph) {
  Liveness found{Elements(program.values), {}, {}};
  const BitSet none(found.elements.count);
  found.live_in.assign(graph.blocks.size(), none);
  found.live_out.assign(graph.blocks.size(), none);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto number = graph.order.rbegin(); number != graph.order.rend(); ++number) {
      const BasicBlock& block = graph.blocks[*number];
      BitSet& out = found.live_out[*number];
      for (const std::size_t successor : block.successors) {
        out.merge(found.live_in[successor]);
      }
      BitSet live = out;
      for (std::size_t at = block.end; at-- > block.begin;) {
        step_back(program.code[at], program.values, found.elements, live);
      }
      changed |= found.live_in[*number].merge(live);
    }
  }
  return found;
}

std::vector<Interval> live_intervals(const DraftProgram& program, const FlowGraph& graph) {
  const Liveness live = analyse_liveness(program, graph);
  std::vector<std::size_t> value_of(live.elements.count);
  for (std::size_t value = 0; value < program.values.size(); ++value) {
    for (int part = 0; part < program.values[value].width; ++part) {
      value_of[live.elements.first[value] + static_cast<std::size_t>(part)] = value;
    }
  }
  std::vector<Interval> intervals(program.values.size());
  const auto cover = [&intervals](std::size_t value, std::size_t begin, std::size_t end) {
    Interval& interval = intervals[value];
    interval.begin = interval.used ? std::min(interval.begin, begin) : begin;
    interval.end = interval.used ? std::max(interval.end, end) : end;
    interval.used = true;
  };
  for (std::size_t number = 0; number < graph.blocks.size(); ++number) {
    const BasicBlock& block = graph.blocks[number];
    live.live_in[number].for_each(
        [&](std::size_t e) { cover(value_of[e], 2 * block.begin, 2 * block.begin); });
    live.live_out[number].for_each(
        [&](std::size_t e) { cover(value_of[e], 2 * block.end - 1, 2 * block.end - 1); });
    for (std::size_t at = block.begin; at < block.end; ++at) {
      for (const Operand& source : program.code[at].sources) {
        cover(source.value, 2 * at, 2 * at);
      }
      for (const Operand& result : program.code[at].results) {
        cover(result.value, 2 * at + 1, 2 * at + 1);
      }
    }
  }
  return intervals;
}

}  // namespace smsim::sass
