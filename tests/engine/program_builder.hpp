// Puts programs together instruction by instruction, for tests. Loops and branches take their
// bodies as functions, so that begin and end always match.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "smsim/kernel_spec.hpp"

namespace smsim::test {

using Body = std::function<void()>;

class ProgramBuilder {
 public:
  std::uint32_t add(const Instruction& in) {
    program.code.push_back(in);
    return here() - 1;
  }
  [[nodiscard]] std::uint32_t here() const {
    return static_cast<std::uint32_t>(program.code.size());
  }

  // --- instructions
  static Instruction op(Pipe pipe, int stall = 1, int interval = 1);
  static Instruction act(Action action, std::uint16_t operand = 0, int stall = 1);
  Instruction access(const MemoryAccess& memory, int stall = 1);
  Instruction flow(Flow kind, std::uint32_t operand = 0, int stall = 1) const;

  // --- tables
  std::uint16_t condition(const Condition& condition);
  std::uint16_t mbarrier(int arrivals, int initial = 0);
  std::uint16_t barrier_use(int id, int expected, bool wait = true);

  // --- structure
  void loop(const TripCount& trips, const Body& body);
  void loop(std::uint64_t trips, const Body& body);
  void branch(const Condition& where, const Body& then, const Body& otherwise = nullptr);
  void tasks(TaskLoop loop, const Body& take, const Body& body);
  // Polls with `poll` until the flag is high enough.
  void spin(const MemoryAccess& poll, int scoreboard, int sleep = 0);
  void barrier(int id = 0, int expected = 0, bool wait = true);
  void exit();

  Program program;

 private:
  std::uint8_t loop_depth_ = 0;
  std::uint8_t branch_depth_ = 0;
};

// A launch of `blocks` blocks of `threads` threads.
KernelSpec kernel_of(const ProgramBuilder& builder, std::uint64_t blocks, std::uint64_t threads);

Condition warps(std::uint64_t first, std::uint64_t last);

}  // namespace smsim::test
