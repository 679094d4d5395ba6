// Variable latencies: producers set one of six scoreboards, the first consumer waits for it.
#include <algorithm>
#include <array>

#include "sim/kernel/control_codes.hpp"
#include "sim/kernel/flow_graph.hpp"
#include "sim/kernel/next_touch.hpp"

namespace smsim::sass {

bool has_variable_latency(const Draft& draft) {
  return draft.action == Action::mio || draft.action == Action::memory ||
         draft.action == Action::complete_later;
}

namespace {

// Scoreboards in flight for each register: as result, and as operand that is still to be read.
struct Flight {
  std::array<std::uint8_t, RegisterMap::kCount> writes{};
  std::array<std::uint8_t, RegisterMap::kCount> reads{};
  std::uint8_t busy = 0;

  bool merge(const Flight& other) {
    bool changed = (other.busy & ~busy) != 0;
    busy |= other.busy;
    for (std::size_t reg = 0; reg < writes.size(); ++reg) {
      changed = changed || (other.writes[reg] & ~writes[reg]) != 0 ||
                (other.reads[reg] & ~reads[reg]) != 0;
      writes[reg] |= other.writes[reg];
      reads[reg] |= other.reads[reg];
    }
    return changed;
  }
  void clear(std::uint8_t mask) {
    busy &= static_cast<std::uint8_t>(~mask);
    for (std::size_t reg = 0; reg < writes.size(); ++reg) {
      writes[reg] &= static_cast<std::uint8_t>(~mask);
      reads[reg] &= static_cast<std::uint8_t>(~mask);
    }
  }
};

class ScoreboardAssigner {
 public:
  ScoreboardAssigner(DraftProgram& program, const Allocation& allocation)
      : program_(program),
        registers_(program, allocation),
        graph_(build_flow_graph(program)),
        next_(find_next_touches(program, registers_, graph_)),
        entry_(graph_.blocks.size()) {}

  void run() {
    reserve_async();
    // The second round knows what loops still have in flight when they begin again.
    for (int round = 0; round < 2; ++round) {
      choose(round > 0);
      flow();
    }
  }

 private:
  // Groups of asynchronous copies keep scoreboards of their own, from the top.
  void reserve_async() {
    for (const Draft& draft : program_.code) {
      available_ = std::min(available_, kScoreboards - (draft.async_slot + 1));
    }
  }
  static std::uint8_t async_scoreboard(int slot) {
    return static_cast<std::uint8_t>(kScoreboards - 1 - slot);
  }

  void choose(bool loops_known) {
    Flight flight;
    due_.fill(0);
    for (std::size_t number = 0; number < graph_.blocks.size(); ++number) {
      if (loops_known) {
        flight = entry_[number];
      }
      const BasicBlock& block = graph_.blocks[number];
      for (std::size_t at = block.begin; at < block.end; ++at) {
        Draft& draft = program_.code[at];
        flight.clear(waits(draft, flight));
        draft.write_scoreboard = kNoScoreboard;
        draft.read_scoreboard = kNoScoreboard;
        if (draft.async_slot >= 0) {
          draft.write_scoreboard = async_scoreboard(draft.async_slot);
        } else if (has_variable_latency(draft) && next_.touch[at] != kNever) {
          draft.write_scoreboard = pick(at + next_.touch[at], flight);
          flight.busy |= bit(draft.write_scoreboard);
        }
        if (needs_read_scoreboard(at)) {
          draft.read_scoreboard = pick(at + next_.overwrite[at], flight);
        }
        issue(draft, flight);
      }
    }
  }

  // Operands that leave the registers late must not be overwritten before; a result that is awaited
  // earlier proves that they have left.
  bool needs_read_scoreboard(std::size_t at) const {
    const Draft& draft = program_.code[at];
    return draft.reads_late && next_.overwrite[at] != kNever &&
           !(draft.write_scoreboard != kNoScoreboard && draft.async_slot < 0 &&
             next_.touch[at] <= next_.overwrite[at]);
  }

