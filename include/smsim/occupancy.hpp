// How many blocks of a kernel fit on an SM, and what stops the next one.
//
// NVIDIA's allocation rules, exactly as its occupancy header computes them (CUDA 13.0, compute
// capability 7.0 to 12.1): registers are allocated per warp in units of 256 and per sub-partition,
// shared memory per block in units of 128 or 256 bytes with 1 KB reserved by the driver from 8.0
// on. Everything else here (waves, curves, inverse queries, Nsight Compute's limits) rests on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smsim/gpu_spec.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// "No limit", as a number of blocks.
inline constexpr int kUnlimitedBlocks = 2147483647;

/// cudaFuncCache: which side of the L1/shared split a kernel prefers when it sets no carve-out.
enum class CachePreference { none, shared, l1, equal };

/// What one block asks of an SM.
struct BlockRequest {
  int threads = 0;
  int registers = 0;  // per thread; 0 = registers do not limit
  std::int64_t smem_static_bytes = 0;
  std::int64_t smem_dynamic_bytes = 0;
  bool smem_optin = true;  // false: the default limit of 48 KB per block
  /// cudaFuncAttributeMaxDynamicSharedMemorySize; unset: whatever the opt-in limit leaves.
  std::optional<std::int64_t> smem_dynamic_max_bytes;
  int barriers = 1;           // named barriers of a block; counted from 9.0 on
  int virtual_resources = 0;  // CUDA 13's count of a function; counted from 10.0 on
  int carveout_pct = -1;      // preferred share of shared memory, 0..100; -1: see cache
  CachePreference cache = CachePreference::none;
  int cluster = 1;  // blocks per cluster
};

/// One limit per resource: how many blocks of an SM it alone would allow.
struct BlockLimits {
  int warps = 0;
  int blocks = 0;
  int registers = 0;
  int shared_mem = 0;
  int barriers = kUnlimitedBlocks;
  int virtual_resources = kUnlimitedBlocks;
};

/// The header's answer, for comparison with cudaOccMaxActiveBlocksPerMultiprocessor.
struct HeaderOccupancy {
  /// Bits of cudaOccLimitingFactor. A barrier limit adds its bit and leaves the others, as there.
  enum Factor : unsigned {
    kWarps = 0x01,
    kRegisters = 0x02,
    kSharedMemory = 0x04,
    kBlocks = 0x08,
    kBarriers = 0x10,
    kVirtualResources = 0x20
  };
  bool valid = true;  // false: the header returns an error (no threads, carve-out out of range)
  int blocks = 0;
  unsigned limiting_factors = 0;
  BlockLimits limits;
  int registers_per_block = 0;
  std::int64_t smem_per_block_bytes = 0;
  std::int64_t smem_pool_bytes = 0;  // the split that the limit was computed for
};
HeaderOccupancy header_occupancy(const SmLimits& limits, ComputeCapability compute_capability,
                                 int sub_partitions, const BlockRequest& request);

/// A change of one figure that changes the number of blocks, or how far it may go without.
struct NextStep {
  std::string resource;     // "registers", "shared_mem", "threads"
  std::int64_t change = 0;  // to the request: -2 registers, -1024 bytes, +32 threads
  std::int64_t value = 0;   // the figure after the change
  int blocks = 0;           // then
  int warps = 0;            // then
  std::string text;         // "2 registers fewer gives 6 blocks (48 warps)"
};

/// What an SM has left when `blocks_per_sm` blocks are resident.
struct UnusedResources {
  int warps = 0;
  int blocks = 0;
  int registers = 0;  // not allocated, rounding losses of the sub-partitions included
  std::int64_t smem_bytes = 0;
};

/// The rules' answer for one block on one GPU.
struct Occupancy {
  int blocks_per_sm = 0;
  int warps_per_block = 0;
  int warps_per_sm = 0;
  double theoretical_pct = 0;  // of the SM's warp slots, 0..100
  BlockLimits limits;
  /// Every resource whose limit equals the minimum, of "warps", "blocks", "registers",
  /// "shared_mem", "barriers", "virtual_resources"; what fails when blocks_per_sm is 0.
  std::vector<std::string> limiters;
  int registers_per_thread_allocated = 0;  // rounded up to the allocation unit of a warp
  int registers_per_block = 0;
  std::int64_t smem_per_block_bytes = 0;  // with the driver's part, rounded up
  std::int64_t smem_pool_bytes = 0;       // the split that the limit was computed for
  UnusedResources unused;
  std::optional<LaunchFailure> failure;  // why not even one block fits
};
Occupancy occupancy(const GpuSpec& gpu, const BlockRequest& request);

/// Why a launch is refused, or nothing. Looks at one block first (registers, shared memory with its
/// default and opt-in limits, threads, cluster), then at the whole launch (cooperative).
std::optional<LaunchFailure> launch_failure(const GpuSpec& gpu, const LaunchSpec& launch);
std::optional<LaunchFailure> block_failure(const GpuSpec& gpu, const BlockRequest& request);
BlockRequest block_request(const LaunchSpec& launch);

/// What the next block needs: changes of one figure, nearest first, that give more blocks.
std::vector<NextStep> next_steps(const GpuSpec& gpu, const BlockRequest& request);
/// How far one figure may grow before a block is lost.
std::vector<NextStep> slack(const GpuSpec& gpu, const BlockRequest& request);

