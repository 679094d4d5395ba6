#include "sim/kernel/spill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

// The definition of a value, if it is the only one and cheap.
std::optional<Draft> cheap_definition(const DraftProgram& program, ValueId value) {
  std::optional<Draft> found;
  for (const Draft& draft : program.code) {
    for (const Operand& result : draft.results) {
      if (result.value != value) {
        continue;
      }
      if (found || !is_cheap(draft)) {
        return std::nullopt;
      }
      found = draft;
    }
  }
  return found;
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

class Spiller {
 public:
  Spiller(DraftProgram& program, const GpuSpec& gpu, Spills& spills, ValueId value)
      : program_(program), gpu_(gpu), spills_(spills), value_(value) {
    definition_ = cheap_definition(program, value);
    if (!definition_) {
      const int bytes = 4 * program.values[value].width;
      offset_ = (spills.stack_bytes + bytes - 1) / bytes * bytes;  // aligned
      spills.stack_bytes = offset_ + bytes;
    }
  }

  void run() {
    std::vector<Draft> rewritten;
    for (Draft& draft : program_.code) {
      const bool reads = replace(draft.sources, rewritten, draft.line);
      if (definition_ && writes(draft)) {
        continue;  // computed again where it is used
      }
      const bool stores = writes(draft);
      if (stores && !reads && partial(draft)) {
        rewritten.push_back(access(false, temporary(), draft.line));
      }
      if (stores) {
        rename_results(draft);
      }
      const int line = draft.line;
      rewritten.push_back(std::move(draft));
      if (stores) {
        rewritten.push_back(access(true, current_, line));
      }
    }
    program_.code = std::move(rewritten);
  }

 private:
  bool writes(const Draft& draft) const {
    return std::any_of(draft.results.begin(), draft.results.end(),
                       [this](const Operand& result) { return result.value == value_; });
  }
  bool partial(const Draft& draft) const {
    return std::any_of(draft.results.begin(), draft.results.end(), [this](const Operand& result) {
      return result.value == value_ && result.component != kWhole;
    });
  }

  ValueId temporary() {
    program_.values.push_back(Value(program_.values[value_]));
    current_ = static_cast<ValueId>(program_.values.size() - 1);
    spills_.untouchable.insert(current_);
    return current_;
  }

  Draft access(bool store, ValueId value, int line) {
    Draft made = local_access(gpu_, store, program_.values[value_].width, offset_, value);
    MemoryAccess description;
    description.space = Space::local;
    description.kind = store ? AccessKind::store : AccessKind::load;
    const int width = program_.values[value_].width;
    description.bytes_per_thread = static_cast<std::uint8_t>(4 * width);
    description.lines = static_cast<std::uint16_t>(width);
    description.sectors = static_cast<std::uint16_t>(4 * width);
    description.l1_hit = -1;
    description.l2_hit = -1;
    made.operand = static_cast<std::uint16_t>(program_.tables.accesses.size());
    program_.tables.accesses.push_back(description);
    made.line = line;
    ++(store ? spills_.stores : spills_.loads);
    return made;
  }

  // Loads the value into a register of its own in front of an instruction that reads it.
  bool replace(std::vector<Operand>& sources, std::vector<Draft>& rewritten, int line) {
    bool found = false;
    for (Operand& source : sources) {
      if (source.value != value_) {
        continue;
      }
      if (!found) {
        found = true;
        reload(rewritten, line);
      }
      source.value = current_;
    }
    return found;
  }

  void reload(std::vector<Draft>& rewritten, int line) {
    const ValueId into = temporary();
    if (!definition_) {
      rewritten.push_back(access(false, into, line));
      return;
    }
    Draft again = *definition_;
    again.results.front().value = into;
    again.unrolled_copy = -1;
    ++spills_.recomputed;
    rewritten.push_back(again);
  }

  void rename_results(Draft& draft) {
    // A part that is set joins the other parts, which were loaded into `current_`.
    const bool joins = std::any_of(draft.sources.begin(), draft.sources.end(),
                                   [this](const Operand& s) { return s.value == current_; });
    const ValueId into = joins || partial(draft) ? current_ : temporary();
    for (Operand& result : draft.results) {
      if (result.value == value_) {
        result.value = into;
      }
    }
    current_ = into;
  }

  DraftProgram& program_;
  const GpuSpec& gpu_;
  Spills& spills_;
  ValueId value_;
  ValueId current_ = 0;
  std::optional<Draft> definition_;
  int offset_ = 0;
};

}  // namespace

namespace {

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

}  // namespace

bool spill_one(DraftProgram& program, const Overflow& overflow, const GpuSpec& gpu,
               Spills& spills) {
  const std::vector<Interval> intervals = live_intervals(program, build_flow_graph(program));
  const std::vector<double> cost = costs(program);
  std::optional<ValueId> best;
  double best_rank = 0;
  for (const ValueId value : overflow.live) {
    if (spills.untouchable.count(value) > 0 || program.values[value].name == "stack") {
      continue;
    }
    // Rarely used, wide, alive for long: the best to move out.
    const double length = static_cast<double>(intervals[value].end - intervals[value].begin) + 1;
    const double rank = length * program.values[value].width / (cost[value] + 0.01);
    if (!best || rank > best_rank) {
      best = value;
      best_rank = rank;
    }
  }
  if (!best) {
    return false;
  }
  spills.untouchable.insert(*best);
  Spiller(program, gpu, spills, *best).run();
  return true;
}

}  // namespace smsim::sass