  // A free scoreboard; the same one for what the same instruction waits for; when all six are in
  // flight, the one that is awaited nearest to the new one's consumer.
  std::uint8_t pick(std::size_t due, const Flight& flight) {
    int best = -1;
    for (int scoreboard = 0; scoreboard < available_; ++scoreboard) {
      const bool busy = (flight.busy >> scoreboard & 1) != 0;
      if (busy && due_[static_cast<std::size_t>(scoreboard)] == due) {
        return static_cast<std::uint8_t>(scoreboard);
      }
      if (!busy && best < 0) {
        best = scoreboard;
      }
    }
    if (best < 0) {
      best = nearest(due);
    }
    std::size_t& due_of_best = due_[static_cast<std::size_t>(best)];
    const bool shared = (flight.busy >> best & 1) != 0;
    due_of_best = shared ? std::min(due_of_best, due) : due;
    return static_cast<std::uint8_t>(best);
  }

  int nearest(std::size_t due) const {
    const auto apart = [this, due](int scoreboard) {
      const std::size_t other = due_[static_cast<std::size_t>(scoreboard)];
      return other > due ? other - due : due - other;
    };
    int best = 0;
    for (int scoreboard = 1; scoreboard < available_; ++scoreboard) {
      if (apart(scoreboard) < apart(best)) {
        best = scoreboard;
      }
    }
    return best;
  }

  static std::uint8_t bit(std::uint8_t scoreboard) {
    return scoreboard == kNoScoreboard ? std::uint8_t{0}
                                       : static_cast<std::uint8_t>(1U << scoreboard);
  }

  // Scoreboards that must be clear before an instruction issues.
  std::uint8_t waits(const Draft& draft, const Flight& flight) const {
    std::uint8_t mask = 0;
    for (const Operand& source : draft.sources) {
      registers_.of(source, [&](std::size_t reg) { mask |= flight.writes[reg]; });
    }
    for (const Operand& result : draft.results) {
      registers_.of(result, [&](std::size_t reg) {
        mask |= static_cast<std::uint8_t>(flight.writes[reg] | flight.reads[reg]);
      });
    }
    for (int slot = 0; slot < kScoreboards; ++slot) {
      if ((draft.async_waits >> slot & 1) != 0) {
        mask |= bit(async_scoreboard(slot));
      }
    }
    return mask;
  }

  void issue(const Draft& draft, Flight& flight) const {
    const std::uint8_t write = bit(draft.write_scoreboard);
    const std::uint8_t read = bit(draft.read_scoreboard);
    flight.busy |= static_cast<std::uint8_t>(write | read);
    for (const Operand& source : draft.sources) {
      registers_.of(source, [&](std::size_t reg) {
        flight.reads[reg] |= read != 0 ? read : draft.reads_late ? write : std::uint8_t{0};
      });
    }
    for (const Operand& result : draft.results) {
      registers_.of(result, [&](std::size_t reg) {
        flight.writes[reg] = write;
        flight.reads[reg] = 0;
      });
    }
  }

  // Wait masks from what can be in flight, over all ways through the program.
  void flow() {
    entry_.assign(graph_.blocks.size(), Flight{});
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t number : graph_.order) {
        Flight flight = entry_[number];
        const BasicBlock& block = graph_.blocks[number];
        for (std::size_t at = block.begin; at < block.end; ++at) {
          Draft& draft = program_.code[at];
          draft.wait_mask = waits(draft, flight);
          flight.clear(draft.wait_mask);
          issue(draft, flight);
        }
        for (const std::size_t successor : block.successors) {
          changed |= entry_[successor].merge(flight);
        }
      }
    }
  }

  DraftProgram& program_;
  RegisterMap registers_;
  FlowGraph graph_;
  NextTouches next_;
  std::vector<Flight> entry_;  // by block
  int available_ = kScoreboards;
  std::array<std::size_t, kScoreboards> due_{};  // position of the first consumer
};

}  // namespace

void assign_scoreboards(DraftProgram& program, const Allocation& allocation) {
  ScoreboardAssigner(program, allocation).run();
}

}  // namespace smsim::sass
