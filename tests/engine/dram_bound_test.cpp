// No kernel moves bytes to and from DRAM faster than DRAM can.
#include <algorithm>

#include "sim/config/kernel_file.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/kernel_file.hpp"
#include "tests/catch.hpp"
#include "tests/engine/compare.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("every run takes as long as DRAM needs for its bytes, reads and writes") {
  int moved = 0;
  for (std::uint64_t seed = 5001; seed <= 5120; ++seed) {
    RandomCase what = random_case(seed);
    DramSpec& dram = what.gpu.dram;
    dram.bandwidth_gbps = what.gpu.clocks.sm_mhz * 1e6 * 32 / 1e9;  // a sector a cycle
    dram.efficiency = 1;
    dram.channels = 1;
    dram.write_cost = 1 + static_cast<double>(seed % 3);
    what.gpu.l2.dirty_bytes = static_cast<std::int64_t>(seed % 4) * 1000;
    SimulateOptions options;
    options.scheduler = policy_names().front();
    options.max_cycles = 200'000;
    const EngineRun run = run_engine(what, options);
    if (run.status != Status::completed) continue;
    const MemoryCounters& memory = run.counters.memory;
    INFO("seed " << seed);
    CHECK(run.counters.elapsed_cycles * 32 >= memory.dram_read_bytes + memory.dram_write_bytes);
    moved += memory.dram_write_bytes > 0 ? 1 : 0;
  }
  CHECK(moved > 30);
}

TEST_CASE(
    "every shipped kernel takes as long as DRAM needs for its bytes, on three "
    "GPUs") {
  for (const char* name : {"t4", "l4", "a100"}) {
    GpuSpec gpu = load_gpu(name).spec;
    gpu.l2.dirty_bytes = 0;  // the first blocks of a kernel are enough
    const double bytes_per_cycle = gpu.dram.bandwidth_gbps * 1e9 / (gpu.clocks.sm_mhz * 1e6);
    int ran = 0;
    for (const std::string& kernel_name : kernel_names()) {
      Diagnostics problems;
      const std::string path = SMSIM_SOURCE_DIR "/configs/kernels/" + kernel_name + ".yaml";
      auto kernel = load_kernel(path, {}, gpu, problems);
      if (!kernel) continue;  // needs what this GPU has not
      if (kernel->launch.grid.count() > 200 && kernel->program.flags == 0) {
        kernel->launch.grid = {200, 1, 1};
      }
      const Counters counters = simulate(gpu, *kernel, {}).counters;
      const MemoryCounters& memory = counters.memory;
      INFO(name << " " << kernel_name);
      CHECK(static_cast<double>(counters.elapsed_cycles) * bytes_per_cycle >=
            static_cast<double>(memory.dram_read_bytes + memory.dram_write_bytes));
      ++ran;
    }
    CHECK(ran > 30);
  }
}
