// How one warp walks a program: loops, branches, divergence, task loops. No timing here; the engine
// and the test oracle share it.
//
// Divergence, in programs from the kernel language: a warp carries the number of its active lanes.
// At a branch that splits it, it runs the then-side with some lanes, then the else-side with the
// others, and goes on with all of them at the reconvergence point. The two sides never interleave
// (independent thread scheduling is not modelled). In programs from profiles a route splits the
// warp: one part runs to the region's end (BSYNC) or exits, then the next part does.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "smsim/kernel_spec.hpp"
#include "smsim/program.hpp"

namespace smsim {

// The launch as warps see it.
struct LaunchShape {
  std::uint64_t seed = 1;
  std::uint64_t blocks = 1;
  std::uint32_t threads_per_block = 32;
  std::uint32_t warps_per_block = 1;
};

LaunchShape launch_shape(const LaunchSpec& launch);

inline constexpr std::uint8_t kNoLaneLoop = 0xff;

// Whether a loop's lanes run different numbers of trips.
inline bool trips_differ_by_lane(const Loop& loop) {
  return loop.trips.kind == TripCount::Kind::distribution && loop.trips.scope == Scope::thread;
}

// What a warp must come back to: the end of a BSSY region, a part of it that waits, a call.
struct Parting {
  enum class Kind : std::uint8_t { region, part, call };
  Kind kind = Kind::region;
  std::uint32_t pc = 0;  // of the waiting part, or to return to
};

struct WarpFlow {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;  // in its block
  std::uint32_t pc = 0;
  std::uint8_t lanes = 32;
  bool poll_satisfied = false;  // what the last poll saw
  std::uint16_t split = 0;      // bit d: the else-side at nesting depth d is still to come
  std::uint32_t visits = 0;     // draws made by this warp so far
  std::uint64_t ticket = 0;     // last pop of this warp
  std::uint64_t task = 0;       // current task and the end of its batch
  std::uint64_t task_end = 0;
  std::uint64_t static_stride = 0;  // batches between its first and its next static task
  std::array<std::uint32_t, kMaxLoopDepth> trips_left{};
  // The loop whose trips differ from lane to lane (the outermost such one): lanes leave it one by
  // one.
  std::uint8_t lane_loop_depth = kNoLaneLoop;
  std::uint8_t lanes_before_loop = 0;
  std::array<std::uint32_t, 32> lane_trips{};  // of its lanes, most first
  std::array<std::uint8_t, kMaxBranchDepth> saved_lanes{};
  std::array<std::uint32_t, kMaxSpinWaits> epoch{};
  std::array<Parting, kMaxPartings> partings{};  // innermost last
  std::uint8_t partings_open = 0;
  const RecordedWarp* recorded = nullptr;  // outlives the warp
  std::uint32_t step = 0;                  // of `recorded`
  // Two for each route of the program, in 1/2^64 of a jump and of a split (route_choice.hpp).
  std::vector<std::uint64_t> route_phases;
};

WarpFlow start_warp(const Program& program, const LaunchShape& shape, std::uint64_t block,
                    std::uint32_t warp);

// Whether warps follow a trace instead of the program's own control flow.
inline bool follows_trace(const Program& program) {
  return !program.code.empty() && program.code.front().flow == Flow::recorded;
}

// Makes the warp follow its trace from the beginning.
void follow_trace(WarpFlow& warp, const RecordedWarp& recorded);

// What following an instruction's `Flow` did.
enum class FlowStep : std::uint8_t { fell_through, jumped, exited };

// Moves `warp.pc` past the instruction it stands on. `block_ticket` is the block's last pop.
FlowStep follow(const Program& program, const LaunchShape& shape, WarpFlow& warp,
                std::uint64_t block_ticket);

// Active lanes for which condition number `condition` holds; draws like a branch would.
std::uint8_t lanes_where(const Program& program, const LaunchShape& shape, WarpFlow& warp,
                         std::uint64_t block_ticket, std::uint32_t condition);

// Flag number that a signal or poll names; -1 when outside the flags.
std::int64_t flag_index(const Program& program, const MemoryAccess& access, std::uint64_t block);

// Value that a poll waits for in this warp's current epoch.
std::uint64_t awaited_value(const Program& program, std::uint16_t access, const WarpFlow& warp);

}  // namespace smsim
