#include "sim/engine/recorder.hpp"

#include <algorithm>
#include <tuple>

namespace smsim::engine {
namespace {

std::vector<std::uint32_t> pcs_of_accesses(const Program& program) {
  std::vector<std::uint32_t> pcs(program.accesses.size(), 0);
  for (std::uint32_t pc = static_cast<std::uint32_t>(program.code.size()); pc-- > 0;) {
    const Instruction& in = program.code[pc];
    if (in.action == Action::memory && in.operand < pcs.size()) pcs[in.operand] = pc;
  }
  return pcs;
}

// What ends after `split` goes to the tail; only what begins before it stays in the head. What
// spans it is in both.
template <class T>
void move_later(std::vector<T>& head, std::deque<T>& tail, Cycle split) {
  for (const T& one : head) {
    if (one.until > split) tail.push_back(one);
  }
  std::erase_if(head, [split](const T& one) { return one.from >= split; });
}

}  // namespace

SmRecorder::SmRecorder(const Program& program, const TimelineOptions& options)
    : options_(options),
      pc_of_access_(pcs_of_accesses(program)),
      bins_{TimeBins<kWarpStates>(options.most_bins), TimeBins<kWarpStates>(options.most_bins),
            TimeBins<kWarpStates>(options.most_bins), TimeBins<kWarpStates>(options.most_bins)},
      requests_(options.most_bins) {
  for (auto& slots : stay_of_) slots.fill(kNoStay);
}

void SmRecorder::watch(Cycle from) {
  if (watched_) return;
  watched_ = true;
  options_.from = std::max(options_.from, from);
  for (std::size_t sub = 0; sub < kSubPartitions; ++sub) {
    for (std::size_t slot = 0; slot < kWarpSlots; ++slot) {
      if (now_in_[sub][slot].until != kNever) continue;
      stay_of_[sub][slot] = static_cast<std::uint32_t>(stays_.size());
      stays_.push_back(now_in_[sub][slot]);
    }
  }
}

void SmRecorder::placed(std::uint8_t sub, std::uint8_t slot, std::uint64_t block,
                        std::uint32_t warp, Cycle cycle) {
  now_in_[sub][slot] = {sub, slot, warp, block, cycle, kNever, {}};
  if (!watched_) return;
  held_[sub][slot].clear();
  stay_of_[sub][slot] = static_cast<std::uint32_t>(stays_.size());
  stays_.push_back(now_in_[sub][slot]);
}

void SmRecorder::left(std::uint8_t sub, std::uint8_t slot, Cycle cycle) {
  now_in_[sub][slot].until = cycle;
  if (watched_) stays_[stay_of_[sub][slot]].until = cycle;
}

void SmRecorder::keep(const Kept& one) {
  if (outside(one.from, one.until) || one.stay == kNoStay) return;
  if (one.from < split_) head_.push_back(one);
  if (one.until > split_) tail_.push_back(one);
  split_ == kNever ? split_if_full() : trim_tail();
}

void SmRecorder::keep_flight(const MemoryFlight& flight) {
  if (outside(flight.from, flight.until)) return;
  if (flight.from < split_) head_flights_.push_back(flight);
  if (flight.until > split_) tail_flights_.push_back(flight);
  split_ == kNever ? split_if_full() : trim_tail();
}

void SmRecorder::split_if_full() {
  if (head_.size() + head_flights_.size() <= options_.most_intervals || head_.empty()) return;
  split_ = head_[head_.size() / 2].from;
  move_later(head_, tail_, split_);
  move_later(head_flights_, tail_flights_, split_);
  trim_tail();
}

void SmRecorder::trim_tail() {
  while (tail_.size() + tail_flights_.size() > options_.most_intervals / 2) {
    const bool flight = tail_.empty() || (!tail_flights_.empty() &&
                                          tail_flights_.front().until <= tail_.front().until);
    tail_from_ = std::max(tail_from_, flight ? tail_flights_.front().until : tail_.front().until);
    flight ? tail_flights_.pop_front() : tail_.pop_front();
  }
}

void SmRecorder::remember_held(std::uint8_t sub, std::uint8_t slot, const WarpInterval& one) {
  std::vector<WarpInterval>& held = held_[sub][slot];
  if (!held.empty() && held.back().until == one.from && held.back().state == one.state) {
    held.back().until = one.until;
  } else {
    held.push_back(one);
  }
}

void SmRecorder::keep_ready(std::uint8_t sub, std::uint8_t slot, std::uint32_t pc, Cycle ready_at,
                            Cycle until) {
  const std::uint32_t stay = stay_of_[sub][slot];
  Cycle done = ready_at;
  for (const WarpInterval& one : held_[sub][slot]) {
    if (done < one.from) keep({done, one.from, stay, pc, WarpState::not_selected});
    keep({one.from, one.until, stay, pc, one.state});
    done = one.until;
  }
  if (done < until) keep({done, until, stay, pc, WarpState::not_selected});
  held_[sub][slot].clear();
}

void SmRecorder::flight(std::uint8_t sub, std::uint8_t slot, std::uint16_t access,
                        std::uint8_t sectors, Cycle from, Cycle until) {
  if (until <= from) return;
  requests_.look_at(from);
  requests_.add(0, from, until);
  if (!watched_) return;
  const std::uint32_t stay = slot == kNoSlot ? kNoStay : stay_of_[sub][slot];
  keep_flight({from, until, stay, pc_of_access_[access], sectors});
}

Cycle SmRecorder::bin_cycles() const {
  Cycle widest = requests_.width();
  for (const auto& bins : bins_) widest = std::max(widest, bins.width());
  return widest;
}

SmTimeline SmRecorder::take_bins(Cycle bin_cycles) {
  SmTimeline out;
  for (std::size_t sub = 0; sub < kSubPartitions; ++sub) {
    bins_[sub].widen(bin_cycles);
    out.scheduler[sub].bins = bins_[sub].rows();
    out.scheduler[sub].eligible_cycles = eligible_cycles_[sub];
  }
  requests_.widen(bin_cycles);
  for (const auto& row : requests_.rows()) out.requests.push_back(row[0]);
  return out;
}

std::vector<TimelineWindow> SmRecorder::windows(Cycle end) const {
  const TimelineWindow all{options_.from, std::min(options_.until, end)};
  if (all.until <= all.from) return {};
  if (split_ >= all.until || tail_from_ <= split_) return {all};
  std::vector<TimelineWindow> both{{all.from, split_}};
  if (tail_from_ < all.until) both.push_back({tail_from_, all.until});
  return both;
}

void SmRecorder::take_intervals(Cycle end, Timeline& timeline) {
  timeline.windows = windows(end);
  const auto is_kept = [&timeline](Cycle from, Cycle until) {
    return std::any_of(timeline.windows.begin(), timeline.windows.end(), [&](const auto& window) {
      return from < window.until && until > window.from;
    });
  };
  const auto take = [&](Kept one) {
    one.until = std::min(one.until, end);
    if (one.from >= one.until || !is_kept(one.from, one.until)) return;
    stays_[one.stay].intervals.push_back({one.from, one.until, one.pc, one.state});
  };
  std::for_each(head_.begin(), head_.end(), take);
  std::for_each(tail_.begin(), tail_.end(), take);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < stays_.size(); ++i) {
    WarpStay& stay = stays_[i];
    if (stay.intervals.empty()) continue;
    stay.until = std::min(stay.until, end);
    std::sort(stay.intervals.begin(), stay.intervals.end(),
              [](const WarpInterval& a, const WarpInterval& b) { return a.from < b.from; });
    // What spans the split was kept on both sides.
    stay.intervals.erase(std::unique(stay.intervals.begin(), stay.intervals.end()),
                         stay.intervals.end());
    order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::tuple(stays_[a].scheduler, stays_[a].slot, stays_[a].from) <
           std::tuple(stays_[b].scheduler, stays_[b].slot, stays_[b].from);
  });
  std::vector<std::uint32_t> place(stays_.size(), kNoStay);
  for (const std::uint32_t i : order) {
    place[i] = static_cast<std::uint32_t>(timeline.stays.size());
    timeline.stays.push_back(std::move(stays_[i]));
  }
  const auto take_flight = [&](MemoryFlight flight) {
    if (!is_kept(flight.from, flight.until)) return;
    if (flight.stay != kNoStay) flight.stay = place[flight.stay];
    timeline.flights.push_back(flight);
  };
  std::for_each(head_flights_.begin(), head_flights_.end(), take_flight);
  std::for_each(tail_flights_.begin(), tail_flights_.end(), [&](const MemoryFlight& flight) {
    if (flight.from >= split_) take_flight(flight);
  });
}

}  // namespace smsim::engine
