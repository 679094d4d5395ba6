// Timelines as people look at them: in the terminal, in ui.perfetto.dev, in Konata.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "smsim/result.hpp"

namespace smsim {

/// What of a timeline to draw.
struct TimelineView {
  std::uint64_t from = 0;  // cycles; until 0: as much as tells the story of the first block
  std::uint64_t until = 0;
  std::optional<int> scheduler = 0;  // of the SM; empty: all four
  bool colour = false;               // terminal colours
};

/// Rows are the scheduler's warps, columns cycles, letters what they waited for; within 80 columns.
/// `result` must have a timeline.
std::string timeline_text(const Result& result, const TimelineView& view);

/// JSON for ui.perfetto.dev and chrome://tracing: a process per scheduler, a thread per warp slot,
/// slices for stays, states and instructions, counters for active, eligible and issued warps and
/// for requests under way. One cycle is written as one microsecond.
std::string perfetto_trace(const Result& result);

/// Log for the pipeline viewer Konata: every instruction of every warp, with what it waited for as
/// its stages.
std::string konata_log(const Result& result);

}  // namespace smsim
