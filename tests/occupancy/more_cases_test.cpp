// Public questions that are not one row of a table. Names begin with the id of the case; sources
// stand in tests/data/cases.md.
#include <vector>

#include "smsim/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/occupancy/gpus.hpp"

using namespace smsim;

namespace {

BlockRequest block(int threads, int registers = 0, std::int64_t smem_static = 0,
                   std::int64_t smem_dynamic = 0) {
  BlockRequest request;
  request.threads = threads;
  request.registers = registers;
  request.smem_static_bytes = smem_static;
  request.smem_dynamic_bytes = smem_dynamic;
  return request;
}

// A textbook's SM: threads and blocks, nothing else limits.
GpuSpec simple_sm(int threads, int blocks, int max_threads_per_block = 1024) {
  GpuSpec gpu = test::gpu("sm_80");
  gpu.limits.max_warps = threads / 32;
  gpu.limits.max_blocks = blocks;
  gpu.limits.max_threads_per_block = max_threads_per_block;
  gpu.topology.sms = 1;
  return gpu;
}

}  // namespace

TEST_CASE("N16: four blocks of 128 threads by shared memory are a quarter of an A100") {
  const GpuSpec& gpu = test::gpu("a100");
  const Occupancy wmma = occupancy(gpu, block(128, 64, 36864));
  CHECK(wmma.limits.registers == 8);
  CHECK(wmma.limits.shared_mem == 4);
  CHECK(wmma.limits.warps == 16);
  CHECK(wmma.limits.blocks == 32);
  CHECK(wmma.warps_per_sm == 16);
  CHECK(wmma.theoretical_pct == 25.0);
  CHECK(wmma.limiters == std::vector<std::string>{"shared_mem"});
  const Occupancy library = occupancy(gpu, block(256, 168, 0, 98304));
  CHECK(library.limits.registers == 1);
  CHECK(library.limits.shared_mem == 1);
  CHECK(library.theoretical_pct == 12.5);
}

TEST_CASE("N24: compute capability 12.0 has 24 blocks and 100 KB shared memory per SM") {
  CHECK(test::gpu("sm_120").limits.max_blocks == 24);
  CHECK(test::gpu("sm_120").limits.smem_bytes == 102400);
}

TEST_CASE("O21: the block sizes with the most warps when 92 registers limit") {
  const GpuSpec& gpu = test::gpu("a100");
  CHECK(textbook_occupancy(gpu, block(224, 92)).blocks_per_sm == 3);
  CHECK(occupancy(gpu, block(224, 92)).blocks_per_sm == 2);
  CHECK(best_block_sizes(gpu, block(224, 92)) == std::vector<int>{32, 64, 128, 160, 320, 640});
  CHECK(occupancy(gpu, block(160, 92)).warps_per_sm == 20);
}

TEST_CASE("N22: the registers that allow exactly four blocks of 128 threads") {
  const GpuSpec& gpu = test::gpu("l4");
  CHECK(max_registers_for(gpu, block(128, 128), 4) == 128);
  CHECK(max_registers_for(gpu, block(128, 128), 5) == 96);
}

TEST_CASE("O38: dynamic shared memory left for one block of 256 B static") {
  BlockRequest request = block(256, 32, 256);
  request.smem_optin = false;
  CHECK(available_dynamic_smem_bytes(test::gpu("sm_120"), request, 1) == 48896);
}

TEST_CASE("O41: 8x8, 16x16 and 4x4 blocks on an SM of 1024 threads and 8 blocks") {
  const GpuSpec gpu = simple_sm(1024, 8);
  CHECK(occupancy(gpu, block(64)).theoretical_pct == 50.0);
  CHECK(occupancy(gpu, block(256)).theoretical_pct == 100.0);
  // Half-filled warps count as warps; in threads, as the article has it, they are 12.5 %.
  CHECK(occupancy(gpu, block(16)).theoretical_pct == 25.0);
  CHECK(textbook_occupancy(gpu, block(16)).theoretical_pct == 12.5);
}

TEST_CASE("O42: 25 threads, 79 registers, 1160 B: the rules say 24 blocks, whatever was measured") {
  CHECK(occupancy(test::gpu("rtx4090"), block(25, 79, 1160)).blocks_per_sm == 24);
}

TEST_CASE("O45: registers that three blocks of 256 threads leave free") {
  const GpuSpec& gpu = test::gpu("sm_90");
  CHECK(max_registers_for(gpu, block(256), 3) == 80);
  CHECK(occupancy(gpu, block(256, 80)).blocks_per_sm == 3);
  // The cap of 51 for five blocks is 65536 / (5 x 256); as registers are allocated, 48 is the most.
  CHECK(occupancy(gpu, block(256, 51)).blocks_per_sm == 4);
  CHECK(max_registers_for(gpu, block(256), 5) == 48);
}

TEST_CASE("O46, F15: a block of 1024 threads caps registers at 64, one of 256 does not") {
  CHECK(max_registers_for(test::gpu("sm_80"), block(1024), 1) == 64);
  CHECK(max_registers_for(test::gpu("sm_120"), block(1024), 1) == 64);
  for (const int registers : {68, 80, 96}) {
    CHECK(occupancy(test::gpu("sm_120"), block(256, registers)).blocks_per_sm >= 1);
  }
}