/// A grid in exact integers.
struct Waves {
  std::uint64_t wave_blocks = 0;  // blocks resident on the whole GPU at once
  std::uint64_t full_waves = 0;
  std::uint64_t partial_blocks = 0;  // in the last, partial wave; 0 = none
  std::uint64_t waves = 0;           // full_waves, plus one for a partial wave
  double waves_per_sm = 0;           // launch__waves_per_multiprocessor: grid / wave_blocks
  double efficiency_pct = 0;   // grid / (waves x wave_blocks): slots used if blocks last equally
  double tail_pct = 0;         // share of the time in the partial wave if blocks last equally
  std::uint64_t idle_sms = 0;  // SMs that get no block at all
};
/// Throws std::invalid_argument when nothing can be resident (a wave of no blocks).
Waves waves(std::uint64_t grid_blocks, int blocks_per_sm, int sms);

/// The most blocks of a cooperative launch: all must be resident at once.
std::uint64_t cooperative_limit(const GpuSpec& gpu, const BlockRequest& request);

/// Clusters resident at once. A cluster lives in one GPC.
struct ClusterOccupancy {
  int clusters = 0;
  int resident_blocks = 0;
  bool gpcs_known = false;  // false: the GPU file has no GPC map, and this is an upper bound
};
ClusterOccupancy cluster_occupancy(const GpuSpec& gpu, const BlockRequest& request);

/// cudaOccupancyAvailableDynamicSMemPerBlock: the most dynamic shared memory with which `blocks`
/// blocks still fit. As there, the driver's reserve is not subtracted.
std::int64_t available_dynamic_smem_bytes(const GpuSpec& gpu, const BlockRequest& request,
                                          int blocks);

// --- Curves and inverse queries
// ---------------------------------------------------------------------

struct CurvePoint {
  std::int64_t x = 0;
  int blocks = 0;
  int warps = 0;
  double pct = 0;
};
/// Over block sizes of whole warps.
std::vector<CurvePoint> curve_over_threads(const GpuSpec& gpu, const BlockRequest& request);
/// Over 1 .. max registers per thread.
std::vector<CurvePoint> curve_over_registers(const GpuSpec& gpu, const BlockRequest& request);
/// Over dynamic shared memory, 0 .. what a block may have, in steps of `step_bytes`.
std::vector<CurvePoint> curve_over_smem(const GpuSpec& gpu, const BlockRequest& request,
                                        std::int64_t step_bytes = 1024);
/// Only the points at which the number of blocks differs from the one before, and the last.
std::vector<CurvePoint> corners(const std::vector<CurvePoint>& curve);

/// The most registers per thread with which `blocks` blocks fit; 0 when they never do.
int max_registers_for(const GpuSpec& gpu, BlockRequest request, int blocks);
/// The most dynamic shared memory with which `blocks` blocks fit; -1 when they never do.
std::int64_t max_dynamic_smem_for(const GpuSpec& gpu, BlockRequest request, int blocks);
/// The most threads that one block of this kernel can have (whole warps); 0 when none.
int max_threads_for_launch(const GpuSpec& gpu, BlockRequest request);
/// Block sizes of whole warps with the most resident warps, smallest first.
std::vector<int> best_block_sizes(const GpuSpec& gpu, const BlockRequest& request);

/// cudaOccupancyMaxPotentialBlockSize: the largest block with the most resident threads, and the
/// smallest grid that fills the GPU with it.
struct SuggestedLaunch {
  int threads = 0;
  std::uint64_t min_grid = 0;
};
SuggestedLaunch suggested_launch(const GpuSpec& gpu, const BlockRequest& request);

/// The nearest grids of whole waves: at most and at least `grid_blocks` (the first is 0 below one
/// wave).
struct WholeWaves {
  std::uint64_t below = 0;
  std::uint64_t above = 0;
};
WholeWaves whole_waves(std::uint64_t grid_blocks, int blocks_per_sm, int sms);

/// Register re-allocation between warp groups (setmaxnreg): does the pool of the block hold it?
struct RegisterGroup {
  int threads = 0;
  int registers = 0;
};
struct RegisterPool {
  int pool = 0;  // allocated at launch
  int used = 0;  // after re-allocation
  bool fits = false;
};
RegisterPool register_pool(int threads, int registers_at_launch,
                           const std::vector<RegisterGroup>& groups);

// --- Other views
// ----------------------------------------------------------------------------------

/// As textbooks compute it: threads instead of warps, and no allocation granularity, reserve or
/// sub-partitions. Differs from the hardware; for teaching, and to find where a wrong figure comes
/// from.
Occupancy textbook_occupancy(const GpuSpec& gpu, const BlockRequest& request);

/// The limits as Nsight Compute prints them (launch__occupancy_limit_*): shared memory at the split
/// in force, and a resource that does not limit prints the block limit.
struct NsightOccupancy {
  BlockLimits limits;
  int smem_config_bytes = 0;       // launch__shared_mem_config_size
  bool smem_config_known = false;  // given, not the model of the driver's choice
  int blocks_per_sm = 0;           // resident with this split
};
NsightOccupancy nsight_occupancy(const GpuSpec& gpu, const BlockRequest& request,
                                 std::optional<int> smem_config_bytes = std::nullopt);

/// Model of the driver's choice of split when a kernel states no preference; see its source.
int driver_smem_config_bytes(const GpuSpec& gpu, const BlockRequest& request);

}  // namespace smsim
