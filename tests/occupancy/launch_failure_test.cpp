// Launches that CUDA refuses: which resource, how much, what the limit is, and what would fit.
#include "smsim/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/occupancy/gpus.hpp"

using namespace smsim;

namespace {

LaunchSpec launch(std::uint64_t grid, std::uint64_t block, int registers = 32) {
  LaunchSpec spec;
  spec.grid.x = grid;
  spec.block.x = block;
  spec.registers = registers;
  return spec;
}

LaunchFailure failure_of(const std::string& gpu, const LaunchSpec& spec) {
  const auto failure = launch_failure(test::gpu(gpu), spec);
  REQUIRE(failure);
  return *failure;
}

}  // namespace

TEST_CASE("a launch that fits is not refused") {
  CHECK_FALSE(launch_failure(test::gpu("h200"), launch(1000, 256)));
}

TEST_CASE("F04, F05, F07: more shared memory than a block may have") {
  const auto dynamic = [](const std::string& gpu, int bytes) {
    LaunchSpec spec = launch(80, 256);
    spec.smem_dynamic_bytes = bytes;
    return failure_of(gpu, spec);
  };
  CHECK(dynamic("v100", 131072).need == 131072);
  CHECK(dynamic("v100", 131072).limit == 98304);
  for (const char* gpu : {"sm_86", "sm_89", "sm_120"}) {
    CHECK(dynamic(gpu, 131072).limit == 101376);
    CHECK(dynamic(gpu, 131072).resource == "shared_mem");
  }
  CHECK(dynamic("sm_75", 83968).limit == 65536);
  CHECK(dynamic("sm_75", 83968).what_fits == "up to 65536 B dynamic beside 0 B static");
}

TEST_CASE("F08: 48 KB dynamic and any static need the opt-in") {
  BlockRequest request;
  request.threads = 256;
  request.registers = 32;
  request.smem_static_bytes = 4;
  request.smem_dynamic_bytes = 49152;
  request.smem_optin = false;
  const auto failure = block_failure(test::gpu("sm_80"), request);
  REQUIRE(failure);
  CHECK(failure->need == 49156);
  CHECK(failure->limit == 49152);
  CHECK(failure->explanation ==
        "4 B static and 49152 B dynamic shared memory are 49156 B; a block has 49152 B by default");
  CHECK(failure->what_fits ==
        "up to 49148 B dynamic beside 4 B static, or 49156 B with the opt-in "
        "(cudaFuncAttributeMaxDynamicSharedMemorySize), up to 166912 B");
  request.smem_optin = true;
  CHECK_FALSE(block_failure(test::gpu("sm_80"), request));
}

TEST_CASE("more static shared memory than there is leaves no room for dynamic") {
  LaunchSpec spec = launch(1, 32);
  spec.smem_static_bytes = 300000;
  CHECK(failure_of("h200", spec).what_fits == "up to 232448 B in all");
}

TEST_CASE("the function's own attribute limits dynamic shared memory") {
  BlockRequest request;
  request.threads = 256;
  request.smem_dynamic_bytes = 60000;
  request.smem_dynamic_max_bytes = 50000;
  const auto failure = block_failure(test::gpu("h200"), request);
  REQUIRE(failure);
  CHECK(failure->limit == 50000);
}

TEST_CASE("F14: too many registers are named as such, with what would fit") {
  const LaunchFailure failure = failure_of("rtx4090", launch(1, 512, 162));
  CHECK(failure.resource == "registers");
  CHECK(failure.need == 86016);
  CHECK(failure.limit == 65536);
  CHECK(failure.explanation ==
        "5376 registers for each of 16 warps (the block's 16 rounded up to 4 sub-partitions) are "
        "86016; a block has 65536");
  CHECK(failure.what_fits == "384 threads with 162 registers, or 128 registers with 512 threads");
}

TEST_CASE("a thread has at most 255 registers") {
  const LaunchFailure failure = failure_of("h200", launch(1, 32, 256));
  CHECK(failure.resource == "registers");
  CHECK(failure.limit == 255);
}

TEST_CASE("a block has 1 to 1024 threads") {
  CHECK(failure_of("h200", launch(1, 1025)).resource == "threads");
  CHECK(failure_of("h200", launch(1, 0)).resource == "threads");
  LaunchSpec huge = launch(1, 1ULL << 40);
  huge.block.y = 1ULL << 20;
  CHECK(failure_of("h200", huge).resource == "threads");
}

TEST_CASE("a block has at most 16 named barriers") {
  LaunchSpec spec = launch(1, 256);
  spec.barriers = 17;
  CHECK(failure_of("h200", spec).resource == "barriers");
}

TEST_CASE("clusters: none before 9.0, at most 16, whole ones, and in one GPC") {
  LaunchSpec spec = launch(64, 128);
  spec.cluster = 2;
  CHECK(failure_of("a100", spec).explanation ==
        "a cluster of 2 blocks; a100 (compute capability 8.0) has no clusters");
  CHECK_FALSE(launch_failure(test::gpu("h200"), spec));
  spec.cluster = 17;
  CHECK(failure_of("h200", spec).limit == 16);
  spec.cluster = 16;
  CHECK_FALSE(launch_failure(test::gpu("h200"), spec));
  spec.grid.x = 65;
  CHECK(failure_of("h200", spec).what_fits == "a grid of 64 blocks in x");

  GpuSpec small_gpcs = test::gpu("h200");
  small_gpcs.topology.sms_per_gpc = std::vector<int>(33, 4);
  spec.grid.x = 64;
  spec.cluster = 8;
  const auto failure = launch_failure(small_gpcs, spec);
  REQUIRE(failure);
  CHECK(failure->limit == 4);
}

TEST_CASE("D05, D06, D08: a cooperative grid must be resident at once") {
  LaunchSpec spec = launch(288, 1024);
  spec.cooperative = true;
  const LaunchFailure failure = failure_of("h200", spec);
  CHECK(failure.resource == "cooperative");
  CHECK(failure.need == 288);
  CHECK(failure.limit == 264);
  CHECK(failure.what_fits == "a cooperative grid of up to 264 blocks");
  spec.grid.x = 264;
  CHECK_FALSE(launch_failure(test::gpu("h200"), spec));

  GpuSpec laptop = test::gpu("rtx3090");
  laptop.topology.sms = 20;
  laptop.topology.sms_per_gpc.clear();
  LaunchSpec large = launch(108, 1024);
  large.cooperative = true;
  REQUIRE(launch_failure(laptop, large));
  CHECK(launch_failure(laptop, large)->limit == 20);
}

TEST_CASE("a compute capability has no SMs to count cooperative blocks on") {
  LaunchSpec spec = launch(100000, 1024);
  spec.cooperative = true;
  CHECK_FALSE(launch_failure(test::gpu("sm_90"), spec));
}
