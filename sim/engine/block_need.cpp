#include "sim/engine/block_need.hpp"

namespace smsim::engine {
namespace {

int round_up(int value, int unit) {
  return unit > 0 ? (value + unit - 1) / unit * unit : value;
}

// How many of `warps` consecutive warps land on sub-partition `sub` when warp 0 goes to `first`.
int warps_on(int warps, std::uint8_t first, int sub) {
  const int offset = (sub + kSubPartitions - first) % kSubPartitions;
  return (warps - offset + kSubPartitions - 1) / kSubPartitions;
}

bool fits_from(const SmRoom& room, const BlockNeed& need, std::uint8_t first) {
  for (int sub = 0; sub < kSubPartitions; ++sub) {
    const int warps = warps_on(need.warps, first, sub);
    const auto i = static_cast<std::size_t>(sub);
    if (warps > room.warps[i] || warps * need.registers_per_warp > room.registers[i]) return false;
  }
  return true;
}

void change(SmRoom& room, const BlockNeed& need, std::uint8_t first, int sign) {
  room.blocks -= sign;
  room.smem_bytes -= sign * need.smem_bytes;
  room.barriers -= sign * need.barriers;
  for (int sub = 0; sub < kSubPartitions; ++sub) {
    const int warps = sign * warps_on(need.warps, first, sub);
    room.warps[static_cast<std::size_t>(sub)] -= warps;
    room.registers[static_cast<std::size_t>(sub)] -= warps * need.registers_per_warp;
  }
}

}  // namespace

BlockNeed need_of(const GpuSpec& gpu, const LaunchSpec& launch) {
  BlockNeed need;
  need.warps = static_cast<int>((launch.block.count() + 31) / 32);
  need.registers_per_warp = round_up(launch.registers * 32, gpu.limits.register_allocation_unit);
  need.smem_bytes = round_up(launch.smem_static_bytes + launch.smem_dynamic_bytes +
                                 gpu.limits.smem_reserved_per_block_bytes,
                             gpu.limits.smem_allocation_unit_bytes);
  const bool limited = gpu.compute_capability.major >= 9;
  need.barriers = limited ? (launch.barriers > 0 ? launch.barriers : 1) : 0;
  return need;
}

SmRoom empty_sm(const GpuSpec& gpu, int smem_pool_bytes) {
  SmRoom room;
  room.blocks = gpu.limits.max_blocks;
  room.smem_bytes = smem_pool_bytes;
  room.barriers = gpu.limits.barriers;
  room.warps.fill(gpu.limits.max_warps / kSubPartitions);
  room.registers.fill(gpu.limits.registers / kSubPartitions);
  return room;
}

std::optional<std::uint8_t> fit(const SmRoom& room, const BlockNeed& need) {
  if (room.blocks < 1 || need.smem_bytes > room.smem_bytes || need.barriers > room.barriers) {
    return std::nullopt;
  }
  for (int i = 0; i < kSubPartitions; ++i) {
    const auto first = static_cast<std::uint8_t>((room.next_sub + i) % kSubPartitions);
    if (fits_from(room, need, first)) return first;
  }
  return std::nullopt;
}

void take(SmRoom& room, const BlockNeed& need, std::uint8_t first_sub) {
  change(room, need, first_sub, 1);
  // Where this block stopped; blocks of whole rounds move on by one
  // (validate/measured/h200/README.md).
  const int step = need.warps % kSubPartitions == 0 ? 1 : need.warps;
  room.next_sub = static_cast<std::uint8_t>((first_sub + step) % kSubPartitions);
}

void give_back(SmRoom& room, const BlockNeed& need, std::uint8_t first_sub) {
  change(room, need, first_sub, -1);
}

}  // namespace smsim::engine
