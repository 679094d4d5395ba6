// Kernels that can never end: found, and explained down to the warps.
#include <atomic>

#include "smsim/gpu_file.hpp"
#include "smsim/simulate.hpp"
#include "tests/catch.hpp"
#include "tests/engine/program_builder.hpp"

using namespace smsim;
using namespace smsim::test;
using Catch::Matchers::Contains;

namespace {

GpuSpec one_sm() {
  GpuSpec gpu = load_gpu("h200").spec;
  gpu.topology.sms = 1;
  gpu.topology.sms_per_gpc.clear();
  return gpu;
}

SimulationResult run(const ProgramBuilder& program, std::uint64_t blocks, std::uint64_t threads,
                     SimulateOptions options = {}) {
  KernelSpec kernel = kernel_of(program, blocks, threads);
  kernel.launch.barriers = 2;
  return simulate(one_sm(), kernel, options);
}

Deadlock deadlock_of(const ProgramBuilder& program, std::uint64_t blocks, std::uint64_t threads) {
  const SimulationResult result = run(program, blocks, threads);
  REQUIRE(result.status == Status::deadlock);
  REQUIRE(result.deadlock.has_value());
  CHECK(result.deadlock->explanation != "");
  return *result.deadlock;
}

MemoryAccess flag_access(QueueOp what, std::uint32_t amount) {
  MemoryAccess access;
  access.kind = what == QueueOp::signal ? AccessKind::reduction : AccessKind::load;
  access.sectors = 1;
  access.scales_with_lanes = false;
  access.queue_op = what;
  access.amount = amount;
  return access;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

}  // namespace

TEST_CASE("two roles wait at each other's barrier") {
  ProgramBuilder program;
  program.branch(
      warps(0, 1), [&] { program.barrier(0, 2); }, [&] { program.barrier(1, 2); });
  program.barrier(2, 2);
  program.exit();
  const Deadlock deadlock = deadlock_of(program, 1, 64);
  CHECK(deadlock.blocked_warps == 2);
  CHECK(deadlock.warps[0].waits_for == "barrier 0: 1 of 2 warps arrived");
  CHECK(deadlock.warps[1].waits_for == "barrier 1: 1 of 2 warps arrived");
  CHECK(deadlock.wait_for_cycle.size() == 2);
  CHECK_THAT(joined(deadlock.wait_for_cycle), Contains("block 0 warp 0"));
  CHECK_THAT(joined(deadlock.wait_for_cycle), Contains("block 0 warp 1"));
}

TEST_CASE("a counted barrier of a role whose other warps have exited") {
  ProgramBuilder program;
  program.branch(warps(0, 1), [&] { program.barrier(1, 4); });
  program.exit();
  const Deadlock deadlock = deadlock_of(program, 1, 128);
  CHECK(deadlock.blocked_warps == 1);
  CHECK(deadlock.warps[0].waits_for == "barrier 1: 1 of 4 warps arrived");
}

TEST_CASE("a named barrier that expects more warps than there are") {
  ProgramBuilder program;
  program.barrier(1, 3);
  program.exit();
  const Deadlock deadlock = deadlock_of(program, 1, 64);
  CHECK(deadlock.blocked_warps == 2);
  CHECK(deadlock.warps[0].waits_for == "barrier 1: 2 of 3 warps arrived");
  CHECK(deadlock.warps[0].pc == 0);
}

TEST_CASE("an mbarrier that nobody completes") {
  ProgramBuilder program;
  const std::uint16_t full = program.mbarrier(2);
  program.branch(
      warps(0, 1), [&] { program.add(ProgramBuilder::act(Action::mbarrier_arrive, full)); },
      [&] { program.add(ProgramBuilder::act(Action::mbarrier_wait, full)); });
  program.exit();
  const Deadlock deadlock = deadlock_of(program, 1, 64);
  CHECK(deadlock.blocked_warps == 1);
  CHECK_THAT(deadlock.warps[0].waits_for, Contains("needs 2 arrivals"));
}

TEST_CASE("a flag that nobody raises") {
  ProgramBuilder program;
  program.program.flags = 1;
  program.spin(flag_access(QueueOp::poll, 1), 0);
  program.exit();
  const Deadlock deadlock = deadlock_of(program, 2, 32);
  CHECK(deadlock.blocked_warps == 2);
  CHECK_THAT(deadlock.warps[0].waits_for, Contains("it is 0 and must reach 1"));
  CHECK(deadlock.blocks_not_started == 0);
}

TEST_CASE("a grid-wide wait whose partners find no room") {
  ProgramBuilder program;
  program.program.flags = 1;
  program.add(program.access(flag_access(QueueOp::signal, 1)));
  program.spin(flag_access(QueueOp::poll, 3 * 32), 0);
  program.exit();
  const Deadlock deadlock = deadlock_of(program, 3, 1024);
  CHECK(deadlock.blocks_not_started == 1);
  CHECK_THAT(joined(deadlock.wait_for_cycle), Contains("block 2 (not started"));
}

TEST_CASE("warps that have exited do not keep a block barrier closed") {
  ProgramBuilder program;
  program.add(program.flow(Flow::guard, program.condition(warps(0, 3))));
  program.barrier();
  program.exit();
  CHECK(run(program, 4, 256).status == Status::completed);
}

TEST_CASE("a warp that exits last opens the barrier") {
  ProgramBuilder program;
  program.branch(warps(0, 1), [&] {
    Instruction sleep = ProgramBuilder::act(Action::sleep);
    sleep.latency_cycles = 5000;
    program.add(sleep);
    program.exit();
  });
  program.barrier();
  program.exit();
  const SimulationResult result = run(program, 1, 256);
  CHECK(result.status == Status::completed);
  CHECK(result.counters.last_block_end > 5000);
}

TEST_CASE("max_cycles ends a run exactly there") {
  ProgramBuilder program;
  program.loop(1000000, [&] { program.add(ProgramBuilder::op(Pipe::fma, 4)); });
  program.exit();
  SimulateOptions options;
  options.max_cycles = 12345;
  const SimulationResult result = run(program, 1, 32, options);
  CHECK(result.status == Status::max_cycles);
  CHECK(result.counters.elapsed_cycles == 12345);
}

TEST_CASE("an interrupt ends a run with what there is") {
  ProgramBuilder program;
  program.loop(1000000, [&] { program.add(ProgramBuilder::op(Pipe::fma, 4)); });
  program.exit();
  std::atomic<bool> interrupt = false;
  SimulateOptions options;
  options.interrupt = &interrupt;
  options.progress = [&](std::uint64_t, std::uint64_t, std::uint64_t cycle) {
    if (cycle > 10000) interrupt = true;
  };
  const SimulationResult result = run(program, 1, 32, options);
  CHECK(result.status == Status::interrupted);
  CHECK(result.counters.elapsed_cycles > 10000);
  CHECK(result.counters.elapsed_cycles < 20000);
}
