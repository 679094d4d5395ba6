// The timeline says of every warp and every cycle what the oracle says, and adds up to the
// counters.
#include <algorithm>
#include <map>

#include "tests/catch.hpp"
#include "tests/engine/compare.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

constexpr Cycle kMostCycles = 4000;

struct Recorded {
  Counters counters;
  Timeline timeline;
  std::vector<WarpCycle> oracle;  // all SMs
};

Recorded record(const RandomCase& what, std::uint64_t seed, TimelineOptions wanted) {
  const std::vector<std::string> policies = policy_names();
  SimulateOptions options;
  options.scheduler = policies[seed % policies.size()];
  options.max_cycles = seed % 3 == 0 ? kMostCycles : 20 * (seed % 90) + 3;
  wanted.sm = static_cast<std::uint32_t>(seed % static_cast<unsigned>(what.gpu.topology.sms));
  options.timeline = wanted;
  EngineRun run = run_engine(what, options);
  REQUIRE(run.timeline.has_value());
  Recorded out{run.counters, std::move(*run.timeline), {}};
  static_cast<void>(run_oracle(what, options.scheduler, options.max_cycles, &out.oracle));
  return out;
}

bool is_kept(const Timeline& timeline, Cycle cycle) {
  return std::any_of(timeline.windows.begin(), timeline.windows.end(), [cycle](const auto& window) {
    return window.from <= cycle && cycle < window.until;
  });
}

