// Which registers' worth of values are alive where.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/kernel/draft.hpp"
#include "sim/kernel/flow_graph.hpp"

namespace smsim::sass {

/// A set of small numbers.
class BitSet {
 public:
  explicit BitSet(std::size_t size = 0) : words_((size + 63) / 64) {}
  void insert(std::size_t at) { words_[at / 64] |= std::uint64_t{1} << (at % 64); }
  void erase(std::size_t at) { words_[at / 64] &= ~(std::uint64_t{1} << (at % 64)); }
  [[nodiscard]] bool contains(std::size_t at) const {
    return (words_[at / 64] >> (at % 64) & 1) != 0;
  }
  /// Adds the members of `other`; true if that changed anything.
  bool merge(const BitSet& other);
  /// Takes the members of `other` away.
  void remove(const BitSet& other);
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t rest = words_[word]; rest != 0; rest &= rest - 1) {
        visit(word * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Numbers every 32-bit part of every value: a value's parts are neighbours.
struct Elements {
  explicit Elements(const std::vector<Value>& values);
  std::vector<std::size_t> first;  // by value
  std::size_t count = 0;

  /// Calls visit(element) for what an operand names.
  template <class Visit>
  void of(const Operand& operand, const std::vector<Value>& values, Visit visit) const {
    const std::size_t begin = first[operand.value];
    if (operand.component != kWhole) {
      visit(begin + static_cast<std::size_t>(operand.component));
      return;
    }
    for (int part = 0; part < values[operand.value].width; ++part) {
      visit(begin + static_cast<std::size_t>(part));
    }
  }
};

struct Liveness {
  Elements elements;
  std::vector<BitSet> live_in;  // by block
  std::vector<BitSet> live_out;
};

Liveness analyse_liveness(const DraftProgram& program, const FlowGraph& graph);

/// First and last position at which each value needs its registers.
struct Interval {
  std::size_t begin = 0;  // 2 x position + 1 where it is written, 2 x position where read
  std::size_t end = 0;
  bool used = false;
};
std::vector<Interval> live_intervals(const DraftProgram& program, const FlowGraph& graph);

}  // namespace smsim::sass
