#include "sim/metrics/totals.hpp"

#include <algorithm>

#include "smsim/gpu_spec.hpp"

namespace smsim {
namespace {

void add_scheduler(Totals& total, const SubPartitionCounters& sub) {
  total.scheduler_active += sub.active_cycles;
  total.issued += sub.issued;
  total.issued_max = std::max(total.issued_max, sub.issued);
  total.warps_active += sub.warps_active;
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    total.state[i] += sub.state[i];
  }
  for (std::size_t i = 0; i < sub.pipe_busy_cycles.size(); ++i) {
    total.pipe_busy[i] += sub.pipe_busy_cycles[i];
    total.pipe_busy_max[i] = std::max(total.pipe_busy_max[i], sub.pipe_busy_cycles[i]);
  }
  total.fma_busy_max = std::max(total.fma_busy_max, fma_busy(sub.pipe_busy_cycles));
  total.fma_heavy_busy_max =
      std::max(total.fma_heavy_busy_max, fma_heavy_busy(sub.pipe_busy_cycles));
}

void add_memory(Totals& total, const SmCounters& sm) {
  total.l1_load_sectors += sm.l1_load_sectors;
  total.l1_load_hit_sectors += sm.l1_load_hit_sectors;
  total.l1_miss_sectors_max =
      std::max(total.l1_miss_sectors_max, sm.l1_load_sectors - sm.l1_load_hit_sectors);
  total.l1_store_sectors += sm.l1_store_sectors;
  total.l1_store_sectors_max = std::max(total.l1_store_sectors_max, sm.l1_store_sectors);
  total.l1_store_hit_sectors += sm.l1_store_hit_sectors;
  total.lsu_port_busy += sm.lsu_port_busy_cycles;
  total.lsu_port_busy_max = std::max(total.lsu_port_busy_max, sm.lsu_port_busy_cycles);
  total.shared_wavefronts += sm.shared_wavefronts;
  total.shared_wavefronts_ideal += sm.shared_wavefronts_ideal;
}

void add_sm(Totals& total, const SmCounters& sm) {
  const bool first = total.sms == 0;
  ++total.sms;
  total.schedulers += sm.sub.size();
  total.blocks += sm.blocks;
  total.sm_active += sm.active_cycles;
  total.sm_active_max = std::max(total.sm_active_max, sm.active_cycles);
  total.sm_active_min = first ? sm.active_cycles : std::min(total.sm_active_min, sm.active_cycles);
  total.sm_blocks_max = std::max(total.sm_blocks_max, sm.blocks);
  total.sm_blocks_min = first ? sm.blocks : std::min(total.sm_blocks_min, sm.blocks);
  if (sm.blocks > 0 &&
      (total.last_block_end_min == 0 || sm.last_block_end < total.last_block_end_min)) {
    total.last_block_end_min = sm.last_block_end;
  }
  total.thread_instructions += sm.thread_instructions;
  for (const SubPartitionCounters& sub : sm.sub) {
    add_scheduler(total, sub);
  }
  add_memory(total, sm);
}

}  // namespace

double fma_heavy_busy(const std::array<std::uint64_t, 16>& pipe_busy) {
  return static_cast<double>(pipe_busy[static_cast<std::size_t>(Pipe::fma_heavy)] +
                             pipe_busy[static_cast<std::size_t>(Pipe::fma_both)]);
}

double fma_busy(const std::array<std::uint64_t, 16>& pipe_busy) {
  const auto busy = [&](Pipe pipe) {
    return static_cast<double>(pipe_busy[static_cast<std::size_t>(pipe)]);
  };
  return busy(Pipe::fma) + busy(Pipe::fma_both) + busy(Pipe::fma_heavy) / 2;
}

Totals add_up(const Counters& counters) {
  Totals total;
  for (const SmCounters& sm : counters.sm) {
    add_sm(total, sm);
  }
  return total;
}

}  // namespace smsim
