#include <algorithm>

#include "sim/metrics/bounds.hpp"

namespace smsim {
namespace {

constexpr double kSectorBytes = 32;

// What a warp does not wait for may still be under way when the kernel ends; that part of the work
// took none of the kernel's cycles.
void add(const MetricInputs& in, std::vector<Bound>& bounds, const char* name, double busiest,
         double mean, const char* meaning) {
  const auto elapsed = static_cast<double>(in.run.counters.elapsed_cycles);
  bounds.push_back(make_bound(name, std::min(busiest, elapsed), std::min(mean, elapsed), meaning));
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

void add_l2(const MetricInputs& in, std::vector<Bound>& bounds) {
  const MemoryCounters& m = in.run.counters.memory;
  if (in.gpu.l2.slices <= 0 || in.gpu.l2.slice_bytes_per_cycle <= 0) {
    return;
  }
  const double sector = rounded_as_simulated(kSectorBytes / in.gpu.l2.slice_bytes_per_cycle);
  const double cycles =
      sector * static_cast<double>(m.l2_read_sectors + m.l2_write_sectors) / in.gpu.l2.slices;
  add(in, bounds, "l2_bandwidth", cycles, cycles, "bytes through all L2 slices");
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
                             rounded_as_simulated(sector * in.gpu.dram.write_cost)) /
                        kSectorBytes / channels;
  add(in, bounds, "dram_bandwidth", cycles, cycles,
      "bytes to and from DRAM at the rate that ideal streams reach");
}

bool is_contended(const MemoryAccess& access) {
  const bool atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::reduction;
  return atomic && access.space == Space::global && access.queue_op == QueueOp::none &&
         access.distinct_addresses > 0;
}

// The busiest address gets at least its share of the requests to all addresses of that access.
void add_atomics(const MetricInputs& in, std::vector<Bound>& bounds) {
  const Program& program = in.kernel.program;
  const auto& counted = in.run.counters.instruction;
  const bool full_warps = in.total.thread_instructions == 32 * in.total.issued;
  double most = 0;
  for (std::size_t pc = 0; pc < std::min(program.code.size(), counted.size()); ++pc) {
    const Instruction& code = program.code[pc];
    if (code.action != Action::memory || code.predicate != kNoPredicate ||
        !is_contended(program.accesses[code.operand])) {
      continue;
    }
    const MemoryAccess& access = program.accesses[code.operand];
    const int lines = std::max<int>(access.lines, 1);
    const int meeting = std::clamp<int>(access.lanes_per_address, 1, std::max(32 / lines, 1));
    const double operations = full_warps ? double(lines) * meeting : 1;
    most = std::max(
        most, static_cast<double>(counted[pc].issued) * operations / access.distinct_addresses);
  }
  const double cycles = most * rounded_as_simulated(in.gpu.atomic.same_address_interval_cycles);
  add(in, bounds, "atomics", cycles, cycles, "atomics on one address follow one another in L2");
}

void add_queue(const MetricInputs& in, std::vector<Bound>& bounds) {
  const double queues = std::max(static_cast<double>(in.kernel.program.queues.size()), 1.0);
  const double cycles = static_cast<double>(in.run.counters.memory.queue_pops) / queues *
                        rounded_as_simulated(in.gpu.atomic.same_address_interval_cycles);
  add(in, bounds, "work_queue", cycles, cycles, "pops of one work queue follow one another in L2");
}

}  // namespace

void add_memory_bounds(const MetricInputs& in, std::vector<Bound>& bounds) {
  add_port(in, bounds);
  add_sm_link(in, bounds);
  add_l2(in, bounds);
  add_dram(in, bounds);
  add_atomics(in, bounds);
  add_queue(in, bounds);
}

}  // namespace smsim
