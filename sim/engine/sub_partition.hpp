// One sub-partition of an SM: up to 16 resident warps, one scheduler, private pipes.
//
// It runs ahead of its siblings. What it needs from units shared by the SM (LSU port, barriers) it
// writes into queues and into `events`; the SM merges those in time order and tells it when
// scoreboards clear and barriers open. The rules, with every tie-break, are in README.md beside
// this file.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/arch/time.hpp"
#include "sim/engine/decoded_program.hpp"
#include "sim/engine/mio_queue.hpp"
#include "sim/engine/policy/warp_view.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/kernel/warp_flow.hpp"
#include "smsim/counters.hpp"

namespace smsim::engine {

// Something a warp did that the SM must see in time order.
struct SmEvent {
  enum class Kind : std::uint8_t { barrier, exit, mbarrier_wait, cluster_arrive, cluster_wait };
  Cycle cycle = 0;
  Kind kind = Kind::barrier;
  std::uint8_t slot = 0;
  std::uint8_t block_slot = 0;  // the warp may have left its slot to another block's by now
  std::uint16_t operand = 0;
};

// Why a warp has no wake-up time yet.
enum class Parked : std::uint8_t { no, scoreboard, barrier, fence, mbarrier, cluster, exit };

// Warp-cycles put down before their time had come.
struct BookedAhead {
  Cycle from = 0;
  Cycle until = 0;
  WarpState state = WarpState::wait;
};

// One instruction issued, for whoever wants to see all of them.
struct IssueRecord {
  Cycle cycle = 0;
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t pc = 0;
};

// A block that will start on this SM.
struct Arrival {
  Cycle start = 0;
  std::uint64_t block = 0;
  std::uint8_t block_slot = 0;
  std::uint8_t first_sub = 0;  // sub-partition of the block's warp 0
  const RecordedBlock* recorded = nullptr;
};

// A warp that has left its slot.
struct Departure {
  Cycle cycle = 0;
  std::uint8_t block_slot = 0;
};

struct alignas(64) SubPartition {
  // --- read and written every step
  Cycle now = 0;               // everything before this cycle is simulated
  std::uint64_t occupied = 0;  // bit k: wheel[(now + k) % 64] holds warps
  Cycle far_due = kNever;      // earliest wake-up beyond the wheel
  WarpMask ready = 0;    // stall count run out, scoreboards clear; pipe or queue may still refuse
  WarpMask far = 0;      // wake-up more than 63 cycles away
  WarpMask leaving = 0;  // wake-up = leaving the slot
  WarpMask sync_parked = 0;  // of these: waiting for a barrier inside the SM
  WarpMask parked = 0;       // no wake-up time known yet
  WarpMask resident = 0;
  std::uint16_t wanted = 0;  // at least the hazards of the ready warps
  std::uint16_t busy = 0;    // bit h: hazard h may be in force
  WarpView view;
  std::uint64_t issued = 0;
  std::uint64_t idle_lanes = 0;  // summed over the instructions issued
  std::uint64_t ready_wait = 0;  // summed (issue - ready)
  std::uint64_t throttled = 0;   // of it, while a pipe or queue refused or operands were missing
  std::array<Cycle, kWarpSlots> ready_at{};
  std::array<std::uint32_t, kWarpSlots> pc{};
  std::array<Hazard, kWarpSlots> hazard{};
  std::array<std::uint8_t, kWarpSlots> lanes{};
  std::array<std::uint8_t, kWarpSlots> pending{};  // scoreboards set and not yet waited for
  std::array<Cycle, kHazards> free_at{};           // when each pipe accepts again
  std::array<std::uint64_t, kHazards> pipe_cycles{};
  Cycle fma_heavy_free = 0;
  std::array<Cycle, 2> bank_free{};  // even and odd registers: when the next can be read
  Cycle bank_free_max = 0;
  Cycle issue_free = 0;  // held up until then by an instruction that waits for its operands
  Cycle fma_lite_free = 0;
  std::array<WarpMask, 64> wheel{};
  MioQueue queue[kQueues];

