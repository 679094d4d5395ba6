#include "sim/kernel/spill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/kernel/flow_graph.hpp"
#include "sim/kernel/liveness.hpp"
#include "sim/kernel/operations.hpp"

namespace smsim::sass {

namespace {

constexpr ValueId kStackPointer = 0;  // the first value of every lowered program

// How deep each position lies in loops: uses there are dearer.
std::vector<int> loop_depths(const DraftProgram& program) {
  std::vector<int> change(program.code.size() + 1, 0);
  std::vector<std::size_t> position_of(program.labels, 0);
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].is_label()) {
      position_of[static_cast<std::size_t>(program.code[at].label)] = at;
    }
  }
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].is_label()) {
      continue;
    }
    for (const LabelId label : targets(program, program.code[at])) {
      if (position_of[label] < at) {
        ++change[position_of[label]];
        --change[at + 1];
      }
    }
  }
  std::vector<int> depths(program.code.size());
  int depth = 0;
  for (std::size_t at = 0; at < depths.size(); ++at) {
    depths[at] = depth += change[at];
  }
  return depths;
}

// Costs nothing to repeat: a constant, a thread number.
bool is_cheap(const Draft& draft) {
  return draft.sources.empty() && draft.results.size() == 1 && draft.flow == Flow::next &&
         draft.action != Action::memory;
}

Draft local_access(const GpuSpec& gpu, bool store, int width, int offset, ValueId value) {
  const std::string suffix = width == 1 ? "" : width == 2 ? ".64" : ".128";
  Draft made;
  made.mnemonic = (store ? "STL" : "LDL") + suffix;
  made.timing = find_timing(gpu, made.mnemonic)
                    .value_or(find_timing(gpu, store ? "STG" : "LDG")
                                  .value_or(find_operation(made.mnemonic)->fallback));
  made.action = Action::memory;
  made.reads_late = true;
  made.effect = MemoryEffect::fence;
  if (store) {
    made.operands = fmt::format("[%s1+{:#x}], %s0", offset);
    made.sources.push_back({value, kWhole, Role::memory});
  } else {
    made.operands = fmt::format("%d0, [%s0+{:#x}]", offset);
    made.results.push_back({value});
  }
  made.sources.push_back({kStackPointer, kWhole, Role::memory});
  return made;
}

// Where a moved value lives: a slot on the stack, or nowhere, because it is computed again.
struct Place {
  int offset = 0;
  std::optional<Draft> definition;
};

class Spiller {
 public:
  Spiller(DraftProgram& program, const GpuSpec& gpu, Spills& spills)
      : program_(program), gpu_(gpu), spills_(spills) {}

  void run(const std::vector<ValueId>& moved) {
    const std::map<ValueId, Draft> cheap = cheap_definitions(moved);
    for (const ValueId value : moved) {
      Place place;
      if (const auto found = cheap.find(value); found != cheap.end()) {
        place.definition = found->second;
      } else {
        const int bytes = 4 * program_.values[value].width;
        place.offset = (spills_.stack_bytes + bytes - 1) / bytes * bytes;  // aligned
        spills_.stack_bytes = place.offset + bytes;
      }
      places_.emplace(value, place);
    }
    for (Draft& draft : program_.code) {
      rewrite(std::move(draft));
    }
    program_.code = std::move(rewritten_);
  }

 private:
  // Definitions of values that are set once, cheaply.
  std::map<ValueId, Draft> cheap_definitions(const std::vector<ValueId>& moved) const {
    const std::set<ValueId> wanted(moved.begin(), moved.end());
    std::map<ValueId, Draft> found;
    std::set<ValueId> dear;
    for (const Draft& draft : program_.code) {
      for (const Operand& result : draft.results) {
        if (wanted.count(result.value) == 0) {
          continue;
        }
        if (!is_cheap(draft) || !found.emplace(result.value, draft).second) {
          dear.insert(result.value);
        }
      }
    }
    for (const ValueId value : dear) {
      found.erase(value);
    }
    return found;
  }