TEST_CASE("F02: how large a block of 162 registers may be") {
  const GpuSpec& gpu = test::gpu("rtx4090");
  CHECK(max_threads_for_launch(gpu, block(512, 162)) == 384);
  CHECK(occupancy(gpu, block(256, 162)).blocks_per_sm == 1);
}

TEST_CASE("W06, W07, W08: one block more than SMs is a second wave") {
  for (const auto& [sms, grid] : {std::pair{108, 109}, {132, 133}}) {
    const Waves got = waves(static_cast<std::uint64_t>(grid), 1, sms);
    CHECK(got.full_waves == 1);
    CHECK(got.partial_blocks == 1);
    CHECK(got.waves == 2);
    CHECK(got.tail_pct == 50.0);
  }
}

TEST_CASE("W10: 160 and 544 blocks on 170 SMs") {
  CHECK(waves(160, 1, 170).waves_per_sm == Approx(0.94).margin(0.005));
  CHECK(waves(544, 1, 170).waves_per_sm == Approx(3.2));
}

TEST_CASE("W11: 32 blocks leave 50 of 82 SMs idle") {
  CHECK(waves(32, 6, test::gpu("rtx3090").topology.sms).idle_sms == 50);
}

TEST_CASE("W14: three splits of K fit one wave of 148 SMs, four do not") {
  constexpr std::uint64_t tiles = (1152 + 255) / 256 * (1024 / 128);
  CHECK(waves(3 * tiles, 1, 148).waves == 1);
  CHECK(waves(4 * tiles, 1, 148).waves == 2);
  CHECK(waves(4 * tiles, 1, 148).partial_blocks == 12);
}

TEST_CASE("P01 to P04: tiles on four SMs, by size and by splitting") {
  CHECK(waves(9, 1, 4).efficiency_pct == 75.0);
  CHECK(waves(9, 1, 4).waves == 3);
  CHECK(waves(18, 1, 4).efficiency_pct == 90.0);
  CHECK(waves(18, 1, 4).waves == 5);
  CHECK(waves(4, 1, 4).efficiency_pct == 100.0);  // as many blocks as SMs, the work shared evenly
}

TEST_CASE("256 blocks on 216 slots use 59.3 % of two waves") {
  const Waves got = waves(256, 2, 108);
  CHECK(got.wave_blocks == 216);
  CHECK(got.efficiency_pct == Approx(59.26).margin(0.005));
}

TEST_CASE("E01, E05: warps and threads of a grid") {
  CHECK(occupancy(test::gpu("sm_80"), block(128)).warps_per_block == 4);
  LaunchSpec launch;
  launch.grid = {2, 2, 1};
  launch.block = {16, 32, 1};
  CHECK(launch.grid.count() * launch.block.count() == 2048);
  CHECK(block_request(launch).threads == 512);
}

TEST_CASE("E09: blocks given per SM on an SM of 2048 threads and 64 blocks") {
  const GpuSpec gpu = simple_sm(2048, 64);
  const auto pct = [&](std::uint64_t blocks, int threads) {
    const Occupancy fits = occupancy(gpu, block(threads));
    const auto resident =
        std::min<std::uint64_t>(blocks, static_cast<std::uint64_t>(fits.blocks_per_sm));
    return 100.0 * static_cast<double>(resident) * fits.warps_per_block / gpu.limits.max_warps;
  };
  CHECK(pct(8, 128) == 50);
  CHECK(pct(16, 64) == 50);
  CHECK(pct(32, 32) == 50);
  CHECK(pct(64, 32) == 100);
  CHECK(pct(32, 64) == 100);
}

TEST_CASE("E13: a block of 32x32 threads where 512 are allowed") {
  const Occupancy got = occupancy(simple_sm(1024, 8, 512), block(1024));
  CHECK(got.blocks_per_sm == 0);
  REQUIRE(got.failure);
  CHECK(got.failure->resource == "threads");
  CHECK(got.failure->need == 1024);
  CHECK(got.failure->limit == 512);
}

TEST_CASE("D23: re-allocating registers between producer and consumer warps") {
  constexpr int kGroup = 128;
  const auto fits = [](int producers, int consumers, int fewer, int more) {
    return register_pool(384, 168, {{producers * kGroup, fewer}, {consumers * kGroup, more}});
  };
  CHECK(fits(1, 2, 24, 240).pool == 64512);
  CHECK(fits(1, 2, 24, 240).used == 64512);
  CHECK(fits(1, 2, 24, 240).fits);
  CHECK(fits(2, 2, 24, 240).used == 67584);
  CHECK_FALSE(fits(2, 2, 24, 240).fits);
  CHECK(fits(2, 2, 24, 224).used == 63488);
  CHECK(fits(2, 2, 24, 224).fits);
  CHECK(fits(1, 3, 24, 240).used == 95232);
  CHECK_FALSE(fits(1, 3, 24, 240).fits);
  CHECK(fits(1, 3, 24, 160).used == 64512);
  CHECK(fits(1, 3, 24, 160).fits);
}
