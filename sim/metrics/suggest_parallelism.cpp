// Suggestions about how much runs at once: grid, occupancy, block length, independent instructions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/metrics/findings.hpp"

namespace smsim {
namespace {

std::uint64_t slots(const Findings& f) {
  return static_cast<std::uint64_t>(f.in.residency.blocks_per_sm) *
         static_cast<std::uint64_t>(f.in.gpu.topology.sms);
}

bool latency_is_hidden(const Findings& f) {
  const Bound* unit = f.most_used_unit();
  return f.issue_share() > 0.8 || (unit != nullptr && f.used(*unit) > 0.9);
}

void amortise_launch(const Findings& f, std::vector<RankedSuggestion>& out) {
  const double share = f.share_of("launch_overhead");
  if (share < 0.3) {
    return;
  }
  out.push_back({share,
                 {"do more per launch: larger grids, or several launches merged into one",
                  fmt::format("launch overhead takes {} of {} cycles ({:.0f} %)",
                              grouped(share * double(f.in.run.counters.elapsed_cycles)),
                              grouped(double(f.in.run.counters.elapsed_cycles)), 100 * share)}});
}

void fill_the_gpu(const Findings& f, std::vector<RankedSuggestion>& out) {
  const std::uint64_t blocks = f.in.kernel.launch.grid.count();
  const auto sms = static_cast<std::uint64_t>(f.in.gpu.topology.sms);
  if (blocks >= sms) {
    return;
  }
  const double unused = double(sms - blocks) / double(sms);
  if (unused < 0.1) {
    return;
  }
  out.push_back({unused,
                 {fmt::format("split the work into at least {} blocks", sms),
                  fmt::format("{} {} {} of {} SMs without work", blocks,
                              blocks == 1 ? "block leaves" : "blocks leave", sms - blocks, sms)}});
}

void fill_the_places(const Findings& f, std::vector<RankedSuggestion>& out) {
  const std::uint64_t blocks = f.in.kernel.launch.grid.count();
  if (blocks < static_cast<std::uint64_t>(f.in.gpu.topology.sms) || blocks >= slots(f) / 2 ||
      latency_is_hidden(f) || f.eligible() > 1) {
    return;
  }
  out.push_back({0.5 * (1 - f.waves()),
                 {"launch more, smaller blocks: warps that hide latency are missing",
                  fmt::format("the grid takes {} of {} places, {:.2f} eligible warps per scheduler",
                              grouped(double(blocks)), grouped(double(slots(f))), f.eligible())}});
}

void fill_the_last_wave(const Findings& f, std::vector<RankedSuggestion>& out) {
  const std::uint64_t blocks = f.in.kernel.launch.grid.count();
  if (slots(f) == 0 || blocks < slots(f)) {
    return;
  }
  const std::uint64_t rest = blocks % slots(f);
  const std::uint64_t whole = blocks / slots(f);
  const double efficiency =
      static_cast<double>(blocks) / static_cast<double>((whole + (rest > 0 ? 1 : 0)) * slots(f));
  if (rest == 0 || efficiency > 0.9 || f.sm_idle_inside() + f.tail_share() < 0.05) {
    return;
  }
  out.push_back(
      {1 - efficiency,
       {fmt::format("a grid of {} or {} blocks fills whole waves",
                    grouped(double(whole * slots(f))), grouped(double((whole + 1) * slots(f)))),
        fmt::format("{:.2f} waves: the last one has {} blocks for {} places, wave "
                    "efficiency {:.1f} %",
                    f.waves(), grouped(double(rest)), grouped(double(slots(f))),
                    100 * efficiency)}});
}

void even_out(const Findings& f, std::vector<RankedSuggestion>& out) {
  if (f.tail_share() < 0.1 || f.sm_idle_inside() < 0.08 || f.waves() < 1) {
    return;
  }
  out.push_back(
      {f.sm_idle(),
       {"even out the work per block, start long blocks first, or take work from a queue",
        fmt::format("the first SM runs out of blocks {} cycles ({:.0f} %) before the last ends",
                    grouped(f.tail_share() * double(f.in.run.counters.elapsed_cycles)),
                    100 * f.tail_share())}});
}

void longer_blocks(const Findings& f, std::vector<RankedSuggestion>& out) {
  const double empty =
      f.theoretical_occupancy() > 0 ? 1 - f.achieved_occupancy() / f.theoretical_occupancy() : 0;
  if (f.in.total.blocks == 0 || empty < 0.1 || f.waves() < 4 || f.tail_share() > 0.1 ||
      latency_is_hidden(f)) {
    return;
  }
  out.push_back({empty / 2,
                 {"give each block more work (several elements per thread, a grid-stride loop)",
                  fmt::format("between two blocks warp slots stand empty {:.0f} % of the time: "
                              "{:.1f} of {} warps resident, {} blocks of {} cycles each",
                              100 * empty, f.achieved_occupancy() * f.in.residency.max_warps_per_sm,
                              f.in.residency.warps_per_sm, grouped(double(f.in.total.blocks)),
                              grouped(double(f.in.total.warps_active) / double(f.in.total.blocks) /
                                      std::max(f.in.residency.warps_per_block, 1)))}});
}

void more_warps(const Findings& f, std::vector<RankedSuggestion>& out) {
  if (f.in.residency.next_steps.empty() || f.eligible() > 1 || latency_is_hidden(f) ||
      f.waves() <= 1 || f.achieved_occupancy() < 0.7 * f.theoretical_occupancy()) {
    return;
  }
  out.push_back({0.5 * (1 - f.theoretical_occupancy()),
                 {"raise the occupancy: " + f.in.residency.next_steps.front(),
                  fmt::format("{:.2f} eligible warps per scheduler at {:.0f} % occupancy",
                              f.eligible(), 100 * f.achieved_occupancy())}});
}

void already_hidden(const Findings& f, std::vector<RankedSuggestion>& out) {
  const Bound* unit = f.most_used_unit();
  if (!latency_is_hidden(f) || unit == nullptr) {
    return;
  }
  out.push_back({0.05,
                 {"latency is already hidden; more warps add nothing",
                  fmt::format("{} needs {:.0f} % of the cycles, schedulers issue in {:.0f} % of "
                              "theirs with {:.2f} eligible warps",
                              bound_title(unit->name), 100 * unit->share.value_or(0),
                              100 * f.issue_share(), f.eligible())}});
}

void independent_instructions(const Findings& f, std::vector<RankedSuggestion>& out) {
  const double share = f.state_share(WarpState::wait);
  if (f.top_wait() != WarpState::wait || latency_is_hidden(f) || share < 0.3) {
    return;
  }
  out.push_back(
      {(1 - f.issue_share()) * share,
       {"put independent instructions between dependent ones (unroll, several "
        "accumulators), or run more warps",
        fmt::format("{:.0f} % of warp time waits for a fixed latency; schedulers issue in "
                    "{:.0f} % of their cycles",
                    100 * share, 100 * f.issue_share())}});
}

}  // namespace

void suggest_parallelism(const Findings& f, std::vector<RankedSuggestion>& out) {
  amortise_launch(f, out);
  fill_the_gpu(f, out);
  fill_the_places(f, out);
  fill_the_last_wave(f, out);
  even_out(f, out);
  longer_blocks(f, out);
  more_warps(f, out);
  already_hidden(f, out);
  independent_instructions(f, out);
}

}  // namespace smsim
