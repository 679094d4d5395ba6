#include "sim/engine/sm.hpp"

#include <algorithm>

namespace smsim::engine {
Sm::Sm(const Context& context, std::uint16_t index, AdvanceFunction advance, bool warm_caches)
    : context_(context),
      index_(index),
      advance_(advance),
      blocks_(static_cast<std::size_t>(std::max(context.machine.gpu.limits.max_blocks, 1))),
      tickets_(blocks_.size()),
      mbarriers_(blocks_.size() * context.program.mbarriers.size()),
      l1_(context.program, memory::CacheModel::Level::l1, context.l1_bytes, warm_caches),
      l1_lines_(context.recorded ? context.l1_bytes : 0) {
  due_.fill(kNever);
  for (std::uint8_t i = 0; i < kSubPartitions; ++i) subs_[i].index = i;
  for (SubPartition& sub : subs_) {
    for (int q = 0; q < kQueues; ++q)
      sub.queue[q].depth = context.machine.queue_entries[static_cast<std::size_t>(q)];
    if (context.machine.gpu.front_end.instruction_cache) {
      sub.line_ready.assign(context.decoded.lines, kNever);
      sub.cold_lines = context.decoded.lines + 1;
    }
  }
}

void Sm::admit(std::uint64_t block, Cycle start, std::uint8_t first_sub,
               std::shared_ptr<const RecordedBlock> recorded) {
  const auto free = std::find_if(blocks_.begin(), blocks_.end(),
                                 [](const BlockState& state) { return !state.used; });
  const auto slot = static_cast<std::uint8_t>(free - blocks_.begin());
  *free = BlockState{};
  free->used = true;
  free->block = block;
  free->warps_left = context_.shape.warps_per_block;
  free->warps_live = context_.shape.warps_per_block;
  free->first_sub = first_sub;
  free->recorded = std::move(recorded);
  for (std::size_t i = 0; i < context_.program.mbarriers.size(); ++i) {
    MbarrierState& state = mbarriers_[mbarrier_index(slot, static_cast<std::uint16_t>(i))];
    state = MbarrierState{};
    state.phases = context_.program.mbarriers[i].initial_phases;
  }
  for (std::uint8_t i = 0; i < kSubPartitions; ++i) {
    const auto offset =
        static_cast<std::uint32_t>((i + kSubPartitions - first_sub) % kSubPartitions);
    if (offset >= context_.shape.warps_per_block) continue;
    subs_[i].arrivals.push_back({start, block, slot, first_sub, free->recorded.get()});
  }
  starts_.push_back(start);
}

void Sm::run(Cycle end) {
  if (asleep(end)) {
    skip_to(end);
    return;
  }
  lg_closed_ = false;
  while (true) {
    const Cycle merged = *std::min_element(sub_now_.begin(), sub_now_.end());
    if (subs_with_events_ != 0) handle_events(merged);
    accept_until(std::min(merged + context_.machine.dispatch_latency, end), end);
    if (!mbarrier_arrivals_.empty()) handle_mbarrier_arrivals(merged);
    if (merged >= end) break;
    if (subs_with_events_ == 0 && skip_quiet_time(merged, end)) continue;
    for (std::uint8_t i = 0; i < kSubPartitions; ++i) run_sub(i, merged, end);
  }
  collect_departures();
}

// Where nothing at all can happen for a while, all sub-partitions move on together.
bool Sm::skip_quiet_time(Cycle merged, Cycle end) {
  Cycle until = std::min(end, *std::min_element(due_.begin(), due_.end()));
  if (!mbarrier_arrivals_.empty()) until = std::min(until, mbarrier_arrivals_.front().cycle);
  for (const SubPartition& sub : subs_) {
    if (sub.ready != 0) return false;
    until = std::min(until, sub.next_activity());
  }
  if (until <= merged) return false;
  for (std::size_t i = 0; i < kSubPartitions; ++i) {
    if (sub_now_[i] >= until) continue;
    subs_[i].skip_to(until);
    sub_now_[i] = until;
  }
  return true;
}

bool Sm::asleep(Cycle end) const {
  return std::all_of(subs_.begin(), subs_.end(), [end](const SubPartition& sub) {
    return sub.resident == 0 && sub.arrival_time() >= end && sub.queue[kLgQueue].waiting == 0 &&
           sub.queue[kMioQueue].waiting == 0;
  });
}

// Runs one sub-partition as far as nothing undecided can reach it.
void Sm::run_sub(std::uint8_t index, Cycle merged, Cycle end) {
  SubPartition& sub = subs_[index];
  if (sub.arrival_time() == sub.now) sub.leave_due();
  while (sub.arrival_time() == sub.now) {
    sub.place(context_, sub.arrivals.front());
    sub.arrivals.pop_front();
  }
  Cycle limit = std::min({end, sub.arrival_time(), queue_bound(sub, end)});
  if (sub.sync_parked != 0) limit = std::min(limit, merged + context_.machine.sync_lookahead);
  if (limit <= sub.now) return;
  advance_(context_, sub, limit, tickets_.data());
  sub_now_[index] = sub.now;
  for (const Queue kind : {kLgQueue, kMioQueue}) {
    due_[(kind * kSubPartitions) + index] = sub.queue[kind].head_ready;
  }
  if (!sub.events.empty()) subs_with_events_ |= 1U << index;
}

// No entry of the sub-partition's queues is accepted before this.
Cycle Sm::queue_bound(const SubPartition& sub, Cycle end) const {
  Cycle bound = end;
  for (const Queue kind : {kLgQueue, kMioQueue}) {
    const MioQueue& queue = sub.queue[kind];
    if (queue.waiting == 0) continue;
    const bool port = context_.decoded.ops[queue.entries[queue.head].pc].uses_port;
    Cycle head = port ? std::max(queue.head_ready, port_free_) : queue.head_ready;
    if (kind == kLgQueue) head = lg_closed_ ? end : std::max(head, lg_gate_);
    bound = std::min(bound, head);
  }
  return bound;
}

void Sm::collect_departures() {
  for (SubPartition& sub : subs_) {
    for (const Departure& departure : sub.departures) {
      BlockState& block = blocks_[departure.block_slot];
      block.end = std::max(block.end, departure.cycle);
      --block.warps_left;
      end_if_done(departure.block_slot);
    }
    sub.departures.clear();
  }
}

// A block's room is free when all warps have left and all its stores are acknowledged.
void Sm::end_if_done(std::uint8_t block_slot) {
  BlockState& block = blocks_[block_slot];
  if (block.warps_left > 0 || block.stores_left > 0) return;
  block.used = false;
  ended.push_back({block.end, block.block, block.first_sub});
}

// Active cycles are the union of the blocks' residencies.
void Sm::retire(Cycle cycle) {
  count_starts(cycle);
  ++counters_.blocks;
  counters_.last_block_end = std::max<std::uint64_t>(counters_.last_block_end, cycle);
  if (--resident_blocks_ == 0) counters_.active_cycles += cycle - active_since_;
}

void Sm::count_starts(Cycle until) {
  std::sort(starts_.begin(), starts_.end());
  auto start = starts_.begin();
  for (; start != starts_.end() && *start <= until; ++start) {
    if (resident_blocks_++ == 0) active_since_ = *start;
  }
  starts_.erase(starts_.begin(), start);
}

bool Sm::idle() const {
  return unanswered_ == 0 && asleep(next_start());
}

bool Sm::quiet() const {
  return mbarrier_arrivals_.empty() &&
         std::all_of(subs_.begin(), subs_.end(), [](const SubPartition& sub) {
           return sub.occupied == 0 && sub.far == 0 && sub.ready == 0 && sub.arrivals.empty() &&
                  sub.queue[kLgQueue].waiting == 0 && sub.queue[kMioQueue].waiting == 0;
         });
}

Cycle Sm::next_start() const {
  Cycle next = kNever;
  for (const SubPartition& sub : subs_) next = std::min(next, sub.arrival_time());
  return next;
}

void Sm::skip_to(Cycle cycle) {
  for (SubPartition& sub : subs_) {
    sub.now = cycle;
    sub.occupied = 0;
  }
  sub_now_.fill(cycle);
}

std::uint64_t Sm::issued() const {
  std::uint64_t sum = 0;
  for (const SubPartition& sub : subs_) sum += sub.issued;
  return sum;
}

void Sm::count_by_pc(InstructionCounters* counters) {
  for (SubPartition& sub : subs_) sub.by_pc = counters;
}

void Sm::log_issues(std::array<std::vector<IssueRecord>, kSubPartitions>& logs) {
  for (std::size_t i = 0; i < kSubPartitions; ++i) subs_[i].issue_log = &logs[i];
}

void Sm::record(SmRecorder* recorder) {
  recorder_ = recorder;
  for (SubPartition& sub : subs_) sub.recorder = recorder;
}

SmCounters Sm::close(Cycle end) {
  count_starts(end);
  if (resident_blocks_ > 0 && end > active_since_) counters_.active_cycles += end - active_since_;
  for (std::size_t i = 0; i < kSubPartitions; ++i) {
    SubPartition& sub = subs_[i];
    sub.close(context_, end);
    SubPartitionCounters& out = sub.counters;
    out.issued = sub.issued;
    out.state[static_cast<std::size_t>(WarpState::selected)] = sub.issued;
    out.state[static_cast<std::size_t>(WarpState::not_selected)] = sub.ready_wait - sub.throttled;
    // Hazards alu to branch are numbered like the pipes.
    for (auto pipe = static_cast<std::size_t>(Pipe::alu);
         pipe <= static_cast<std::size_t>(Pipe::branch); ++pipe) {
      out.pipe_busy_cycles[pipe] = sub.pipe_cycles[pipe];
    }
    out.pipe_busy_cycles[static_cast<std::size_t>(Pipe::tma)] =
        sub.pipe_cycles[static_cast<std::size_t>(Hazard::tma)];
    counters_.thread_instructions += (32 * sub.issued) - sub.idle_lanes;
    counters_.sub[i] = out;
  }
  return counters_;
}

}  // namespace smsim::engine
