// Grids in exact integers, clusters and cooperative launches.
#include <algorithm>
#include <stdexcept>

#include "sim/occupancy/rules.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {

Waves waves(std::uint64_t grid_blocks, int blocks_per_sm, int sms) {
  if (blocks_per_sm <= 0 || sms <= 0) {
    throw std::invalid_argument("waves: no block can be resident");
  }
  const auto machines = static_cast<std::uint64_t>(sms);
  Waves result;
  result.wave_blocks = machines * static_cast<std::uint64_t>(blocks_per_sm);
  result.full_waves = grid_blocks / result.wave_blocks;
  result.partial_blocks = grid_blocks % result.wave_blocks;
  result.waves = result.full_waves + (result.partial_blocks > 0 ? 1 : 0);
  result.idle_sms = machines - std::min(machines, grid_blocks);
  if (grid_blocks == 0) {
    return result;
  }
  const auto wave = static_cast<double>(result.wave_blocks);
  const auto count = static_cast<double>(result.waves);
  result.waves_per_sm = static_cast<double>(grid_blocks) / wave;
  result.efficiency_pct = 100.0 * static_cast<double>(grid_blocks) / (count * wave);
  result.tail_pct = result.partial_blocks > 0 ? 100.0 / count : 0;
  return result;
}

WholeWaves whole_waves(std::uint64_t grid_blocks, int blocks_per_sm, int sms) {
  const Waves now = waves(grid_blocks, blocks_per_sm, sms);
  return {now.full_waves * now.wave_blocks, now.waves * now.wave_blocks};
}

std::uint64_t cooperative_limit(const GpuSpec& gpu, const BlockRequest& request) {
  if (request.cluster > 1) {
    return static_cast<std::uint64_t>(cluster_occupancy(gpu, request).resident_blocks);
  }
  return static_cast<std::uint64_t>(gpu.topology.sms) *
         static_cast<std::uint64_t>(resident_blocks(gpu, request));
}

ClusterOccupancy cluster_occupancy(const GpuSpec& gpu, const BlockRequest& request) {
  ClusterOccupancy result;
  const int per_sm = resident_blocks(gpu, request);
  const int size = std::max(1, request.cluster);
  std::vector<int> gpcs = gpu.topology.sms_per_gpc;
  result.gpcs_known = !gpcs.empty();
  if (gpcs.empty()) {
    gpcs = {gpu.topology.sms};
  }
  // Measured on an H200 for 1 to 8 blocks per SM and every size: blocks of a cluster may share an
  // SM, but a GPC with fewer SMs than the cluster has blocks takes none.
  for (const int sms : gpcs) {
    result.clusters += size <= sms ? sms * per_sm / size : 0;
  }
  result.resident_blocks = result.clusters * size;
  return result;
}

}  // namespace smsim
