// Suggestions about data: fewer bytes, fewer sectors, more loads in flight, fewer conflicts.
#include <fmt/format.h>

#include <algorithm>

#include "sim/metrics/findings.hpp"

namespace smsim {
namespace {

void fewer_bytes(const Findings& f, std::vector<RankedSuggestion>& out) {
  const double share = f.share_of("dram_bandwidth");
  if (share < 0.8) {
    return;
  }
  const Roofline& r = f.in.roofline;
  const std::string position =
      r.intensity && r.ridge
          ? fmt::format("; {:.2f} operations per byte, the ridge point is at {:.1f}", *r.intensity,
                        *r.ridge)
          : "";
  out.push_back(
      {0.3 * share,
       {"move fewer bytes: keep data on chip between uses, or use narrower types",
        fmt::format("DRAM alone needs {:.0f} % of the cycles{}", 100 * share, position)}});
}

void more_in_flight(const Findings& f, std::vector<RankedSuggestion>& out) {
  const double share = f.state_share(WarpState::long_scoreboard);
  const MemoryCounters& m = f.in.run.counters.memory;
  const double dram = std::max(f.share_of("dram_bandwidth"), f.share_of("l2_bandwidth"));
  if (share < 0.4 || dram > 0.9 || f.share_of("atomics") > 0.3 || m.load_requests == 0) {
    return;
  }
  out.push_back(
      {share * (1 - dram) * 0.8,
       {"start several independent loads before the first is used (wider loads, unrolling)",
        fmt::format("{:.0f} % of warp time waits for memory; a load takes {} cycles and {:.1f} "
                    "requests are in flight per SM",
                    100 * share, grouped(double(m.load_latency_cycles) / double(m.load_requests)),
                    double(m.load_latency_cycles) /
                        (double(f.in.run.counters.elapsed_cycles) * double(f.in.total.sms)))}});
}

// Sectors that an access touches beyond those that its bytes need.
struct Waste {
  double sectors = 0;
  double wasted = 0;
  std::size_t worst_pc = 0;
  double worst = 0;
};

Waste count_waste(const MetricInputs& in) {
  Waste waste;
  const Program& program = in.kernel.program;
  const auto& counted = in.run.counters.instruction;
  for (std::size_t pc = 0; pc < std::min(program.code.size(), counted.size()); ++pc) {
    if (program.code[pc].action != Action::memory) {
      continue;
    }
    const MemoryAccess& access = program.accesses[program.code[pc].operand];
    if (access.space != Space::global || access.queue_op != QueueOp::none ||
        access.kind == AccessKind::bulk_copy) {
      continue;
    }
    const double issued = static_cast<double>(counted[pc].issued);
    const double excess = std::max(0.0, double(access.sectors) - double(access.bytes_per_thread));
    waste.sectors += issued * access.sectors;
    waste.wasted += issued * excess;
    if (issued * excess > waste.worst) {
      waste.worst = issued * excess;
      waste.worst_pc = pc;
    }
  }
  return waste;
}

void fewer_sectors(const Findings& f, std::vector<RankedSuggestion>& out) {
  const Waste waste = count_waste(f.in);
  if (waste.sectors <= 0 || waste.wasted / waste.sectors < 0.2) {
    return;
  }
  const Program& program = f.in.kernel.program;
  const MemoryAccess& access = program.accesses[program.code[waste.worst_pc].operand];
  const double memory =
      std::max({f.share_of("dram_bandwidth"), f.share_of("l2_bandwidth"), f.share_of("lsu_port"),
                f.state_share(WarpState::long_scoreboard)});
  const std::string text =
      waste.worst_pc < program.text.size() ? program.text[waste.worst_pc] : "an access";
  out.push_back(
      {0.8 * memory * waste.wasted / waste.sectors,
       {"let neighbouring threads access neighbouring addresses",
        fmt::format("{}: {} sectors per request, {} would hold its bytes; {:.0f} % of all "
                    "sectors are surplus",
                    text, access.sectors, access.bytes_per_thread,
                    100 * waste.wasted / waste.sectors)}});
}

void bank_conflicts(const Findings& f, std::vector<RankedSuggestion>& out) {
  const auto actual = static_cast<double>(f.in.total.shared_wavefronts);
  const auto ideal = static_cast<double>(f.in.total.shared_wavefronts_ideal);
  if (ideal <= 0 || actual < 1.1 * ideal) {
    return;
  }
  const double cost = std::max({f.share_of("lsu_port"), f.state_share(WarpState::mio_throttle),
                                f.state_share(WarpState::short_scoreboard)});
  out.push_back({cost * (1 - ideal / actual),
                 {"remove shared-memory bank conflicts (pad rows, swizzle)",
                  fmt::format("{} passes where {} would do: {:.1f} on average", grouped(actual),
                              grouped(ideal), actual / ideal)}});
}

}  // namespace

void suggest_memory(const Findings& f, std::vector<RankedSuggestion>& out) {
  fewer_bytes(f, out);
  more_in_flight(f, out);
  fewer_sectors(f, out);
  bank_conflicts(f, out);
}

}  // namespace smsim
