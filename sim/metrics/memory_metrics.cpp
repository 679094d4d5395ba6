// Caches and DRAM. Sectors are 32 bytes.
#include <algorithm>

#include "sim/metrics/metric_definition.hpp"

namespace smsim {
namespace {

constexpr const char* kNoClock = "the GPU file gives no SM clock, or nothing ran";

MetricValue l1_hit_rate(const MetricInputs& in) {
  const Totals& t = in.total;
  return ratio(t.l1_load_hit_sectors + t.l1_store_hit_sectors,
               t.l1_load_sectors + t.l1_store_sectors, "no sector was accessed in L1", 100);
}

MetricValue l2_hit_rate(const MetricInputs& in) {
  const MemoryCounters& m = in.run.counters.memory;
  return ratio(m.l2_read_hit_sectors + m.l2_write_hit_sectors,
               m.l2_read_sectors + m.l2_write_sectors, "no sector was accessed in L2", 100);
}

MetricValue per_second(const MetricInputs& in, std::uint64_t amount) {
  return seconds(in) > 0 ? number(static_cast<double>(amount) / seconds(in)) : missing(kNoClock);
}

MetricValue dram_pct(const MetricInputs& in, std::uint64_t bytes) {
  if (in.gpu.dram.bandwidth_gbps <= 0 || seconds(in) <= 0) {
    return missing("the GPU file gives no DRAM bandwidth or SM clock, or nothing ran");
  }
  return number(100 * static_cast<double>(bytes) / seconds(in) /
                (in.gpu.dram.bandwidth_gbps * 1e9));
}

std::uint64_t dram_bytes(const MetricInputs& in) {
  return in.run.counters.memory.dram_read_bytes + in.run.counters.memory.dram_write_bytes;
}

constexpr std::uint64_t kSectorBytes = 32;

// Of an L2 in two halves: sectors that go through the wrong one first. Measured on H200: reads
// 1.5 times those of the SMs when all miss, and 1.0 times when all hit; writes always 1.5 times
// (validate/measured/h200/l2_halves.csv).
double other_half(const MetricInputs& in, std::uint64_t sectors) {
  const double partitions = std::max(1, in.gpu.l2.partitions);
  return static_cast<double>(sectors) * (partitions - 1) / partitions;
}

constexpr MetricDefinition kMemory[] = {
    {"l1tex__t_sector_hit_rate.pct", "%", "L1/TEX Hit Rate",
     "sectors found in L1 / sectors accessed, loads and stores; a store hits where its line was "
     "loaded before",
     l1_hit_rate},
    {"l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum", "sector", "L1 Load Sectors From L2",
     "sectors of global and local loads that missed L1",
     [](const MetricInputs& in) {
       return number(in.total.l1_load_sectors - in.total.l1_load_hit_sectors);
     }},
    {"l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum", "sector", "L1 Store Sectors To L2",
     "sectors of global and local stores that reached L2; L1 writes through, neighbours merge",
     [](const MetricInputs& in) { return number(in.run.counters.memory.l2_write_sectors); }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "L1 Load Sectors",
     "sectors of global loads, local ones included",
     [](const MetricInputs& in) { return number(in.total.l1_load_sectors); }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", "L1 Store Sectors",
     "sectors of global stores, local ones included",
     [](const MetricInputs& in) { return number(in.total.l1_store_sectors); }},
    {"derived__memory_l1_wavefronts_shared_excessive", "", "Shared Wavefronts, Excessive",
     "passes through shared memory beyond those that conflict-free accesses need",
     [](const MetricInputs& in) {
       const Totals& t = in.total;
       return number(t.shared_wavefronts -
                     std::min(t.shared_wavefronts, t.shared_wavefronts_ideal));
     }},
    {"lts__t_sector_hit_rate.pct", "%", "L2 Hit Rate",
     "sectors found in L2 / sectors accessed by SMs, reads and writes; a full write counts as a "
     "hit",
     l2_hit_rate},
    {"lts__t_sector_op_read_hit_rate.pct", "%", "L2 Read Hit Rate",
     "read sectors found in L2 / read sectors",
     [](const MetricInputs& in) {
       const MemoryCounters& m = in.run.counters.memory;
       return ratio(m.l2_read_hit_sectors, m.l2_read_sectors, "no sector was read from L2", 100);
     }},
    {"lts__t_sectors_op_read.sum", "sector", "L2 Read Sectors",
     "sectors read in L2; one that is fetched from DRAM through the other half counts in both",
     [](const MetricInputs& in) {
       const MemoryCounters& m = in.run.counters.memory;
       return number(static_cast<double>(m.l2_read_sectors) +
                     other_half(in, m.dram_read_bytes / kSectorBytes));
     }},
    {"lts__t_sectors_op_write.sum", "sector", "L2 Write Sectors",
     "sectors written in L2; one that lives in the other half counts in both",
     [](const MetricInputs& in) {
       const MemoryCounters& m = in.run.counters.memory;
       return number(static_cast<double>(m.l2_write_sectors) + other_half(in, m.l2_write_sectors));
     }},
    {"lts__t_sectors_srcunit_tex.sum", "sector", "L2 Sectors From SMs",
     "sectors that SMs read and wrote in L2",
     [](const MetricInputs& in) {
       return number(in.run.counters.memory.l2_read_sectors +
                     in.run.counters.memory.l2_write_sectors);
     }},
    {"dram__bytes_read.sum", "byte", "DRAM Bytes Read", "bytes read from DRAM",
     [](const MetricInputs& in) { return number(in.run.counters.memory.dram_read_bytes); }},
    {"dram__bytes_write.sum", "byte", "DRAM Bytes Written", "bytes written to DRAM",
     [](const MetricInputs& in) { return number(in.run.counters.memory.dram_write_bytes); }},
    {"dram__bytes.sum.per_second", "byte/s", "Memory Throughput",
     "bytes read from and written to DRAM / duration",
     [](const MetricInputs& in) { return per_second(in, dram_bytes(in)); }},
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "%", "DRAM Throughput",
     "memory throughput / peak DRAM bandwidth",
     [](const MetricInputs& in) { return dram_pct(in, dram_bytes(in)); }},
};

}  // namespace

std::span<const MetricDefinition> memory_metrics() {
  return kMemory;
}

}  // namespace smsim
