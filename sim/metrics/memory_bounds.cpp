#include <algorithm>

#include "sim/metrics/bounds.hpp"

namespace smsim {
namespace {

constexpr double kSectorBytes = 32;

// What a warp does not wait for may still be under way when the last block ends; that part of the
// work took none of the cycles in which blocks ran.
void add(const MetricInputs& in, std::vector<Bound>& bounds, const char* name, double busiest,
         double mean, const char* meaning) {
  const double inside = static_cast<double>(in.run.counters.elapsed_cycles) - outside_cycles(in);
  bounds.push_back(make_bound(name, std::min(busiest, inside), std::min(mean, inside), meaning));
}

void add_port(const MetricInputs& in, std::vector<Bound>& bounds) {
  if (in.total.sms > 0) {
    add(in, bounds, "lsu_port", static_cast<double>(in.total.lsu_port_busy_max),
        static_cast<double>(in.total.lsu_port_busy) / static_cast<double>(in.total.sms),
        "the load/store port of each SM");
  }
}

void add_sm_link(const MetricInputs& in, std::vector<Bound>& bounds) {
  const Totals& t = in.total;
  const double sector =
      rounded_as_simulated(kSectorBytes / std::max(in.gpu.l1.request_bytes_per_cycle, 1));
  const double sms = std::max(static_cast<double>(t.sms), 1.0);
  const auto misses = static_cast<double>(t.l1_load_sectors - t.l1_load_hit_sectors);
  const double busiest =
      sector * static_cast<double>(std::max(t.l1_miss_sectors_max, t.l1_store_sectors_max));
  const double mean = sector * std::max(misses, static_cast<double>(t.l1_store_sectors)) / sms;
  add(in, bounds, "sm_bandwidth", busiest, mean, "the path between each SM and L2");
}

void add_l2(const MetricInputs& in, std::vector<Bound>& bounds, double atomic_slice_cycles) {
  const MemoryCounters& m = in.run.counters.memory;
  if (in.gpu.l2.slices <= 0 || in.gpu.l2.slice_bytes_per_cycle <= 0) {
    return;
  }
  const double sector = rounded_as_simulated(kSectorBytes / in.gpu.l2.slice_bytes_per_cycle);
  const double moves = sector * static_cast<double>(m.l2_read_sectors + m.l2_write_sectors);
  const double cycles = (moves + atomic_slice_cycles) / in.gpu.l2.slices;
  add(in, bounds, "l2_bandwidth", cycles, cycles, "bytes and atomics through all L2 slices");
}

void add_dram(const MetricInputs& in, std::vector<Bound>& bounds) {
  const MemoryCounters& m = in.run.counters.memory;
  const double hertz = in.gpu.clocks.sm_mhz * 1e6;
  const double per_second = in.gpu.dram.bandwidth_gbps * 1e9 * in.gpu.dram.efficiency;
  if (hertz <= 0 || per_second <= 0) {
    return;
  }
  const double channels = std::max(in.gpu.dram.channels, 1);
  const double sector = kSectorBytes * channels * hertz / per_second;  // of one channel
  const double cycles = (static_cast<double>(m.dram_read_bytes) * rounded_as_simulated(sector) +
                         static_cast<double>(m.dram_write_bytes) *
                             rounded_as_simulated(sector * std::min(in.gpu.dram.write_cost, 1.0))) /
                        kSectorBytes / channels;
  add(in, bounds, "dram_bandwidth", cycles, cycles,
      "bytes to and from DRAM at the rate that ideal streams reach");
}

bool is_atomic(const MemoryAccess& access) {
  const bool atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::reduction;
  return atomic && access.space == Space::global && access.queue_op == QueueOp::none;
}

// Atomics of one instruction, at least: issues with all lanes do all of the work, others next to
// none.
struct AtomicWork {
  double operations = 0;  // that come one after the other on an address
  double sectors = 0;     // that pass an L2 slice
};

AtomicWork atomic_work(const MetricInputs& in, const MemoryAccess& access, std::uint64_t issued) {
  const std::uint64_t missing_lanes =
      32 * in.total.issued - std::min(32 * in.total.issued, in.total.thread_instructions);
  const auto full = static_cast<double>(issued - std::min(issued, missing_lanes));
  const int lines = std::max<int>(access.lines, 1);
  const int meeting = std::clamp<int>(access.lanes_per_address, 1, std::max(32 / lines, 1));
  const auto least = static_cast<double>(issued);
  return {std::max(least, full * lines * meeting),
          std::max(least, full * std::max<int>(access.lines, access.sectors))};
}

// How long an atomic keeps its L2 slice, per sector. One address alone is bound by its own interval
// and keeps the slice no longer than any sector; several on a line make the slice do each sector by
// itself.
double slice_interval(const GpuSpec& gpu, bool alone) {
  const double sector =
      gpu.l2.slice_bytes_per_cycle > 0 ? kSectorBytes / gpu.l2.slice_bytes_per_cycle : 0;
  return rounded_as_simulated(alone ? sector : gpu.atomic.sector_interval_cycles);
}

// The busiest address gets at least its share of the operations, and the busiest slice at least its
// share of the sectors: addresses that share lines share slices.
double atomic_cycles(const MetricInputs& in, const MemoryAccess& access, const AtomicWork& work) {
  if (access.distinct_addresses == 0) {
    return 0;
  }
  constexpr std::uint32_t kWordsPerLine = 32;
  const std::uint32_t lines = (access.distinct_addresses + kWordsPerLine - 1) / kWordsPerLine;
  const double slices = std::min<double>(lines, std::max(in.gpu.l2.slices, 1));
  return std::max(work.operations / access.distinct_addresses *
                      rounded_as_simulated(in.gpu.atomic.same_address_interval_cycles),
                  work.sectors / slices * slice_interval(in.gpu, access.distinct_addresses == 1));
}

struct AtomicTotals {
  double busiest = 0;  // cycles of the busiest address or slice
  double slices = 0;   // cycles of all slices together
};

AtomicTotals add_up_atomics(const MetricInputs& in) {
  const Program& program = in.kernel.program;
  const auto& counted = in.run.counters.instruction;
  AtomicTotals totals;
  for (std::size_t pc = 0; pc < std::min(program.code.size(), counted.size()); ++pc) {
    const Instruction& code = program.code[pc];
    if (code.action != Action::memory || code.predicate != kNoPredicate ||
        !is_atomic(program.accesses[code.operand])) {
      continue;
    }
    const MemoryAccess& access = program.accesses[code.operand];
    const AtomicWork work = atomic_work(in, access, counted[pc].issued);
    totals.busiest = std::max(totals.busiest, atomic_cycles(in, access, work));
    totals.slices += work.sectors * slice_interval(in.gpu, access.distinct_addresses == 1);
  }
  return totals;
}

void add_atomics(const MetricInputs& in, std::vector<Bound>& bounds, const AtomicTotals& atomics) {
  add(in, bounds, "atomics", atomics.busiest, atomics.busiest,
      "atomics on one address, or on addresses of one L2 slice, follow one another");
}

void add_queue(const MetricInputs& in, std::vector<Bound>& bounds) {
  const double queues = std::max(static_cast<double>(in.kernel.program.queues.size()), 1.0);
  const double interval = std::max(rounded_as_simulated(in.gpu.atomic.same_address_interval_cycles),
                                   slice_interval(in.gpu, true));
  const double cycles = static_cast<double>(in.run.counters.memory.queue_pops) / queues * interval;
  add(in, bounds, "work_queue", cycles, cycles, "pops of one work queue follow one another in L2");
}

}  // namespace

void add_memory_bounds(const MetricInputs& in, std::vector<Bound>& bounds) {
  add_port(in, bounds);
  add_sm_link(in, bounds);
  const AtomicTotals atomics = add_up_atomics(in);
  add_l2(in, bounds, atomics.slices);
  add_dram(in, bounds);
  add_atomics(in, bounds, atomics);
  add_queue(in, bounds);
}

}  // namespace smsim
