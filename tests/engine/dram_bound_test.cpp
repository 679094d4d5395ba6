// No kernel moves bytes to and from DRAM faster than DRAM can.
#include "sim/arch/time.hpp"
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
