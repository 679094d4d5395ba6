// Static task loops: every task is taken exactly once, whatever the launch and the batch.
#include <map>

#include "sim/kernel/warp_flow.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

// fetch: check; body: back; end: exit.
Program task_program(std::uint64_t tasks, std::uint32_t batch, bool per_block) {
  Program program;
  program.code.resize(3);
  program.code[0].flow = Flow::task_check;
  program.code[1].flow = Flow::task_back;
  program.code[2].flow = Flow::exit;
  TaskQueue queue;
  queue.tasks = tasks;
  program.queues.push_back(queue);
  TaskLoop loop;
  loop.dynamic = false;
  loop.per_block = per_block;
  loop.batch = batch;
  loop.fetch_pc = 0;
  loop.body_pc = 1;
  loop.end_pc = 2;
  program.task_loops.push_back(loop);
  return program;
}

// How often each task is taken by the first warp of a block, or by any warp.
std::map<std::uint64_t, int> taken(const Program& program, const LaunchShape& shape,
                                   bool per_block) {
  std::map<std::uint64_t, int> count;
  for (std::uint64_t block = 0; block < shape.blocks; ++block) {
    for (std::uint32_t warp = 0; warp < (per_block ? 1 : shape.warps_per_block); ++warp) {
      WarpFlow flow = start_warp(program, shape, block, warp);
      while (follow(program, shape, flow, 0) != FlowStep::exited) {
        count[flow.task] += flow.pc == 1 ? 1 : 0;
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("static tasks are taken once each") {
  for (const bool per_block : {false, true}) {
    for (const std::uint32_t batch : {1U, 3U}) {
      for (const std::uint64_t tasks : {5ULL, 64ULL, 1000ULL}) {
        LaunchShape shape;
        shape.blocks = 7;
        shape.threads_per_block = 128;
        shape.warps_per_block = 4;
        INFO(per_block << " " << batch << " " << tasks);
        const auto count = taken(task_program(tasks, batch, per_block), shape, per_block);
        int ones = 0;
        for (const auto& [task, times] : count) {
          ones += times == 1 && task < tasks ? 1 : 0;
        }
        CHECK(ones == static_cast<int>(tasks));
      }
    }
  }
}
