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

bool memory_order(const Draft& later, const Draft& earlier) {
  if (later.effect == MemoryEffect::none || earlier.effect == MemoryEffect::none ||
      (later.effect == MemoryEffect::load && earlier.effect == MemoryEffect::load)) {
    return false;
  }
  return later.effect == MemoryEffect::fence || earlier.effect == MemoryEffect::fence ||
         later.array == earlier.array;
}

bool is_fixed(const Draft& draft) {
  return draft.is_label() || draft.flow != Flow::next || draft.effect == MemoryEffect::fence;
}

// One stretch [begin, end): loads and what they need first, in program order, then the rest.
void move_loads_first(std::vector<Draft>& code, std::size_t begin, std::size_t end) {
  std::vector<bool> early(end - begin, false);
  for (std::size_t at = begin; at < end; ++at) {
    early[at - begin] = code[at].effect == MemoryEffect::load;
  }
  // Backwards: what an early instruction depends on is early too; but a load that depends on
  // something that cannot be moved, such as a store, stays.
  for (std::size_t at = end; at-- > begin;) {
    if (!early[at - begin]) {
      continue;
    }
    for (std::size_t before = begin; before < at; ++before) {
      if (depends(code[at], code[before])) {
        early[before - begin] = true;
      }
    }
  }
  // An early instruction must not overtake a late one that it conflicts with.
  for (std::size_t at = begin; at < end; ++at) {
    for (std::size_t before = begin; early[at - begin] && before < at; ++before) {
      const bool conflict = depends(code[at], code[before]) || memory_order(code[at], code[before]);
      early[at - begin] = early[before - begin] || !conflict;
    }
  }
  std::vector<Draft> sorted;
  sorted.reserve(end - begin);
  for (const bool wanted : {true, false}) {
    for (std::size_t at = begin; at < end; ++at) {
      if (early[at - begin] == wanted) {
        sorted.push_back(code[at]);
      }
    }
  }
  std::move(sorted.begin(), sorted.end(), code.begin() + static_cast<std::ptrdiff_t>(begin));
}

}  // namespace

void issue_loads_first(DraftProgram& program, int group) {
  std::vector<Draft>& code = program.code;
  std::size_t begin = 0;
  while (begin < code.size()) {
    if (is_fixed(code[begin]) || code[begin].unrolled_copy < 0) {
      ++begin;
      continue;
    }
    std::set<int> copies;
    std::size_t end = begin;
    while (end < code.size() && !is_fixed(code[end]) && code[end].unrolled_copy >= 0) {
      copies.insert(code[end].unrolled_copy);
      if (static_cast<int>(copies.size()) > group) {
        break;
      }
      ++end;
    }
    move_loads_first(code, begin, end);
    begin = end;
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

}  // namespace

void hide_loop_control(DraftProgram& program, const DependenceSpec& dependence) {
  constexpr std::size_t kWindow = 48;  // instructions that hide 13 cycles for certain
  std::vector<Draft>& code = program.code;
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    if (!code[at].loop_control || !code[at + 1].loop_control) {
      continue;
    }
    std::size_t begin = at;
    while (begin > 0 && at - begin < kWindow && !is_fixed(code[begin - 1])) {
      --begin;
    }
    move_up(code, at, place_for_update(code, begin, at));
    move_up(code, at + 1, place_for_test(program, begin, at + 1, dependence));
    at += 1;
  }
}

}  // namespace smsim::sass
