// Bounds of kernels that can be worked out by hand.
#include "sim/metrics/bounds.hpp"

#include "sim/metrics/residency.hpp"
#include "tests/catch.hpp"
#include "tests/metrics/hand_made.hpp"

using namespace smsim;

namespace {

double cycles_of(const Result& result, const std::string& name) {
  for (const Bound& bound : result.verdict.bounds) {
    if (bound.name == name) {
      return bound.cycles;
    }
  }
  return 0;
}

Instruction load(int scoreboard, std::uint16_t access) {
  Instruction code = test::instruction(Pipe::lsu, 1);
  code.action = Action::memory;
  code.operand = access;
  code.write_scoreboard = static_cast<std::uint8_t>(scoreboard);
  return code;
}

// One warp loads, waits for it and ends.
KernelSpec load_kernel(double l1_hit, double l2_hit) {
  KernelSpec kernel;
  kernel.name = "load";
  kernel.launch.block.x = 32;
  MemoryAccess access;
  access.l1_hit = l1_hit;
  access.l2_hit = l2_hit;
  kernel.program.accesses.push_back(access);
  test::add(kernel.program, "LDG.E R0, [R2] ;", load(0, 0));
  Instruction exit = test::instruction(Pipe::branch, 5);
  exit.action = Action::exit;
  exit.flow = Flow::exit;
  exit.wait_mask = 1;
  test::add(kernel.program, "EXIT ;", exit);
  return kernel;
}

Result simulated(const KernelSpec& kernel) {
  SimulateOptions options;
  options.count_instructions = true;
  GpuSpec gpu = test::h200();
  gpu.l2.request_latency_cycles = 100;
  return make_result(gpu, kernel, simulate(gpu, kernel, options));
}

}  // namespace

TEST_CASE("a chain of multiply-adds is as long as its stall counts") {
  const KernelSpec kernel = test::chain_kernel(100, 132);
  const Result result = make_result(test::h200(), kernel, test::chain_run(test::h200(), kernel));
  CHECK(cycles_of(result, "one_warp") == 401);  // 100 x 4, and the EXIT
  CHECK(cycles_of(result, "issue") == 101);
  CHECK(cycles_of(result, "pipe_fma") == 98);  // 100 less what may hang over the end
  CHECK(cycles_of(result, "launch_overhead") == 700);
  CHECK(result.verdict.bound == "launch_overhead");  // 700 of 1,105 cycles
  CHECK(result.verdict.near == std::vector<std::string>{"one_warp"});
  // 132 blocks of 4 warps, 401 cycles each, in 132 x 64 places.
  CHECK(cycles_of(result, "latency") == Approx(401.0 / 16));
}

TEST_CASE("a load is as far away as the nearest place that may serve it") {
  CHECK(cycles_of(simulated(load_kernel(1, 1)), "one_warp") == 32 + 5);
  CHECK(cycles_of(simulated(load_kernel(0, 1)), "one_warp") == 265 + 5);
  CHECK(cycles_of(simulated(load_kernel(0, 0)), "one_warp") == 265 + 345 + 5);
}

TEST_CASE("the unloaded path explains a warp that has the machine to itself") {
  const Result result = simulated(load_kernel(0, 1));
  const double alone = result.value("smsim__warp_cycles.avg").value_or(0);
  const double bound = cycles_of(result, "one_warp");
  CHECK(bound <= alone);
  CHECK(bound >= 0.9 * alone);
}

TEST_CASE("memory that nobody waits for takes none of the kernel's cycles") {
  const KernelSpec kernel = test::chain_kernel(10, 132);
  SimulationResult run = test::chain_run(test::h200(), kernel);
  run.counters.memory.dram_write_bytes = 1ULL << 40U;
  const Result result = make_result(test::h200(), kernel, run);
  CHECK(cycles_of(result, "dram_bandwidth") ==
        static_cast<double>(run.counters.last_block_end - run.counters.first_block_start));
  CHECK(check_identities(run.counters, result) == std::vector<std::string>{});
}

TEST_CASE("pops of a queue follow one another as operations on one address do") {
  GpuSpec gpu = test::h200();
  gpu.atomic.same_address_interval_cycles = 1;
  gpu.atomic.sector_interval_cycles = 2;  // only where several addresses share a line
  const KernelSpec kernel = test::chain_kernel(10, 132);
  SimulationResult run = test::chain_run(gpu, kernel);
  run.counters.memory.queue_pops = 20;
  CHECK(cycles_of(make_result(gpu, kernel, run), "work_queue") == 20);
}

TEST_CASE("a false counter is caught") {
  const KernelSpec kernel = test::chain_kernel(10, 132);
  SimulationResult run = test::chain_run(test::h200(), kernel);
  run.counters.sm[3].sub[1].state[0] += 1;
  const Result result = make_result(test::h200(), kernel, run);
  const std::vector<std::string> found = check_identities(run.counters, result);
  REQUIRE(found.size() == 2);
  CHECK(found[0].find("SM 3 scheduler 1") == 0);
  CHECK(found[1].find("stall ratios") == 0);
}
