// Curves, inverse questions, and the distance to the next step.
#include <stdexcept>

#include "smsim/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/occupancy/gpus.hpp"

using namespace smsim;

namespace {

BlockRequest block(int threads, int registers, std::int64_t smem_dynamic = 0) {
  BlockRequest request;
  request.threads = threads;
  request.registers = registers;
  request.smem_dynamic_bytes = smem_dynamic;
  return request;
}

const GpuSpec& h200() {
  return test::gpu("h200");
}

}  // namespace

TEST_CASE("the next step names the fewest registers to give up") {
  const auto steps = next_steps(h200(), block(256, 42));
  REQUIRE_FALSE(steps.empty());
  CHECK(steps[0].text == "2 registers fewer gives 6 blocks (48 warps)");
  CHECK(steps[0].resource == "registers");
  CHECK(steps[0].change == -2);
  CHECK(steps[0].value == 40);
  CHECK(occupancy(h200(), block(256, 42)).blocks_per_sm == 5);
}

TEST_CASE("the next step names the shared memory to give up") {
  const auto steps = next_steps(h200(), block(128, 32, 40960));
  REQUIRE_FALSE(steps.empty());
  CHECK(steps[0].resource == "shared_mem");
  CHECK(steps[0].blocks == 6);
  BlockRequest there = block(128, 32, steps[0].value);
  CHECK(occupancy(h200(), there).blocks_per_sm == 6);
  ++there.smem_dynamic_bytes;
  CHECK(occupancy(h200(), there).blocks_per_sm == 5);
}

TEST_CASE("where one figure alone cannot help, only another block size is offered, or nothing") {
  for (const NextStep& step : next_steps(test::gpu("rtx4090"), block(1024, 64))) {
    CHECK(step.resource == "threads");
    CHECK(step.warps > 32);
  }
  CHECK(next_steps(h200(), block(256, 32)).empty());  // the SM is full
}

TEST_CASE("room: how far a figure may grow at no cost") {
  const auto room = slack(h200(), block(256, 34));
  REQUIRE(room.size() == 2);
  CHECK(room[0].value == 40);
  CHECK(room[0].change == 6);
  CHECK(room[0].text == "up to 40 registers keep 6 blocks");
  CHECK(room[1].resource == "shared_mem");
  CHECK(slack(h200(), block(2000, 34)).empty());
}

TEST_CASE("inverse questions find the edge exactly") {
  for (const int blocks : {1, 3, 6, 8}) {
    const int registers = max_registers_for(h200(), block(256, 32), blocks);
    CHECK(occupancy(h200(), block(256, registers)).blocks_per_sm >= blocks);
    CHECK(occupancy(h200(), block(256, registers + 1)).blocks_per_sm < blocks);
    const std::int64_t smem = max_dynamic_smem_for(h200(), block(256, 32), blocks);
    CHECK(occupancy(h200(), block(256, 32, smem)).blocks_per_sm >= blocks);
    CHECK(occupancy(h200(), block(256, 32, smem + 1)).blocks_per_sm < blocks);
  }
  CHECK(max_registers_for(h200(), block(256, 32), 9) == 0);
  CHECK(max_dynamic_smem_for(h200(), block(256, 32), 9) == -1);
}

TEST_CASE("curves never rise with registers or shared memory") {
  const auto falls = [](const std::vector<CurvePoint>& curve) {
    for (std::size_t i = 1; i < curve.size(); ++i) {
      CHECK(curve[i].blocks <= curve[i - 1].blocks);
    }
  };
  falls(curve_over_registers(h200(), block(192, 32)));
  falls(curve_over_smem(h200(), block(192, 32)));
  CHECK(curve_over_registers(h200(), block(192, 32)).size() == 255);
  CHECK(curve_over_threads(h200(), block(192, 32)).size() == 32);
}

TEST_CASE("the corners of a curve are where the number of blocks changes") {
  const auto edges = corners(curve_over_registers(h200(), block(1024, 32)));
  REQUIRE(edges.size() == 4);
  CHECK(edges[0].x == 1);
  CHECK(edges[0].blocks == 2);
  CHECK(edges[1].x == 33);
  CHECK(edges[1].blocks == 1);
  CHECK(edges[2].x == 65);
  CHECK(edges[2].blocks == 0);
  CHECK(edges[3].x == 255);
}

TEST_CASE(
    "suggested launch: the largest block with the most threads, and a grid that fills the GPU") {
  const SuggestedLaunch got = suggested_launch(h200(), block(0, 32));
  CHECK(got.threads == 1024);
  CHECK(got.min_grid == 264);
  const SuggestedLaunch ada = suggested_launch(test::gpu("rtx4090"), block(0, 32));
  CHECK(ada.threads == 768);  // 1024 would leave a third of the SM empty
  CHECK(ada.min_grid == 256);
}

TEST_CASE("whole waves around a grid") {
  CHECK(whole_waves(256, 2, 108).below == 216);
  CHECK(whole_waves(256, 2, 108).above == 432);
  CHECK(whole_waves(432, 2, 108).below == 432);
  CHECK(whole_waves(432, 2, 108).above == 432);
  CHECK(whole_waves(5, 2, 108).below == 0);
}

TEST_CASE("waves stay exact for the largest grids, and refuse an empty wave") {
  const std::uint64_t most = 2147483647ULL * 65535 * 65535;
  const Waves got = waves(most, 32, 132);
  CHECK(got.full_waves * got.wave_blocks + got.partial_blocks == most);
  CHECK(waves(0, 1, 1).waves == 0);
  CHECK(waves(0, 1, 1).efficiency_pct == 0);
  CHECK_THROWS_AS(waves(10, 0, 132), std::invalid_argument);
  CHECK_THROWS_AS(waves(10, 1, 0), std::invalid_argument);
}

TEST_CASE("what a resident set leaves over, and the loss that rounding causes") {
  const Occupancy got = occupancy(test::gpu("a100"), block(224, 92));
  CHECK(got.unused.warps == 50);
  CHECK(got.unused.registers == 65536 - 2 * 21504);  // a third block would fit the sum
  CHECK(got.unused.registers > got.registers_per_block);
  CHECK(got.registers_per_thread_allocated == 96);
}

TEST_CASE("a preferred carve-out decides the pool, unless not even one block fits it") {
  BlockRequest request = block(256, 32, 20000);
  request.carveout_pct = 25;  // 57 KB, so 64 KB
  CHECK(occupancy(h200(), request).smem_pool_bytes == 65536);
  CHECK(occupancy(h200(), request).blocks_per_sm == 3);
  request.smem_dynamic_bytes = 80000;
  CHECK(occupancy(h200(), request).smem_pool_bytes == 102400);
  CHECK(occupancy(h200(), request).blocks_per_sm == 1);
}

TEST_CASE("named barriers limit from 9.0 on") {
  BlockRequest request = block(64, 16);
  request.barriers = 8;
  CHECK(occupancy(h200(), request).blocks_per_sm == 8);
  CHECK(occupancy(h200(), request).limiters == std::vector<std::string>{"barriers"});
  CHECK(occupancy(test::gpu("a100"), request).blocks_per_sm == 32);
}
