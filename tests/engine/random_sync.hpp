// Random pieces in which warps wait for each other, each in a pattern that always ends.
#pragma once

#include "tests/engine/random_statements.hpp"

namespace smsim::test {

class RandomSync {
 public:
  RandomSync(RandomSource& random, ProgramBuilder& program, RandomStatements& statements,
             const LaunchSpec& launch, int warps)
      : random_(random),
        program_(program),
        statements_(statements),
        launch_(launch),
        warps_(warps) {}

  void make_queues();
  // `somebody_left`: only what works without the warps that have exited. `depth`: loops around.
  void one(bool somebody_left, int depth);

 private:
  void block_barrier(bool somebody_left);
  void arrive_and_sync();
  void producer_consumer();
  void dynamic_tasks(bool per_block);
  void static_tasks();
  void wait_for_previous_block();
  void cluster_barrier(bool all_stay);

  RandomSource& random_;
  ProgramBuilder& program_;
  RandomStatements& statements_;
  LaunchSpec launch_;
  int warps_;
};

}  // namespace smsim::test
