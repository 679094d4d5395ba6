// What the engine keeps does not grow with the number of blocks.
#include <algorithm>

#include "sim/engine/gpu.hpp"
#include "tests/catch.hpp"
#include "tests/engine/random_program.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("launch-bound: only blocks that are resident or about to start are kept") {
  RandomCase what = random_case(1);
  what.kernel.launch = LaunchSpec{};
  what.kernel.launch.grid.x = 20'000;
  what.kernel.launch.block.x = 32;
  Instruction exit;
  exit.action = Action::exit;
  exit.flow = Flow::exit;
  what.kernel.program = Program{};
  what.kernel.program.code = {exit};
  what.kernel.program.text = {"EXIT"};
  what.kernel.program.source_line = {0};
  what.gpu.dispatch.gpu_end_interval_cycles = 100;  // some block is always on its way
  const Machine machine(what.gpu);
  SimulateOptions options;
  options.scheduler = "lrr";
  const engine::Gpu* running = nullptr;
  std::size_t most = 0;
  options.progress = [&](auto&&...) {
    for (const auto& sm : running->sms()) {
      for (const engine::SubPartition& sub : sm->subs()) {
        most = std::max({most, sub.arrivals.size(), sub.departures.size(), sub.events.size()});
      }
    }
  };
  engine::Gpu gpu(machine, what.kernel, options, what.smem_pool_bytes);
  running = &gpu;
  REQUIRE(gpu.run() == Status::completed);
  CHECK(most > 0);
  CHECK(most <= 64);
}