  // --- scoreboards
  std::array<std::array<Cycle, kScoreboards>, kWarpSlots> clear_at{};
  std::array<std::array<std::uint16_t, kScoreboards>, kWarpSlots> unresolved{};
  std::array<std::uint8_t, kWarpSlots> long_kind{};  // bit s: scoreboard s waits for L1TEX
  std::array<std::uint8_t, kWarpSlots> gmma_kind{};

  // --- colder
  // Of the next issue, scoreboards aside; accounted up to here.
  std::array<Cycle, kWarpSlots> earliest{};
  std::array<Parked, kWarpSlots> parked_for{};
  std::array<Cycle, kWarpSlots> resident_from{};
  // Intervals booked ahead since the last issue and some before: for runs that are cut short.
  std::array<std::array<BookedAhead, 8>, kWarpSlots> booked_ahead{};
  std::array<std::uint8_t, kWarpSlots> next_booked{};
  std::array<Cycle, kWarpSlots> resolved_at{};  // end of the last branch_resolving
  std::array<std::uint32_t, kWarpSlots> accesses{};
  std::array<std::uint8_t, kWarpSlots> queued{};  // entries not accepted yet
  std::array<Cycle, kWarpSlots> store_done{};     // last store's data has left the SM
  std::array<std::uint16_t, kWarpSlots> unacknowledged{};
  std::array<Cycle, kWarpSlots> acknowledged_at{};
  std::array<Cycle, kWarpSlots> fence_cycles{};  // of the fence that it waits at
  std::array<Cycle, kWarpSlots> fetched_at{};    // instruction after one at which the warp waits
  std::array<std::uint32_t, kWarpSlots> generation{};
  std::array<std::uint64_t, kWarpSlots> warp_key{};  // of the warp's random draws
  // Mbarrier and cluster waits passed (cluster programs).
  std::array<std::uint32_t, kWarpSlots> waits_done{};
  std::array<std::array<std::uint16_t, kMaxMbarriers>, kWarpSlots> mbarrier_waits{};
  std::array<std::uint8_t, kWarpSlots> block_slot{};
  std::array<WarpFlow, kWarpSlots> flow{};
  std::deque<Arrival> arrivals;  // in time order
  // Since ready, when instruction counts are wanted.
  std::array<Cycle, kWarpSlots> throttled_by_slot{};
  std::vector<Departure> departures;  // warps that have left, in time order
  std::vector<SmEvent> events;        // in time order
  std::size_t next_event = 0;
  std::vector<Cycle> line_ready;  // instruction cache: when each line is there (kNever: untouched)
  std::uint32_t cold_lines = 0;   // untouched, plus one until the last one is there
  Cycle lines_there = 0;          // all lines touched so far
  Cycle active_since = 0;
  InstructionCounters* by_pc = nullptr;           // when instruction counts are wanted
  std::vector<IssueRecord>* issue_log = nullptr;  // filled only beside `by_pc`
  SmRecorder* recorder = nullptr;                 // likewise
  std::uint8_t index = 0;                         // in its SM
  SubPartitionCounters counters;

  [[nodiscard]] Cycle arrival_time() const {
    return arrivals.empty() ? kNever : arrivals.front().start;
  }

  // With no warp ready: when the next one wakes or a block arrives.
  [[nodiscard]] Cycle next_activity() const {
    const Cycle wheel_due =
        occupied != 0 ? now + static_cast<Cycle>(std::countr_zero(occupied)) : kNever;
    return std::min({wheel_due, far_due, arrival_time()});
  }

  void skip_to(Cycle cycle) {
    const Cycle distance = cycle - now;
    occupied = distance < 64 ? occupied >> distance : 0;
    now = cycle;
  }

