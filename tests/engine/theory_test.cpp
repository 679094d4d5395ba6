// Where a formula or a published measurement says what must come out.
#include <algorithm>

#include "smsim/gpu_file.hpp"
#include "smsim/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/engine/plain_machine.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

KernelSpec repeat(const Instruction& instruction, int times, std::uint64_t threads) {
  ProgramBuilder program;
  for (int i = 0; i < times; ++i) program.add(instruction);
  program.exit();
  return kernel_of(program, 1, threads);
}

}  // namespace

TEST_CASE("a chain of n dependent instructions takes n stall counts") {
  for (const int stall : {1, 2, 4, 15}) {
    const EngineRun run =
        run_plain(plain_machine(), repeat(ProgramBuilder::op(Pipe::fma, stall), 100, 32));
    CHECK(cycles_of(run, 100) == std::vector<Cycle>{static_cast<Cycle>(2 + 100 * stall)});
  }
}

TEST_CASE("a pipe of interval n takes one instruction in n cycles, however many warps wait") {
  for (const int interval : {2, 4, 16}) {
    KernelSpec kernel = repeat(ProgramBuilder::op(Pipe::alu, 1, interval), 20, 1024);
    kernel.launch.grid.x = 2;
    const EngineRun run = run_plain(plain_machine(), kernel);
    // 16 warps in each sub-partition; nobody waits for the last instruction's interval to end.
    const SubPartitionCounters& sub = run.counters.sm[0].sub[0];
    const auto busy = static_cast<std::uint64_t>(16 * 20 * interval);
    CHECK(sub.pipe_busy_cycles[static_cast<std::size_t>(Pipe::alu)] == busy);
    CHECK(sub.active_cycles + static_cast<std::uint64_t>(interval) >= busy);
    CHECK(sub.active_cycles <= busy + 20);
  }
}

// Huerta et al., "Analyzing Modern NVIDIA GPU Cores", table 1: independent loads that hit L1.
TEST_CASE("the memory queue issues as published") {
  GpuSpec gpu = plain_machine();
  gpu.mio.lg_queue_entries = 5;
  gpu.mio.dispatch_latency_cycles = 11;
  gpu.mio.load_interval_cycles = 4;
  gpu.mio.port_interval_cycles = 2;
  MemoryAccess hit;
  hit.l1_hit = 1;
  ProgramBuilder program;
  const Instruction load = program.access(hit);
  for (int i = 0; i < 10; ++i) program.add(load);
  program.exit();
  using Row = std::vector<Cycle>;  // of instruction 6, 7, ... by sub-partition
  const std::vector<std::vector<Row>> published = {
      {{13}, {17}, {21}, {25}},
      {{13, 15}, {17, 19}, {21, 23}, {25, 27}},
      {{13, 15, 17}, {19, 21, 23}, {25, 27, 29}, {31, 33, 35}},
      {{13, 15, 17, 19}, {21, 23, 25, 27}, {29, 31, 33, 35}, {37, 39, 41, 43}}};
  for (std::size_t active = 1; active <= 4; ++active) {
    const EngineRun run = run_plain(gpu, kernel_of(program, 1, 32 * active));
    INFO(active << " active sub-partitions");
    for (std::uint32_t i = 0; i < 5; ++i) CHECK(cycles_of(run, i) == Row(active, 2 + i));
    for (std::uint32_t i = 0; i < 4; ++i) CHECK(cycles_of(run, 5 + i) == published[active - 1][i]);
  }
}

TEST_CASE("Little's law: sectors in flight = sectors per cycle x latency") {
  for (const int most : {32, 128, 512}) {
    GpuSpec gpu = plain_machine();
    gpu.l1.max_outstanding_sectors = most;
    gpu.l1.request_bytes_per_cycle = 4096;
    gpu.mio.load_interval_cycles = 1;
    MemoryAccess miss;
    miss.l2_hit = 1;
    ProgramBuilder program;
    const Instruction load = program.access(miss);
    program.loop(100, [&] { program.add(load); });
    program.exit();
    const EngineRun run = run_plain(gpu, kernel_of(program, 1, 1024));
    const double sectors = static_cast<double>(run.counters.memory.l2_read_sectors);
    const double cycles = static_cast<double>(run.counters.elapsed_cycles);
    const double in_sm = Machine(gpu).l1_miss_latency;  // before a request leaves
    const double latency = in_sm + static_cast<double>(run.counters.memory.load_latency_cycles) /
                                       static_cast<double>(run.counters.memory.load_requests);
    CHECK(sectors == 32 * 100 * 4);
    CHECK(sectors / cycles * latency == Approx(most).epsilon(0.03));
  }
}

TEST_CASE("a barrier of W warps that arrive together costs its latency and 2 W cycles") {
  for (std::uint64_t warps = 1; warps <= 32; ++warps) {
    GpuSpec gpu = plain_machine();
    gpu.barrier.latency_cycles = 20;
    gpu.barrier.per_warp_cycles = 2;
    ProgramBuilder program;
    program.barrier();
    program.exit();
    const EngineRun run = run_plain(gpu, kernel_of(program, 1, 32 * warps));
    const std::vector<Cycle> exits = cycles_of(run, 1);
    CHECK(*std::min_element(exits.begin(), exits.end()) == 2 + 20 + 2 * warps);
  }
}

TEST_CASE("the simulation keeps as many blocks resident as the occupancy rules say") {
  GpuSpec gpu = load_gpu("sm_90").spec;
  gpu.topology.sms = 1;
  gpu.topology.sms_per_gpc.clear();
  gpu.front_end.instruction_cache = false;
  gpu.dispatch = plain_machine().dispatch;
  ProgramBuilder program;
  Instruction sleep = ProgramBuilder::act(Action::sleep);
  sleep.latency_cycles = 60000;
  program.add(sleep);
  program.exit();
  for (std::uint64_t threads = 32; threads <= 1024; threads += 32) {
    for (const int registers : {32, 64, 127}) {
      KernelSpec kernel = kernel_of(program, 64, threads);
      kernel.launch.registers = registers;
      kernel.launch.barriers = 1;
      const NsightOccupancy rule = nsight_occupancy(gpu, block_request(kernel.launch));
      SimulateOptions options;
      options.scheduler = "gto";
      options.max_cycles = 30000;
      const EngineRun run = run_engine({gpu, kernel, rule.smem_config_bytes}, options);
      INFO(threads << " threads, " << registers << " registers");
      CHECK(run.issues.size() == static_cast<std::size_t>(rule.blocks_per_sm) * (threads / 32));
      if (threads == 160 && registers == 32) CHECK(rule.blocks_per_sm == 12);
    }
  }
}