  void rewrite(Draft draft) {
    std::map<ValueId, ValueId> now;  // registers that stand for moved values in this instruction
    for (Operand& source : draft.sources) {
      if (places_.count(source.value) > 0) {
        source.value = in_register(source.value, true, draft.line, now);
      }
    }
    std::vector<std::pair<ValueId, ValueId>> stored;
    for (Operand& result : draft.results) {
      const ValueId value = result.value;
      const auto place = places_.find(value);
      if (place == places_.end()) {
        continue;
      }
      if (place->second.definition) {
        return;  // computed again where it is used
      }
      // A part that is set joins the other parts.
      result.value = in_register(value, result.component != kWhole, draft.line, now);
      if (stored.empty() || stored.back().first != value) {
        stored.emplace_back(value, result.value);
      }
    }
    const int line = draft.line;
    rewritten_.push_back(std::move(draft));
    for (const auto& [value, reg] : stored) {
      rewritten_.push_back(access(true, value, reg, line));
    }
  }

  // A short-lived register for a moved value, loaded when its content matters.
  ValueId in_register(ValueId value, bool filled, int line, std::map<ValueId, ValueId>& now) {
    if (const auto found = now.find(value); found != now.end()) {
      return found->second;
    }
    const Value copy = program_.values[value];  // the vector may move
    program_.values.push_back(copy);
    const auto reg = static_cast<ValueId>(program_.values.size() - 1);
    spills_.untouchable.insert(reg);
    now.emplace(value, reg);
    const Place& place = places_.at(value);
    if (filled && place.definition) {
      Draft again = *place.definition;
      again.results.front().value = reg;
      again.unrolled_copy = -1;
      ++spills_.recomputed;
      rewritten_.push_back(std::move(again));
    } else if (filled) {
      rewritten_.push_back(access(false, value, reg, line));
    }
    return reg;
  }

  Draft access(bool store, ValueId value, ValueId reg, int line) {
    const int width = program_.values[value].width;
    Draft made = local_access(gpu_, store, width, places_.at(value).offset, reg);
    MemoryAccess description;
    description.space = Space::local;
    description.kind = store ? AccessKind::store : AccessKind::load;
    description.bytes_per_thread = static_cast<std::uint8_t>(4 * std::min(width, 4));
    description.lines = static_cast<std::uint16_t>(width);
    description.sectors = static_cast<std::uint16_t>(4 * width);
    made.operand = static_cast<std::uint16_t>(program_.tables.accesses.size());
    program_.tables.accesses.push_back(description);
    made.line = line;
    ++(store ? spills_.stores : spills_.loads);
    return made;
  }

  DraftProgram& program_;
  const GpuSpec& gpu_;
  Spills& spills_;
  std::map<ValueId, Place> places_;
  std::vector<Draft> rewritten_;
};

// What moving each value out would cost: its uses, weighted by loops. Values that can be computed
// again cost next to nothing.
std::vector<double> costs(const DraftProgram& program) {
  constexpr double kRecomputed = 0.05;
  const std::vector<int> depths = loop_depths(program);
  std::vector<double> cost(program.values.size(), 0);
  std::vector<int> definitions(program.values.size(), 0);
  std::vector<bool> cheap(program.values.size(), true);
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    const Draft& draft = program.code[at];
    const double weight = static_cast<double>(1ULL << (3 * std::min(depths[at], 10)));
    for (const Operand& source : draft.sources) {
      cost[source.value] += weight;
    }
    for (const Operand& result : draft.results) {
      cost[result.value] += weight;
      cheap[result.value] = cheap[result.value] && is_cheap(draft);
      ++definitions[result.value];
    }
  }
  for (std::size_t value = 0; value < cost.size(); ++value) {
    cost[value] *= cheap[value] && definitions[value] == 1 ? kRecomputed : 1;
  }
  return cost;
}

// Rarely used, wide, alive for long: the best to move out.
std::vector<double> spill_ranks(const DraftProgram& program, const Spills& spills) {
  const std::vector<Interval> intervals = live_intervals(program, build_flow_graph(program));
  std::vector<double> rank = costs(program);
  for (ValueId value = 0; value < rank.size(); ++value) {
    const double length = static_cast<double>(intervals[value].end - intervals[value].begin) + 1;
    const bool fixed = spills.untouchable.count(value) > 0;
    rank[value] = fixed ? -1 : length * program.values[value].width / (rank[value] + 0.01);
  }
  return rank;
}

}  // namespace

bool spill_some(DraftProgram& program, const RegisterLimits& limits, const GpuSpec& gpu,
                Spills& spills) {
  const std::vector<ValueId> moved = choose_spills(program, limits, spill_ranks(program, spills));
  if (moved.empty()) {
    return false;
  }
  spills.untouchable.insert(moved.begin(), moved.end());
  Spiller(program, gpu, spills).run(moved);
  return true;
}

}  // namespace smsim::sass
