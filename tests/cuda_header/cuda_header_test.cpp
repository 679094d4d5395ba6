// The rules against NVIDIA's own header, where a CUDA Toolkit is installed.
#include <cstdio>

#include "tests/catch.hpp"

#if __has_include(<cuda_occupancy.h>)

#include <cuda_occupancy.h>

#include <climits>
#include <random>
#include <vector>

#include "smsim/occupancy.hpp"
#include "tests/occupancy/gpus.hpp"

using namespace smsim;

namespace {

struct Row {
  int capability = 90;
  BlockRequest request;
};

Row random_row(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const std::vector<int> capabilities{70, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121};
  Row row;
  row.capability = capabilities.at(static_cast<std::size_t>(pick(0, 11)));
  BlockRequest& request = row.request;
  request.threads = pick(0, 1) != 0 ? 32 * pick(1, 32) : pick(1, 1025);
  request.registers = pick(0, 257);
  request.smem_static_bytes = pick(0, 2) == 0 ? pick(0, 50000) : 0;
  request.smem_dynamic_bytes = pick(0, 1) != 0 ? pick(0, 240000) : pick(0, 20000);
  request.smem_optin = pick(0, 1) != 0;
  request.smem_dynamic_max_bytes = pick(0, 240000);
  request.barriers = pick(0, 16);
  request.virtual_resources = pick(0, 3) == 0 ? pick(0, 200) : 0;
  request.carveout_pct = pick(0, 1) != 0 ? -1 : pick(-2, 101);
  request.cache = static_cast<CachePreference>(pick(0, 3));
  return row;
}

cudaOccDeviceProp properties(const GpuSpec& gpu) {
  const SmLimits& limits = gpu.limits;
  cudaOccDeviceProp device;
  device.computeMajor = gpu.compute_capability.major;
  device.computeMinor = gpu.compute_capability.minor;
  device.maxThreadsPerBlock = limits.max_threads_per_block;
  device.maxThreadsPerMultiprocessor = limits.max_warps * 32;
  device.regsPerBlock = limits.registers_per_block;
  device.regsPerMultiprocessor = limits.registers;
  device.warpSize = 32;
  device.sharedMemPerBlock = static_cast<std::size_t>(limits.smem_per_block_default_bytes);
  device.sharedMemPerMultiprocessor = static_cast<std::size_t>(limits.smem_bytes);
  device.numSms = 1;
  device.sharedMemPerBlockOptin = static_cast<std::size_t>(limits.smem_per_block_optin_bytes);
  device.reservedSharedMemPerBlock = static_cast<std::size_t>(limits.smem_reserved_per_block_bytes);
  return device;
}

// Only the header of CUDA 13 counts them.
template <class Attributes>
constexpr bool kCountsVirtualResources = requires(Attributes function) {
  function.virtualResourceCount;
};

template <class Attributes>
void set_virtual_resources(Attributes& function, int count) {
  if constexpr (kCountsVirtualResources<Attributes>) {
    function.virtualResourceCount = count;
  }
}

cudaOccFuncAttributes attributes(const BlockRequest& request) {
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = request.registers;
  function.sharedSizeBytes = static_cast<std::size_t>(request.smem_static_bytes);
  function.partitionedGCConfig = PARTITIONED_GC_OFF;
  function.shmemLimitConfig =
      request.smem_optin ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
  function.maxDynamicSharedSizeBytes = static_cast<std::size_t>(*request.smem_dynamic_max_bytes);
  function.numBlockBarriers = request.barriers;
  set_virtual_resources(function, request.virtual_resources);
  return function;
}

// Does this version of the header know the device? Older Toolkits end before the newest ones.
bool knows(const cudaOccDeviceProp& device) {
  BlockRequest plain;
  plain.threads = 32;
  plain.smem_dynamic_max_bytes = 0;
  const cudaOccFuncAttributes function = attributes(plain);
  const cudaOccDeviceState state;
  cudaOccResult result;
  return cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, 32, 0) ==
         CUDA_OCC_SUCCESS;
}

}  // namespace

TEST_CASE("the header gives the same answer on random kernels, for three seeds") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    int differ = 0;
    int compared = 0;
    for (int i = 0; i < 20000; ++i) {
      Row row = random_row(random);
      if (!kCountsVirtualResources<cudaOccFuncAttributes>) {
        row.request.virtual_resources = 0;
      }
      const GpuSpec& gpu = test::compute_capability(row.capability);
      const cudaOccDeviceProp device = properties(gpu);
      if (!knows(device)) {
        continue;
      }
      ++compared;
      const cudaOccFuncAttributes function = attributes(row.request);
      cudaOccDeviceState state;
      state.cacheConfig = static_cast<cudaOccCacheConfig>(row.request.cache);
      state.carveoutConfig = row.request.carveout_pct;
      cudaOccResult want;
      const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
          &want, &device, &function, &state, row.request.threads,
          static_cast<std::size_t>(row.request.smem_dynamic_bytes));
      const HeaderOccupancy got = header_occupancy(gpu.limits, gpu.compute_capability,
                                                   gpu.topology.sub_partitions, row.request);
      const bool same = error != CUDA_OCC_SUCCESS
                            ? !got.valid
                            : got.valid && got.blocks == want.activeBlocksPerMultiprocessor &&
                                  got.limiting_factors == want.limitingFactors &&
                                  got.limits.warps == want.blockLimitWarps &&
                                  got.limits.blocks == want.blockLimitBlocks &&
                                  got.limits.registers == want.blockLimitRegs &&
                                  got.limits.shared_mem == want.blockLimitSharedMem &&
                                  got.registers_per_block == want.allocatedRegistersPerBlock &&
                                  static_cast<std::size_t>(got.smem_per_block_bytes) ==
                                      want.allocatedSharedMemPerBlock;
      differ += same ? 0 : 1;
    }
    INFO("seed " << seed);
    CHECK(differ == 0);
    CHECK(compared > 10000);
  }
}

#else

TEST_CASE("skipped: no cuda_occupancy.h") {
  std::puts("skipped: no cuda_occupancy.h (set CUDA_HOME to a CUDA Toolkit)");
}

#endif