  void wake_at(std::uint8_t slot, Cycle cycle) {
    assert(cycle >= now);
    ready_at[slot] = cycle;
    const Cycle distance = cycle - now;
    if (distance < 64) {
      wheel[cycle % 64] |= bit_of(slot);
      occupied |= std::uint64_t{1} << distance;
    } else {
      far |= bit_of(slot);
      far_due = std::min(far_due, cycle);
    }
  }

  // Books from <= cycle < from + cycles as `state`, for the instruction that the warp waits to
  // issue.
  void book(std::uint8_t slot, WarpState state, Cycle from, Cycle cycles) {
    counters.state[static_cast<std::size_t>(state)] += cycles;
    if (by_pc == nullptr) return;
    by_pc[pc[slot]].state[static_cast<std::size_t>(state)] += cycles;
    if (recorder != nullptr) [[unlikely]]
      record_wait(slot, state, from, from + cycles);
  }

  // A ready warp is kept from issuing, and not by another one's turn.
  void book_held(std::uint8_t slot, WarpState state, Cycle cycles) {
    counters.state[static_cast<std::size_t>(state)] += cycles;
    throttled += cycles;
    if (by_pc == nullptr) return;
    by_pc[pc[slot]].state[static_cast<std::size_t>(state)] += cycles;
    throttled_by_slot[slot] += cycles;
    if (recorder != nullptr) [[unlikely]]
      record_held(slot, state, cycles);
  }

  // Books an interval that may lie in the future.
  void book_ahead(std::uint8_t slot, WarpState state, Cycle from, Cycle until) {
    if (until <= from) return;
    book(slot, state, from, until - from);
    booked_ahead[slot][next_booked[slot]++ % booked_ahead[slot].size()] = {from, until, state};
  }

  // Places the warps of a block that belong here; `now` is the block's start.
  void place(const Context& context, const Arrival& arrival);
  // Gives the warp a wake-up time if its scoreboards allow it, or parks it. Booked up to
  // `earliest`.
  void settle(const Context& context, std::uint8_t slot);
  // A result of scoreboard `scoreboard` arrives at `cycle`.
  void resolve(const Context& context, std::uint8_t slot, std::uint8_t scoreboard, Cycle cycle);
  // A parked warp may go on at `cycle`; the time since `earliest` was spent in `state`.
  void release(const Context& context, std::uint8_t slot, WarpState state, Cycle cycle);
  // The warp's EXIT has issued at `now`; decides when the slot is free, or parks it until that is
  // known.
  void try_leave(std::uint8_t slot);
  // A fence may be complete: all earlier stores are acknowledged.
  void try_fence(const Context& context, std::uint8_t slot);
  // Cycle at which the instruction at `pc` has been fetched, asked for at `cycle`.
  Cycle fetch(const Context& context, std::uint32_t at_pc, Cycle cycle);
  void leave(WarpMask slots);
  // Warps that leave at `now` free their slots before a block that starts at `now` takes them.
  void leave_due();
  void pull_far();
  // Ends the books at `end` for warps that are still resident.
  void close(const Context& context, Cycle end);

 private:
  [[nodiscard]] WarpState parked_state(std::uint8_t slot) const;
  // Scoreboards that the warp waits for, up to `end`.
  void close_scoreboards(const Context& context, std::uint8_t slot, Cycle end);
  // For the recorder, out of the hot loop's way.
  void record_wait(std::uint8_t slot, WarpState state, Cycle from, Cycle until);
  void record_held(std::uint8_t slot, WarpState state, Cycle cycles);
  // Takes back part of what `book` has booked.
  void take_back(std::uint8_t slot, WarpState state, Cycle from, Cycle cycles);
  // Takes back what was booked beyond the end of a run that is cut short.
  void unbook(const Context& context, std::uint8_t slot, Cycle end, Cycle booked_until);
};

}  // namespace smsim::engine
