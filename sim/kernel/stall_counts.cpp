// Fixed latencies: no hardware interlock guards them, the stall counts of the instructions between
// producer and consumer must add up to enough cycles on every way through the program.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "sim/kernel/control_codes.hpp"
#include "sim/kernel/flow_graph.hpp"

namespace smsim::sass {

namespace {

constexpr int kMaxStall = 15;    // of the encoding
constexpr int kForgotten = 128;  // no fixed latency is longer
constexpr int kYieldFrom = 3;    // ptxas lets another warp go first in waits from here on

// A writer of a register whose result may not be there yet, and when it issued, counted from the
// start of the block in hand (from its end, in the state a block leaves behind).
struct Pending {
  std::size_t reg = 0;
  std::size_t producer = 0;
  int issued = 0;
};
using State = std::vector<Pending>;

void add_youngest(State& state, const Pending& pending) {
  const auto same = std::find_if(state.begin(), state.end(), [&pending](const Pending& other) {
    return other.reg == pending.reg && other.producer == pending.producer;
  });
  if (same == state.end()) {
    state.push_back(pending);
  } else {
    same->issued = std::max(same->issued, pending.issued);
  }
}

bool same_state(const State& a, const State& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Pending& x, const Pending& y) {
    return x.reg == y.reg && x.producer == y.producer && x.issued == y.issued;
  });
}

// A dot on a scoreboard behaves like a register that the producer writes and the waiter reads.
constexpr std::size_t scoreboard_register(int scoreboard) {
  return RegisterMap::kCount + static_cast<std::size_t>(scoreboard);
}

class StallCounter {
 public:
  StallCounter(DraftProgram& program, const Allocation& allocation,
               const DependenceSpec& dependence)
      : program_(program),
        registers_(program, allocation),
        dependence_(dependence),
        graph_(build_flow_graph(program)),
        left_(graph_.blocks.size()) {}

