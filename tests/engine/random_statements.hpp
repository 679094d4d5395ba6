// Random code that one warp runs alone: arithmetic, memory, loops, branches, predicates.
#pragma once

#include "tests/engine/program_builder.hpp"
#include "tests/engine/random_source.hpp"

namespace smsim::test {

class RandomStatements {
 public:
  RandomStatements(RandomSource& random, ProgramBuilder& program, const LaunchSpec& launch)
      : random_(random), program_(program), launch_(launch) {}

  void make_arrays();
  void some(int count) { statements(count, 0); }
  // Threads, warps or blocks that exit here.
  void leave_early();
  [[nodiscard]] bool somebody_left() const { return somebody_left_; }
  // The same number for all warps of a block.
  TripCount trips_of_a_block();
  MemoryAccess global_access();

 private:
  void statements(int count, int depth);
  void instruction();
  void add(Instruction in);
  void memory();
  void route(int depth);
  std::size_t add_route(const Route& route);
  std::array<std::uint8_t, 2> bank_reads();
  void complete_later();
  Condition condition();
  TripCount trips();
  Distribution distribution();

  RandomSource& random_;
  ProgramBuilder& program_;
  LaunchSpec launch_;
  bool somebody_left_ = false;
};

}  // namespace smsim::test
