#include "sim/kernel/unrolled_schedule.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "sim/kernel/control_codes.hpp"

namespace smsim::sass {

namespace {

bool overlap(const std::vector<Operand>& a, const std::vector<Operand>& b) {
  return std::any_of(a.begin(), a.end(), [&b](const Operand& x) {
    return std::any_of(b.begin(), b.end(), [&x](const Operand& y) {
      return x.value == y.value &&
             (x.component == kWhole || y.component == kWhole || x.component == y.component);
    });
  });
}

// Must `later` stay behind `earlier`?
bool depends(const Draft& later, const Draft& earlier) {
  return overlap(later.sources, earlier.results) || overlap(later.results, earlier.sources) ||
         overlap(later.results, earlier.results);
}

bool is_fixed(const Draft& draft) {
  return draft.is_label() || draft.flow != Flow::next || draft.effect == MemoryEffect::fence;
}

// The straight-line copies of one unrolled body, and the order in which they are to issue.
class Stretch {
 public:
  Stretch(const DraftProgram& program, std::size_t begin, std::size_t end)
      : code_(program.code),
        values_(program.values),
        begin_(begin),
        end_(end),
        early_(end - begin) {
    number_copies();
    find_early();
  }

  // Loads of copy k + ahead go in front of the rest of copy k.
  std::vector<Draft> ordered(int group) const {
    const int ahead = std::min(copies_ahead(), std::max(group, 1) - 1);
    std::vector<Draft> order;
    const auto take = [&](int copy, bool early) {
      for (std::size_t at = begin_; at < end_; ++at) {
        if (copy_of_[at - begin_] == copy && early_[at - begin_] == early) {
          order.push_back(code_[at]);
        }
      }
    };
    for (int copy = 0; copy < std::min(ahead, copies_); ++copy) {
      take(copy, true);
    }
    for (int copy = 0; copy < copies_; ++copy) {
      if (copy + ahead < copies_) {
        take(copy + ahead, true);
      }
      take(copy, false);
    }
    return order;
  }

 private:
  void number_copies() {
    int last = -1;
    for (std::size_t at = begin_; at < end_; ++at) {
      copies_ += code_[at].unrolled_copy != last || copies_ == 0 ? 1 : 0;
      last = code_[at].unrolled_copy;
      copy_of_.push_back(copies_ - 1);
    }
  }

  // Loads are early, and what their addresses are made of.
  void find_early() {
    std::set<ValueId> needed;
    for (std::size_t at = end_; at-- > begin_;) {
      const Draft& draft = code_[at];
      const bool feeds =
          std::any_of(draft.results.begin(), draft.results.end(),
                      [&needed](const Operand& result) { return needed.count(result.value) > 0; });
      if (draft.effect == MemoryEffect::load || feeds) {
        early_[at - begin_] = true;
        for (const Operand& source : draft.sources) {
          needed.insert(source.value);
        }
      }
    }
    keep_order();
  }

  // Nothing overtakes what it conflicts with: a value read or written by a late instruction, or a
  // late store to the same array.
  void keep_order() {
    std::set<ValueId> read;
    std::set<ValueId> written;
    std::set<std::uint16_t> stored;
    const auto in = [](const std::set<ValueId>& set) {
      return [&set](const Operand& operand) { return set.count(operand.value) > 0; };
    };
    for (std::size_t at = begin_; at < end_; ++at) {
      const Draft& draft = code_[at];
      const bool conflict = std::any_of(draft.sources.begin(), draft.sources.end(), in(written)) ||
                            std::any_of(draft.results.begin(), draft.results.end(), in(written)) ||
                            std::any_of(draft.results.begin(), draft.results.end(), in(read)) ||
                            (draft.effect == MemoryEffect::load && stored.count(draft.array) > 0);
      early_[at - begin_] = early_[at - begin_] && !conflict;
      if (early_[at - begin_]) {
        continue;
      }
      for (const Operand& source : draft.sources) {
        read.insert(source.value);
      }
      for (const Operand& result : draft.results) {
        written.insert(result.value);
      }
      if (draft.effect == MemoryEffect::store) {
        stored.insert(draft.array);
      }
    }
  }

  // Global loads of all copies go first. Shared memory answers soon: enough copies ahead to fill
  // its latency with the arithmetic of others, but not more than a few registers' worth.
  int copies_ahead() const {
    constexpr int kSharedLatency = 32;
    constexpr int kRegistersInFlight = 16;
    int rest = 0;
    int loaded = 0;
    for (std::size_t at = begin_; at < end_; ++at) {
      const Draft& draft = code_[at];
      if (draft.effect == MemoryEffect::load && draft.mnemonic.rfind("LDS", 0) != 0) {
        return copies_;
      }
      rest += early_[at - begin_] ? 0 : 1;
      for (const Operand& result : draft.results) {
        loaded += draft.effect == MemoryEffect::load ? values_[result.value].width : 0;
      }
    }
    const int each = std::max(1, rest / copies_);
    const int registers = std::max(1, loaded / copies_);
    return std::min((kSharedLatency + each - 1) / each,
                    std::max(1, kRegistersInFlight / registers));
  }

