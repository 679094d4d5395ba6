// An independent look at control codes: walks a program along random ways and checks that nothing
// is used before it is there.
//
// It knows nothing of how the assembler arrives at its codes. Time passes by stall counts alone
// (every wait is over at once, the worst case for fixed latencies); results of variable latency
// never come by themselves (the worst case for scoreboards), only by a wait for their scoreboard.
#pragma once

#include <fmt/format.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/assembler.hpp"
#include "smsim/gpu_spec.hpp"

namespace smsim::test {

namespace hazards {

using sass::Draft;
using sass::Operand;
using sass::RegisterFile;
using sass::Role;

// A register by file and number.
using Register = std::pair<RegisterFile, int>;

struct Writer {
  const Draft* draft = nullptr;
  int time = 0;
  bool awaited = false;  // variable latency: its scoreboard has been waited for
};
struct Reader {
  const Draft* draft = nullptr;
  bool awaited = false;
};

inline bool variable(const Draft& draft) {
  return draft.action == Action::memory || draft.action == Action::mio ||
         draft.action == Action::complete_later;
}

inline int pipe_family(Pipe pipe) {
  switch (pipe) {
    case Pipe::fma:
    case Pipe::fma_heavy:
    case Pipe::fma_both:
      return 1;
    case Pipe::lsu:
    case Pipe::adu:
    case Pipe::tma:
      return 2;
    default:
      return 10 + static_cast<int>(pipe);
  }
}

class Walk {
 public:
  Walk(const Assembly& assembly, const GpuSpec& gpu, unsigned seed)
      : assembly_(assembly), program_(assembly.kernel.program), gpu_(gpu), random_(seed) {
    for (const Draft& draft : assembly.drafts.code) {
      if (!draft.is_label()) {
        drafts_.push_back(&draft);
      }
    }
  }

  std::string run() {
    std::uint32_t pc = 0;
    for (int step = 0; step < 3000 && hazard_.empty(); ++step) {
      if (pc >= drafts_.size()) {
        return "runs off the end";
      }
      issue(pc);
      const std::int64_t next = follow(pc);
      if (next < 0) {
        break;
      }
      pc = static_cast<std::uint32_t>(next);
    }
    return hazard_;
  }

 private:
  std::vector<Register> registers(const Operand& operand) const {
    const sass::Value& value = assembly_.drafts.values[operand.value];
    const int first = assembly_.allocation.first[operand.value];
    if (operand.component != sass::kWhole) {
      return {{value.file, first + operand.component}};
    }
    std::vector<Register> all;
    for (int part = 0; part < value.width; ++part) {
      all.emplace_back(value.file, first + part);
    }
    return all;
  }

  void complain(std::uint32_t pc, const std::string& what) {
    if (hazard_.empty()) {
      hazard_ = fmt::format("pc {} '{}': {}", pc, program_.text[pc], what);
    }
  }

  void issue(std::uint32_t pc) {
    const Draft& draft = *drafts_[pc];
    const Instruction& code = program_.code[pc];
    await(code, pc);
    for (const Operand& source : draft.sources) {
      for (const Register& reg : registers(source)) {
        check_read(pc, draft, source, reg);
      }
    }
    for (const Operand& result : draft.results) {
      for (const Register& reg : registers(result)) {
        check_write(pc, draft, reg);
      }
    }
    remember(draft, code);
    time_ += code.stall_cycles;
  }

  void await(const Instruction& code, std::uint32_t pc) {
    for (int scoreboard = 0; scoreboard < kScoreboards; ++scoreboard) {
      if ((code.wait_mask >> scoreboard & 1) == 0) {
        continue;
      }
      const auto set = set_at_.find(scoreboard);
      if (set != set_at_.end() &&
          time_ - set->second < gpu_.dependence.min_stall_before_wait_cycles) {
        complain(pc, "waits for a scoreboard in the cycle after it was set");
      }
      for (auto& [reg, writer] : writers_) {
        writer.awaited |= writer.draft->write_scoreboard == scoreboard;
      }
      for (auto& [reg, readers] : readers_) {
        for (Reader& reader : readers) {
          reader.awaited |= reader.draft->read_scoreboard == scoreboard ||
                            reader.draft->write_scoreboard == scoreboard;
        }
      }
    }
  }

  int needed(const Draft& producer, const Draft& consumer, const Operand& source,
             RegisterFile file) const {
    const DependenceSpec& rules = gpu_.dependence;
    const int latency = producer.timing.latency_cycles;
    const int from = pipe_family(producer.timing.pipe);
    const int to = pipe_family(consumer.timing.pipe);
    if (file == RegisterFile::predicate && source.role == Role::guard) {
      return rules.predicate_to_guard_cycles;
    }
    if (file == RegisterFile::uniform) {
      return latency +
             (consumer.timing.pipe == Pipe::uniform ? 0 : rules.uniform_to_vector_extra_cycles);
    }
    if (source.role == Role::memory || to == 2) {
      const bool long_pipe =
          producer.timing.pipe == Pipe::fp64 || producer.timing.pipe == Pipe::tensor;
      return latency + (long_pipe ? -1 : rules.to_memory_extra_cycles);
    }
    return latency + (from == to ? 0 : rules.cross_pipe_extra_cycles);
  }

