// Suggestions about waiting for one another: barriers, work queues, atomics, fetch.
#include <fmt/format.h>

#include <algorithm>

#include "sim/metrics/findings.hpp"

namespace smsim {
namespace {

void barriers(const Findings& f, std::vector<RankedSuggestion>& out) {
  const double share = f.state_share(WarpState::barrier);
  if (share < 0.2) {
    return;
  }
  out.push_back({share * (1 - f.issue_share()),
                 {"use smaller blocks or fewer barriers, so that other blocks run meanwhile",
                  fmt::format("{:.0f} % of warp time waits at barriers, in blocks of {} warps",
                              100 * share, f.in.residency.warps_per_block)}});
}

void work_queue(const Findings& f, std::vector<RankedSuggestion>& out) {
  const MemoryCounters& m = f.in.run.counters.memory;
  if (m.queue_pops == 0) {
    return;
  }
  const double share = double(m.queue_wait_cycles) / std::max(1.0, double(f.in.total.warps_active));
  const double pops = f.share_of("work_queue");
  if (share < 0.02 && pops < 0.5) {
    return;
  }
  out.push_back({std::max(share, pops),
                 {"take several tasks at a time from the work queue",
                  fmt::format("{} pops one after the other take {:.0f} % of the cycles, and wait "
                              "{:.0f} cycles each for one another",
                              grouped(double(m.queue_pops)), 100 * pops,
                              double(m.queue_wait_cycles) / double(m.queue_pops))}});
}

void atomics(const Findings& f, std::vector<RankedSuggestion>& out) {
  const double share = f.share_of("atomics");
  if (share < 0.3) {
    return;
  }
  out.push_back(
      {share * 0.9,
       {"combine within a warp or block before the global atomic, or spread the addresses",
        fmt::format("atomics on the busiest address alone need {:.0f} % of the cycles",
                    100 * share)}});
}

void instruction_fetch(const Findings& f, std::vector<RankedSuggestion>& out) {
  const double share = f.state_share(WarpState::no_instruction);
  if (share < 0.15) {
    return;
  }
  const double blocks_per_sm =
      f.in.gpu.topology.sms > 0 ? double(f.in.total.blocks) / f.in.gpu.topology.sms : 0;
  out.push_back(
      {share / 2,
       {"make the code smaller, or blocks longer, so that fetched code is used more often",
        fmt::format("{:.0f} % of warp time waits for instructions: {} instructions of "
                    "code, {:.1f} blocks per SM",
                    100 * share, f.in.kernel.program.code.size(), blocks_per_sm)}});
}

}  // namespace

void suggest_synchronisation(const Findings& f, std::vector<RankedSuggestion>& out) {
  barriers(f, out);
  work_queue(f, out);
  atomics(f, out);
  instruction_fetch(f, out);
}

}  // namespace smsim
