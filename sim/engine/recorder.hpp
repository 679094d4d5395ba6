// Writes down when the warps of one SM were in which state (smsim/timeline.hpp).
//
// Every SM keeps sums in bins; the one that is watched keeps its warps' intervals besides. The
// sub-partitions report intervals in the order in which they learn of them: some before their time
// has come, some long after. Only `take` puts them in order.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/arch/machine.hpp"
#include "sim/arch/time.hpp"
#include "sim/engine/policy/warp_view.hpp"
#include "sim/engine/time_bins.hpp"
#include "smsim/program.hpp"
#include "smsim/timeline.hpp"

namespace smsim::engine {

class SmRecorder {
 public:
  SmRecorder(const Program& program, const TimelineOptions& options);

  // From now on intervals are kept, too; those before `from` may be missing.
  void watch(Cycle from);
  [[nodiscard]] bool watched() const { return watched_; }

  void placed(std::uint8_t sub, std::uint8_t slot, std::uint64_t block, std::uint32_t warp,
              Cycle cycle);
  void left(std::uint8_t sub, std::uint8_t slot, Cycle cycle);

  // The warp spends from <= cycle < until in `state`, before the instruction at `pc`.
  void waits(std::uint8_t sub, std::uint8_t slot, WarpState state, std::uint32_t pc, Cycle from,
             Cycle until) {
    if (until <= from) return;
    bins_[sub].add(static_cast<std::size_t>(state), from, until);
    if (watched_) keep({from, until, stay_of_[sub][slot], pc, state});
  }
  // The run ends before that: takes it back.
  void never_waits(std::uint8_t sub, WarpState state, Cycle from, Cycle until) {
    if (until > from) bins_[sub].take_back(static_cast<std::size_t>(state), from, until);
  }
  // A ready warp is kept from issuing.
  void held(std::uint8_t sub, std::uint8_t slot, WarpState state, std::uint32_t pc, Cycle from,
            Cycle until) {
    bins_[sub].add(static_cast<std::size_t>(state), from, until);
    bins_[sub].take_back(static_cast<std::size_t>(WarpState::not_selected), from, until);
    if (watched_) remember_held(sub, slot, {from, until, pc, state});
  }
  // A warp that was ready from `ready_at` on is so until `until`.
  void ready(std::uint8_t sub, std::uint8_t slot, std::uint32_t pc, Cycle ready_at, Cycle until) {
    bins_[sub].add(static_cast<std::size_t>(WarpState::not_selected), ready_at, until);
    if (watched_) keep_ready(sub, slot, pc, ready_at, until);
  }
  // It issues `instructions`, one a cycle, from `cycle` on.
  void issues(std::uint8_t sub, std::uint8_t slot, std::uint32_t pc, Cycle cycle,
              Cycle instructions) {
    bins_[sub].look_at(cycle);
    bins_[sub].add(static_cast<std::size_t>(WarpState::selected), cycle, cycle + instructions);
    if (!watched_) return;
    for (std::uint32_t i = 0; i < instructions; ++i) {
      keep({cycle + i, cycle + i + 1, stay_of_[sub][slot], pc + i, WarpState::selected});
    }
  }
  // These warps were eligible, in so many cycles. There are few of them, and std::popcount is a
  // library call on the oldest x86-64 that this is built for.
  void eligible(std::uint8_t sub, WarpMask warps, Cycle cycles) {
    std::size_t count = 0;
    for (std::uint32_t bits = warps; bits != 0; bits &= bits - 1) ++count;
    eligible_cycles_[sub][count] += cycles;
  }
  // A request left at `from`, its answer is there at `until`. Without a slot where its warp has
  // gone.
  void flight(std::uint8_t sub, std::uint8_t slot, std::uint16_t access, std::uint8_t sectors,
              Cycle from, Cycle until);

  [[nodiscard]] Cycle bin_cycles() const;
  // The SM's sums in bins of `bin_cycles`.
  SmTimeline take_bins(Cycle bin_cycles);
  // Windows, stays and flights of a watched SM; the run ended at `end`.
  void take_intervals(Cycle end, Timeline& timeline);

  static constexpr std::uint8_t kNoSlot = 0xff;

 private:
  struct Kept {
    Cycle from = 0;
    Cycle until = 0;
    std::uint32_t stay = kNoStay;
    std::uint32_t pc = 0;
    WarpState state = WarpState::wait;
  };

  void keep(const Kept& one);
  void keep_flight(const MemoryFlight& flight);
  void split_if_full();
  void trim_tail();
  [[nodiscard]] bool outside(Cycle from, Cycle until) const {
    return until <= options_.from || from >= options_.until;
  }
  void remember_held(std::uint8_t sub, std::uint8_t slot, const WarpInterval& one);
  void keep_ready(std::uint8_t sub, std::uint8_t slot, std::uint32_t pc, Cycle ready_at,
                  Cycle until);
  [[nodiscard]] std::vector<TimelineWindow> windows(Cycle end) const;

  TimelineOptions options_;
  std::vector<std::uint32_t> pc_of_access_;
  std::array<TimeBins<kWarpStates>, kSubPartitions> bins_;
  std::array<std::array<std::uint64_t, 17>, kSubPartitions> eligible_cycles_{};
  TimeBins<1> requests_;

  bool watched_ = false;
  std::vector<WarpStay> stays_;  // without their intervals
  std::array<std::array<WarpStay, kWarpSlots>, kSubPartitions> now_in_{};
  std::array<std::array<std::uint32_t, kWarpSlots>, kSubPartitions> stay_of_{};
  // Since the warp is ready.
  std::array<std::array<std::vector<WarpInterval>, kWarpSlots>, kSubPartitions> held_;
  // What begins before `split_` is kept for good, of the rest only the latest.
  Cycle split_ = kNever;
  Cycle tail_from_ = 0;  // all that ends after this is still there
  std::vector<Kept> head_;
  std::deque<Kept> tail_;
  std::vector<MemoryFlight> head_flights_;
  std::deque<MemoryFlight> tail_flights_;
};

}  // namespace smsim::engine
