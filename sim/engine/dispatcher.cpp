#include "sim/engine/dispatcher.hpp"

#include <algorithm>
#include <numeric>

namespace smsim::engine {

Dispatcher::Dispatcher(const GpuSpec& gpu, const LaunchSpec& launch, int smem_pool_bytes)
    : spec_(gpu.dispatch), empty_(empty_sm(gpu, smem_pool_bytes)) {
  grid_.need = need_of(gpu, launch);
  grid_.blocks = launch.grid.count();
  grid_.cluster = static_cast<std::uint32_t>(std::max(launch.cluster, 1));
  const auto sms = static_cast<std::size_t>(gpu.topology.sms);
  room_.assign(sms, empty_);
  resident_.assign(sms, 0);
  sm_free_.assign(sms, 0);
  gpc_of_sm_.assign(sms, 0);
  std::vector<int> sizes = gpu.topology.sms_per_gpc;
  if (std::accumulate(sizes.begin(), sizes.end(), 0) != gpu.topology.sms) {
    sizes = {gpu.topology.sms};
  }
  std::uint16_t sm = 0;
  for (const int size : sizes) {
    gpcs_.emplace_back();
    for (int i = 0; i < size; ++i, ++sm) {
      gpcs_.back().push_back(sm);
      gpc_of_sm_[sm] = static_cast<std::uint16_t>(gpcs_.size() - 1);
    }
  }
}

// Round the GPCs, or simply by number.
std::vector<std::uint16_t> Dispatcher::launch_order() const {
  std::vector<std::uint16_t> order;
  if (spec_.sm_order == "linear") {
    order.resize(room_.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    return order;
  }
  for (std::size_t i = 0; order.size() < room_.size(); ++i) {
    for (const auto& sms : gpcs_) {
      if (i < sms.size()) order.push_back(sms[i]);
    }
  }
  return order;
}

std::vector<Placement> Dispatcher::first_wave() {
  std::vector<Placement> placements;
  const auto start = static_cast<Cycle>(std::max(spec_.kernel_start_cycles, 1));
  bool placed = true;
  while (placed && blocks_left() > 0) {
    placed = false;
    if (grid_.cluster > 1) {
      for (std::size_t gpc = 0; gpc < gpcs_.size(); ++gpc) {
        placed |= place_cluster(gpc, start, placements);
      }
      continue;
    }
    for (const std::uint16_t sm : launch_order()) {
      const auto first_sub = fit(room_[sm], grid_.need);
      if (!first_sub || blocks_left() == 0) continue;
      place(sm, *first_sub, start, placements);
      placed = true;
    }
  }
  return placements;
}

void Dispatcher::release(std::uint16_t sm, Cycle cycle, std::uint8_t first_sub,
                         std::vector<Placement>& placements) {
  give_back(room_[sm], grid_.need, first_sub);
  --resident_[sm];
  const Tick handled = std::max(to_ticks(cycle), end_free_);
  end_free_ = handled + to_ticks(spec_.gpu_end_interval_cycles);
  const Cycle earliest =
      to_cycle_up(handled) + static_cast<Cycle>(std::max(spec_.replacement_cycles, 1));
  if (grid_.cluster > 1) {
    while (place_cluster(gpc_of_sm_[sm], earliest, placements)) {
    }
    return;
  }
  while (blocks_left() > 0) {
    const auto first = fit(room_[sm], grid_.need);
    if (!first) return;
    place(sm, *first, earliest, placements);
  }
}

void Dispatcher::place(std::uint16_t sm, std::uint8_t first_sub, Cycle earliest,
                       std::vector<Placement>& placements) {
  take(room_[sm], grid_.need, first_sub);
  ++resident_[sm];
  const Tick turn = std::max(to_ticks(earliest), gpu_free_);
  gpu_free_ = turn + to_ticks(spec_.gpu_interval_cycles);
  const Tick start = std::max(turn, sm_free_[sm]);
  sm_free_[sm] = start + to_ticks(std::max(spec_.sm_interval_cycles,
                                           spec_.sm_warp_interval_cycles * grid_.need.warps));
  placements.push_back({grid_.next++, to_cycle_up(start), sm, first_sub});
}

// All blocks of the next cluster, spread over the SMs of one GPC: fewest blocks first. False: no
// room.
bool Dispatcher::place_cluster(std::size_t gpc, Cycle earliest,
                               std::vector<Placement>& placements) {
  if (blocks_left() < grid_.cluster) return false;
  std::vector<SmRoom> rooms = room_;
  std::vector<std::uint32_t> counts = resident_;
  std::vector<std::pair<std::uint16_t, std::uint8_t>> chosen;
  while (chosen.size() < grid_.cluster) {
    std::optional<std::pair<std::uint16_t, std::uint8_t>> best;
    for (const std::uint16_t sm : gpcs_[gpc]) {
      const auto first_sub = fit(rooms[sm], grid_.need);
      if (first_sub && (!best || counts[sm] < counts[best->first])) best = {sm, *first_sub};
    }
    if (!best) return false;
    take(rooms[best->first], grid_.need, best->second);
    ++counts[best->first];
    chosen.push_back(*best);
  }
  for (const auto& [sm, first_sub] : chosen) place(sm, first_sub, earliest, placements);
  return true;
}

std::uint64_t Dispatcher::resident_blocks() const {
  std::uint64_t blocks_per_sm = 0;
  SmRoom room = empty_;
  while (const auto first = fit(room, grid_.need)) {
    take(room, grid_.need, *first);
    ++blocks_per_sm;
  }
  if (grid_.cluster <= 1) return blocks_per_sm * room_.size();
  std::uint64_t blocks = 0;
  for (const auto& sms : gpcs_) {
    blocks += blocks_per_sm * sms.size() / grid_.cluster * grid_.cluster;
  }
  return blocks;
}

}  // namespace smsim::engine