  void run(bool nops) {
    for (Draft& draft : program_.code) {
      draft.stall = draft.is_label() ? 0 : draft.own_stall;
    }
    do {
      changed_ = false;
      for (const std::size_t number : graph_.order) {
        visit(number);
      }
    } while (changed_);
    if (nops) fill_with_nops();
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void visit(std::size_t number) {
    const BasicBlock& block = graph_.blocks[number];
    State inside;  // producers of this block
    std::set<std::size_t> overwritten;
    std::map<Pipe, std::pair<std::size_t, int>> last_on_pipe;  // position and time
    int now = 0;
    std::size_t previous = kNone;
    for (std::size_t at = block.begin; at < block.end; ++at) {
      Draft& draft = program_.code[at];
      if (draft.is_label()) {
        continue;
      }
      int earliest = earliest_after(draft, inside);
      earliest = std::max(earliest, earliest_after_loop(number, draft, overwritten, now));
      if (earliest > now && previous != kNone) {
        raise(previous, earliest - now, true);
        now = earliest;
      }
      make_ways_in_longer(number, draft, overwritten, now);
      const Pipe pipe = draft.timing.pipe;
      if (const auto last = last_on_pipe.find(pipe); last != last_on_pipe.end()) {
        const auto [position, time] = last->second;
        if (const int free = time + spacing(program_.code[position], draft); free > now) {
          raise(previous, free - now, false);
          now = free;
        }
      }
      if (pipe != Pipe::none && pipe != Pipe::branch) {
        last_on_pipe[pipe] = {at, now};
      }
      write(at, now, inside, overwritten);
      now += draft.stall;
      previous = at;
    }
    leave(number, inside, overwritten, now);
  }

  void raise(std::size_t at, int cycles, bool dependence) {
    Draft& draft = program_.code[at];
    draft.stall += cycles;
    draft.yield = draft.yield || (dependence && draft.stall >= kYieldFrom);
    changed_ = true;
  }

  // Cycles after the issue of `pending` at which `draft` may issue; 0: it does not depend on it.
  int distance(const Draft& draft, const Pending& pending) const {
    const Draft& producer = program_.code[pending.producer];
    if (pending.reg >= RegisterMap::kCount) {
      const std::size_t scoreboard = pending.reg - RegisterMap::kCount;
      return (draft.wait_mask >> scoreboard & 1) != 0 ? dependence_.min_stall_before_wait_cycles
                                                      : 0;
    }
    int needed = 0;
    for (const Operand& source : draft.sources) {
      registers_.of(source, [&](std::size_t reg) {
        if (reg == pending.reg) {
          const RegisterFile file = program_.values[source.value].file;
          needed =
              std::max(needed, required_distance(producer, file, draft, source.role, dependence_));
        }
      });
    }
    if (has_variable_latency(draft)) {
      return needed;
    }
    for (const Operand& result : draft.results) {  // the later write must land later
      registers_.of(result, [&](std::size_t reg) {
        if (reg == pending.reg) {
          needed =
              std::max(needed, producer.timing.latency_cycles - draft.timing.latency_cycles + 1);
        }
      });
    }
    return needed;
  }

  int earliest_after(const Draft& draft, const State& state) const {
    int earliest = 0;
    for (const Pending& pending : state) {
      if (const int needed = distance(draft, pending); needed > 0) {
        earliest = std::max(earliest, pending.issued + needed);
      }
    }
    return earliest;
  }

  // What the end of a loop body has not finished when the next iteration begins: the consumer
  // waits, not the branch back, so that what stands between them can go on.
  int earliest_after_loop(std::size_t number, const Draft& draft,
                          const std::set<std::size_t>& overwritten, int /*now*/) const {
    int earliest = 0;
    for (const std::size_t before : graph_.blocks[number].predecessors) {
      if (before >= number) {
        earliest = std::max(earliest, earliest_after_block(before, draft, overwritten));
      }
    }
    return earliest;
  }

  int earliest_after_block(std::size_t before, const Draft& draft,
                           const std::set<std::size_t>& overwritten) const {
    int earliest = 0;
    for (const Pending& pending : left_[before]) {
      if (overwritten.count(pending.reg) > 0) {
        continue;
      }
      if (const int needed = distance(draft, pending); needed > 0) {
        earliest = std::max(earliest, pending.issued + needed);
      }
    }
    return earliest;
  }

  // Where the block is entered from too soon before a consumer, the way in gets longer.
  void make_ways_in_longer(std::size_t number, const Draft& draft,
                           const std::set<std::size_t>& overwritten, int now) {
    for (const std::size_t before : graph_.blocks[number].predecessors) {
      const int missing = earliest_after_block(before, draft, overwritten) - now;
      if (missing > 0) {
        raise(graph_.blocks[before].end - 1, missing, true);
        for (Pending& pending : left_[before]) {
          pending.issued -= missing;
        }
      }
    }
  }

  void write(std::size_t at, int now, State& inside, std::set<std::size_t>& overwritten) const {
    const Draft& draft = program_.code[at];
    const auto set = [&](std::size_t reg, bool pending) {
      overwritten.insert(reg);
      inside.erase(std::remove_if(inside.begin(), inside.end(),
                                  [reg](const Pending& p) { return p.reg == reg; }),
                   inside.end());
      if (pending) {
        inside.push_back({reg, at, now});
      }
    };
    for (const Operand& result : draft.results) {
      registers_.of(result, [&](std::size_t reg) { set(reg, !has_variable_latency(draft)); });
    }
    for (const std::uint8_t scoreboard : {draft.write_scoreboard, draft.read_scoreboard}) {
      if (scoreboard != kNoScoreboard) {
        set(scoreboard_register(scoreboard), true);
      }
    }
  }

  // What is still pending at the end of the block, times counted from there.
  void leave(std::size_t number, const State& inside, const std::set<std::size_t>& overwritten,
             int end) {
    State state;
    const auto keep = [&state](Pending pending, int until) {
      pending.issued -= until;
      if (pending.issued > -kForgotten) {
        add_youngest(state, pending);
      }
    };
    for (const Pending& pending : inside) {
      keep(pending, end);
    }
    for (const std::size_t before : graph_.blocks[number].predecessors) {
      for (const Pending& pending : left_[before]) {
        if (overwritten.count(pending.reg) == 0) {
          keep(pending, end);
        }
      }
    }
    std::sort(state.begin(), state.end(), [](const Pending& a, const Pending& b) {
      return std::tie(a.reg, a.producer) < std::tie(b.reg, b.producer);
    });
    if (!same_state(state, left_[number])) {
      left_[number] = std::move(state);
      changed_ = true;
    }
  }

  // The encoding has room for 15: longer waits continue in NOPs, behind an instruction, in front of
  // a branch.
  void fill_with_nops() {
    std::vector<Draft> filled;
    filled.reserve(program_.code.size());
    for (Draft& draft : program_.code) {
      int rest = std::max(0, draft.stall - kMaxStall);
      draft.stall -= rest;
      const bool jumps = draft.flow != Flow::next && draft.flow != Flow::branch_end;
      if (!jumps) {
        filled.push_back(draft);
      }
      while (rest > 0) {
        Draft nop;
        nop.mnemonic = "NOP";
        nop.stall = std::min(rest, kMaxStall);
        nop.yield = true;
        nop.line = draft.line;
        rest -= nop.stall;
        filled.push_back(nop);
      }
      if (jumps) {
        filled.push_back(draft);
      }
    }
    program_.code = std::move(filled);
  }

  DraftProgram& program_;
  RegisterMap registers_;
  const DependenceSpec& dependence_;
  FlowGraph graph_;
  std::vector<State> left_;  // by block
  bool changed_ = false;
};

}  // namespace

void assign_stall_counts(DraftProgram& program, const Allocation& allocation,
                         const DependenceSpec& dependence, bool nops) {
  StallCounter(program, allocation, dependence).run(nops);
}

}  // namespace smsim::sass
