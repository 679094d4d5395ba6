// What happened when: every warp of one SM cycle by cycle, and the whole GPU in bins of time.
//
// A run keeps this only when asked to (SimulateOptions::timeline). Nothing in it is sampled: the
// intervals of a warp tile its stay on the SM without gap or overlap inside the windows kept, and
// bins hold exact sums, so that added up over time they are the counters of the run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "smsim/counters.hpp"

namespace smsim {

/// What to keep.
struct TimelineOptions {
  std::uint32_t sm = 0;  // whose warps are kept cycle by cycle
  // Instead of `sm`: the SM that gets this block, from its start on. Of warps that were there
  // before it, what they were doing at that moment may be missing.
  std::optional<std::uint64_t> with_block;
  std::uint64_t from = 0;  // only what touches from <= cycle < until
  std::uint64_t until = ~std::uint64_t{0};
  // Where there are more, the beginning and the end of the run are kept, half of them each.
  std::size_t most_intervals = 50'000;
  std::size_t most_bins = 128;  // even; bins double in width while the run grows
};

/// A warp in one state, waiting for (or issuing) one instruction.
struct WarpInterval {
  std::uint64_t from = 0;
  std::uint64_t until = 0;  // first cycle after it
  std::uint32_t pc = 0;     // the instruction that it issues next; `selected`: issues now
  WarpState state = WarpState::wait;

  friend bool operator==(const WarpInterval&, const WarpInterval&) = default;
};

/// A warp's stay in one of the SM's slots.
struct WarpStay {
  std::uint8_t scheduler = 0;  // sub-partition, 0..3
  std::uint8_t slot = 0;       // of the scheduler, 0..15
  std::uint32_t warp = 0;      // in its block
  std::uint64_t block = 0;
  std::uint64_t from = 0;
  std::uint64_t until = 0;              // leaves; the end of the run where it never does
  std::vector<WarpInterval> intervals;  // in time order; what the windows hold, not cut at them
};

/// A request from the SM to L2 and beyond, or to another SM's shared memory.
struct MemoryFlight {
  std::uint64_t from = 0;   // leaves the SM
  std::uint64_t until = 0;  // its answer is there
  std::uint32_t stay = 0;   // index into Timeline::stays; kNoStay when that is not kept
  std::uint32_t pc = 0;
  std::uint8_t sectors = 0;
};
inline constexpr std::uint32_t kNoStay = ~std::uint32_t{0};

/// From this cycle to before that one every warp of the SM is known.
struct TimelineWindow {
  std::uint64_t from = 0;
  std::uint64_t until = 0;
};

/// One scheduler over time and as a whole.
struct SchedulerTimeline {
  std::vector<std::array<std::uint64_t, kWarpStates>> bins;  // warp-cycles by state
  std::array<std::uint64_t, 17> eligible_cycles{};  // [n]: cycles with n eligible warps, n >= 1
};

struct SmTimeline {
  std::array<SchedulerTimeline, 4> scheduler;
  std::vector<std::uint64_t> requests;  // by bin: request-cycles under way to L2 and beyond
};

struct Timeline {
  std::uint32_t sm = 0;  // whose warps are kept
  std::vector<TimelineWindow> windows;
  std::vector<WarpStay> stays;  // by scheduler, slot and time
  std::vector<MemoryFlight> flights;
  std::uint64_t bin_cycles = 1;  // width of every bin; bin b begins at cycle b * bin_cycles
  std::vector<SmTimeline> sms;
};

}  // namespace smsim