  const std::vector<Draft>& code_;
  const std::vector<Value>& values_;
  std::size_t begin_;
  std::size_t end_;
  std::vector<bool> early_;
  std::vector<int> copy_of_;
  int copies_ = 0;
};

}  // namespace

void issue_loads_first(DraftProgram& program, int group) {
  std::vector<Draft>& code = program.code;
  std::size_t begin = 0;
  while (begin < code.size()) {
    std::size_t end = begin;
    while (end < code.size() && !is_fixed(code[end]) && code[end].unrolled_copy >= 0) {
      ++end;
    }
    if (end > begin) {
      std::vector<Draft> order = Stretch(program, begin, end).ordered(group);
      std::move(order.begin(), order.end(), code.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    begin = std::max(end, begin + 1);
  }
}

namespace {

// Moves the instruction at `from` up to `to`.
void move_up(std::vector<Draft>& code, std::size_t from, std::size_t to) {
  std::rotate(code.begin() + static_cast<std::ptrdiff_t>(to),
              code.begin() + static_cast<std::ptrdiff_t>(from),
              code.begin() + static_cast<std::ptrdiff_t>(from) + 1);
}

// The first place in [begin, at] where the instruction at `at` may stand, behind what it depends
// on.
std::size_t highest_place(const std::vector<Draft>& code, std::size_t begin, std::size_t at) {
  std::size_t place = at;
  while (place > begin && !depends(code[at], code[place - 1])) {
    --place;
  }
  return place;
}

// In which cycle each instruction of the stretch issues if nothing but fixed latencies delays it.
std::vector<int> issue_times(const DraftProgram& program, std::size_t begin, std::size_t end,
                             const DependenceSpec& dependence) {
  std::vector<int> times;
  for (std::size_t at = begin; at < end; ++at) {
    int time = times.empty() ? 0 : times.back() + program.code[at - 1].own_stall;
    for (std::size_t before = begin; before < at; ++before) {
      const Draft& producer = program.code[before];
      if (has_variable_latency(producer)) {
        continue;
      }
      for (const Operand& source : program.code[at].sources) {
        for (const Operand& result : producer.results) {
          if (source.value == result.value) {
            time = std::max(time, times[before - begin] +
                                      required_distance(producer, program.values[source.value].file,
                                                        program.code[at], source.role, dependence));
          }
        }
      }
    }
    times.push_back(time);
  }
  return times;
}

// Where the counter's update goes: behind the last load of the stretch, so that loads are not held
// up, or to the front; never in front of what it depends on.
std::size_t place_for_update(const std::vector<Draft>& code, std::size_t begin, std::size_t at) {
  std::size_t after_loads = begin;
  for (std::size_t place = begin; place < at; ++place) {
    if (code[place].effect == MemoryEffect::load) {
      after_loads = place + 1;
    }
  }
  return std::max(after_loads, highest_place(code, begin, at));
}

// Where the test goes: the first place behind the update at which the counter is there by then.
std::size_t place_for_test(DraftProgram& program, std::size_t begin, std::size_t at,
                           const DependenceSpec& dependence) {
  std::vector<Draft>& code = program.code;
  const std::size_t highest = highest_place(code, begin, at);
  if (highest == begin || highest == at) {
    return highest;
  }
  const std::vector<int> times = issue_times(program, begin, at, dependence);
  const Draft& update = code[highest - 1];
  const int ready = times[highest - 1 - begin] + update.timing.latency_cycles;
  std::size_t place = highest;
  while (place < at && times[place - begin] < ready) {
    ++place;
  }
  return place;
}

// Start of the straight-line stretch in front of `at`, as far as it is worth looking. Arithmetic
// may pass barriers.
std::size_t stretch_before(const std::vector<Draft>& code, std::size_t at) {
  constexpr std::size_t kWindow = 48;  // instructions that hide 13 cycles for certain
  std::size_t begin = at;
  while (begin > 0 && at - begin < kWindow && !code[begin - 1].is_label() &&
         code[begin - 1].flow == Flow::next) {
    --begin;
  }
  return begin;
}

// Moves a comparison up until its predicate is there when it is needed.
void raise_comparison(DraftProgram& program, std::size_t at, const DependenceSpec& dependence) {
  std::vector<Draft>& code = program.code;
  const std::size_t highest = highest_place(code, stretch_before(code, at), at);
  const std::vector<int> times = issue_times(program, highest, at + 1, dependence);
  std::size_t place = at;
  while (place > highest &&
         times[at - highest] - times[place - highest] < dependence.predicate_to_guard_cycles) {
    --place;
  }
  move_up(code, at, place);
}

}  // namespace

void hide_tests(DraftProgram& program, const DependenceSpec& dependence) {
  std::vector<Draft>& code = program.code;
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    if (code[at].comparison) {
      raise_comparison(program, at, dependence);
    } else if (code[at].loop_control && code[at + 1].loop_control) {
      const std::size_t begin = stretch_before(code, at);
      move_up(code, at, place_for_update(code, begin, at));
      move_up(code, at + 1, place_for_test(program, begin, at + 1, dependence));
      at += 1;
    }
  }
}

}  // namespace smsim::sass