// What the windows hold, cycle by cycle, as the oracle writes it.
std::vector<WarpCycle> spelled_out(const Timeline& timeline) {
  std::vector<WarpCycle> all;
  for (const WarpStay& stay : timeline.stays) {
    for (const WarpInterval& one : stay.intervals) {
      for (Cycle cycle = one.from; cycle < one.until; ++cycle) {
        if (!is_kept(timeline, cycle)) continue;
        all.push_back({cycle, timeline.sm, stay.scheduler, stay.slot, stay.block, stay.warp, one.pc,
                       one.state});
      }
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<WarpCycle> of_windows(const Recorded& run) {
  std::vector<WarpCycle> kept;
  for (const WarpCycle& one : run.oracle) {
    if (one.sm == run.timeline.sm && is_kept(run.timeline, one.cycle)) kept.push_back(one);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

using Bins = std::vector<std::array<std::uint64_t, kWarpStates>>;

Bins binned(const Recorded& run, std::uint32_t sm, std::uint8_t sub) {
  Bins bins;
  for (const WarpCycle& one : run.oracle) {
    if (one.sm != sm || one.sub != sub) continue;
    const std::size_t bin = one.cycle / run.timeline.bin_cycles;
    if (bins.size() <= bin) bins.resize(bin + 1);
    ++bins[bin][static_cast<std::size_t>(one.state)];
  }
  return bins;
}

std::array<std::uint64_t, 17> eligible_cycles(const Recorded& run, std::uint32_t sm,
                                              std::uint8_t sub) {
  std::map<Cycle, std::size_t> eligible;
  for (const WarpCycle& one : run.oracle) {
    if (one.sm != sm || one.sub != sub) continue;
    if (one.state == WarpState::selected || one.state == WarpState::not_selected) {
      ++eligible[one.cycle];
    }
  }
  std::array<std::uint64_t, 17> cycles{};
  for (const auto& [cycle, warps] : eligible) ++cycles[warps];
  return cycles;
}

void check_bins(const Recorded& run) {
  for (std::uint32_t sm = 0; sm < run.timeline.sms.size(); ++sm) {
    for (std::uint8_t sub = 0; sub < 4; ++sub) {
      const SchedulerTimeline& scheduler = run.timeline.sms[sm].scheduler[sub];
      INFO("SM " << sm << "." << static_cast<int>(sub));
      CHECK(scheduler.bins == binned(run, sm, sub));
      CHECK(scheduler.eligible_cycles == eligible_cycles(run, sm, sub));
      for (std::size_t state = 0; state < kWarpStates; ++state) {
        std::uint64_t sum = 0;
        for (const auto& bin : scheduler.bins) sum += bin[state];
        INFO(kWarpStateNames[state]);
        CHECK(sum == run.counters.sm[sm].sub[sub].state[state]);
      }
    }
  }
}

}  // namespace

TEST_CASE("every warp is in every cycle in the state that the oracle sees") {
  for (std::uint64_t seed = 5001; seed <= 5150; ++seed) {
    INFO("seed " << seed);
    TimelineOptions all;
    all.most_intervals = 10'000'000;
    const Recorded run = record(random_case(seed), seed, all);
    REQUIRE(run.timeline.windows.size() <= 1);
    CHECK(spelled_out(run.timeline) == of_windows(run));
  }
}

TEST_CASE("bins and eligible warps are the oracle's, and add up to the counters") {
  for (std::uint64_t seed = 5201; seed <= 5260; ++seed) {
    INFO("seed " << seed);
    TimelineOptions options;
    options.most_bins = 2 + 2 * (seed % 20);
    check_bins(record(random_case(seed), seed, options));
  }
}

TEST_CASE("what does not fit leaves a gap between two windows, and both are complete") {
  int with_gap = 0;
  for (std::uint64_t seed = 5301; seed <= 5400; ++seed) {
    INFO("seed " << seed);
    TimelineOptions few;
    few.most_intervals = 40 + 20 * (seed % 17);
    const Recorded run = record(random_case(seed), seed, few);
    with_gap += run.timeline.windows.size() == 2 ? 1 : 0;
    CHECK(spelled_out(run.timeline) == of_windows(run));
  }
  CHECK(with_gap > 20);
}

TEST_CASE("a window of one's own is complete, and nothing else is kept") {
  for (std::uint64_t seed = 5401; seed <= 5440; ++seed) {
    INFO("seed " << seed);
    TimelineOptions window;
    window.from = 11 * (seed % 60);
    window.until = window.from + 1 + 7 * (seed % 40);
    const Recorded run = record(random_case(seed), seed, window);
    CHECK(spelled_out(run.timeline) == of_windows(run));
    for (const WarpStay& stay : run.timeline.stays) {
      for (const WarpInterval& one : stay.intervals) {
        CHECK(one.from < window.until);
        CHECK(one.until > window.from);
      }
    }
  }
}

TEST_CASE("requests under way add up to the flights, where all are kept") {
  int some = 0;
  for (std::uint64_t seed = 5501; seed <= 5560; ++seed) {
    INFO("seed " << seed);
    TimelineOptions all;
    all.most_intervals = 10'000'000;
    const Recorded run = record(random_case(seed), seed, all);
    if (run.timeline.windows.empty()) continue;
    std::uint64_t flights = 0;
    const Cycle end = run.timeline.windows.front().until;
    for (const MemoryFlight& one : run.timeline.flights) flights += one.until - one.from;
    std::uint64_t bins = 0;
    for (const std::uint64_t cycles : run.timeline.sms[run.timeline.sm].requests) bins += cycles;
    for (const MemoryFlight& one : run.timeline.flights) CHECK(one.from < end);
    CHECK(flights == bins);
    some += flights > 0 ? 1 : 0;
  }
  CHECK(some > 20);
}

TEST_CASE("following a block keeps its warps wherever they run") {
  for (std::uint64_t seed = 5601; seed <= 5640; ++seed) {
    INFO("seed " << seed);
    const RandomCase what = random_case(seed);
    const std::uint64_t block = seed % what.kernel.launch.grid.count();
    TimelineOptions follow;
    follow.with_block = block;
    follow.most_intervals = 10'000'000;
    const Recorded run = record(what, seed, follow);
    std::vector<WarpCycle> of_block;
    for (const WarpCycle& one : run.oracle) {
      if (one.block == block) of_block.push_back(one);
    }
    std::sort(of_block.begin(), of_block.end());
    std::vector<WarpCycle> seen = spelled_out(run.timeline);
    std::erase_if(seen, [block](const WarpCycle& one) { return one.block != block; });
    CHECK(seen == of_block);
  }
}