  void check_read(std::uint32_t pc, const Draft& draft, const Operand& source,
                  const Register& reg) {
    const auto found = writers_.find(reg);
    if (found == writers_.end()) {
      return;
    }
    const Writer& writer = found->second;
    if (variable(*writer.draft)) {
      if (!writer.awaited) {
        complain(pc, "reads the result of '" + writer.draft->mnemonic + "' without waiting for it");
      }
      return;
    }
    const int distance = needed(*writer.draft, draft, source, reg.first);
    if (time_ - writer.time < distance) {
      complain(pc, fmt::format("reads the result of '{}' after {} cycles, not {}",
                               writer.draft->mnemonic, time_ - writer.time, distance));
    }
  }

  void check_write(std::uint32_t pc, const Draft& draft, const Register& reg) {
    if (const auto found = writers_.find(reg); found != writers_.end()) {
      const Writer& writer = found->second;
      if (variable(*writer.draft) && writer.draft->write_scoreboard != kNoScoreboard &&
          !writer.awaited) {
        complain(pc, "overwrites the result of '" + writer.draft->mnemonic + "' in flight");
      }
      if (!variable(*writer.draft) && !variable(draft) &&
          time_ + draft.timing.latency_cycles <=
              writer.time + writer.draft->timing.latency_cycles) {
        complain(pc, "is overtaken by '" + writer.draft->mnemonic + "'");
      }
    }
    for (const Reader& reader : readers_[reg]) {
      if (!reader.awaited) {
        complain(pc, "overwrites an operand that '" + reader.draft->mnemonic + "' has yet to read");
      }
    }
  }

  void remember(const Draft& draft, const Instruction& code) {
    if (draft.reads_late) {
      for (const Operand& source : draft.sources) {
        for (const Register& reg : registers(source)) {
          readers_[reg].push_back({&draft, false});
        }
      }
    }
    for (const Operand& result : draft.results) {
      for (const Register& reg : registers(result)) {
        writers_[reg] = {&draft, time_, false};
        if (!draft.reads_late) {
          readers_[reg].clear();
        }
      }
    }
    for (const std::uint8_t scoreboard : {code.write_scoreboard, code.read_scoreboard}) {
      if (scoreboard != kNoScoreboard) {
        set_at_[scoreboard] = time_;
      }
    }
  }

  bool flip() { return (random_() >> 7 & 1) != 0; }

  // Any way that the program could go; -1 at its end.
  std::int64_t follow(std::uint32_t pc) {
    const Instruction& code = program_.code[pc];
    const auto either = [this](std::uint32_t a, std::uint32_t b) { return flip() ? a : b; };
    const std::uint32_t operand = code.flow_operand;
    switch (code.flow) {
      case Flow::next:
      case Flow::guard:
      case Flow::branch_end:
        return pc + 1;
      case Flow::jump:
        return operand;
      case Flow::loop_enter:
        return program_.loops[operand].trips.kind == TripCount::Kind::constant
                   ? pc + 1
                   : either(pc + 1, program_.loops[operand].end_pc);
      case Flow::loop_back:
        return either(pc + 1, program_.loops[operand].begin_pc);
      case Flow::branch_if:
        return either(pc + 1, program_.branches[operand].else_pc);
      case Flow::branch_else:
        return program_.branches[operand].end_pc;
      case Flow::task_check:
        return either(pc + 1, program_.task_loops[operand].end_pc);
      case Flow::task_back:
        return either(program_.task_loops[operand].fetch_pc,
                      program_.task_loops[operand].batch > 1
                          ? program_.task_loops[operand].body_pc
                          : program_.task_loops[operand].fetch_pc);
      case Flow::spin_back:
        return either(pc + 1, program_.spins[operand].poll_pc);
      case Flow::route:
      case Flow::converge_open:
      case Flow::converge:
      case Flow::call:
      case Flow::ret:
      case Flow::recorded:  // in machine code only
      case Flow::exit:
        return -1;
    }
    return -1;
  }

  const Assembly& assembly_;
  const Program& program_;
  const GpuSpec& gpu_;
  std::mt19937 random_;
  std::vector<const Draft*> drafts_;
  std::map<Register, Writer> writers_;
  std::map<Register, std::vector<Reader>> readers_;
  std::map<int, int> set_at_;
  int time_ = 0;
  std::string hazard_;
};

}  // namespace hazards

/// "" when all is well, otherwise the first hazard found on one of `walks` random ways.
inline std::string find_hazard(const Assembly& assembly, const GpuSpec& gpu, int walks,
                               unsigned seed) {
  for (int walk = 0; walk < walks; ++walk) {
    const std::string hazard =
        hazards::Walk(assembly, gpu, seed + static_cast<unsigned>(walk)).run();
    if (!hazard.empty()) {
      return hazard;
    }
  }
  return "";
}

}  // namespace smsim::test
