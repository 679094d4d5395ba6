// Answers from the memory system, back to the warps and blocks that wait for them.
#include <algorithm>

#include "sim/engine/sm.hpp"

namespace smsim::engine {

void Sm::acknowledge(std::uint8_t block_slot, Cycle cycle) {
  BlockState& block = blocks_[block_slot];
  block.end = std::max(block.end, cycle);
  --block.stores_left;
  end_if_done(block_slot);
}

void Sm::deliver(const memory::Request& request, const memory::Answer& answer) {
  const memory::ReturnPath& back = request.back;
  --unanswered_;
  if (recorder_ != nullptr) {
    const bool there = subs_[back.sub].generation[back.slot] == back.generation;
    recorder_->flight(back.sub, there ? back.slot : SmRecorder::kNoSlot, request.access,
                      request.sectors, request.time, answer.arrival);
  }
  if (request.kind == memory::RequestKind::load && !back.to_mbarrier &&
      context_.machine.gpu.l1.max_outstanding_sectors > 0) {
    credits_.push_back({answer.arrival, request.sectors});
    std::push_heap(credits_.begin(), credits_.end(),
                   [](const Credit& a, const Credit& b) { return a.cycle > b.cycle; });
  }
  if (back.to_mbarrier) {
    BulkCopy& copy = copies_[back.copy];
    copy.last_arrival = std::max(copy.last_arrival, answer.arrival);
    if (--copy.remaining == 0) {
      expect_mbarrier_arrival({copy.last_arrival, copy.mbarrier, copy.block_slot, copy.block});
      free_copies_.push_back(back.copy);
    }
    return;
  }
  if (back.holds_block) acknowledge(back.block_slot, answer.arrival);
  SubPartition& sub = subs_[back.sub];
  if (sub.generation[back.slot] != back.generation) return;
  const MemoryAccess& access = context_.program.accesses[request.access];
  if (access.queue_op == QueueOp::pop) {
    (access.pop_for_block ? tickets_[back.block_slot] : sub.flow[back.slot].ticket) = answer.value;
  } else if (access.queue_op == QueueOp::poll) {
    WarpFlow& flow = sub.flow[back.slot];
    flow.poll_satisfied = answer.value >= awaited_value(context_.program, request.access, flow);
  }
  if (back.acknowledge) {
    --sub.unacknowledged[back.slot];
    const Cycle round_trip = request.time + context_.machine.min_round_trip;
    sub.acknowledged_at[back.slot] =
        std::max({sub.acknowledged_at[back.slot], answer.arrival, round_trip});
    if (sub.parked_for[back.slot] == Parked::fence && (sub.parked & bit_of(back.slot)) != 0) {
      sub.try_fence(context_, back.slot);
    }
  }
  if (back.scoreboard < kScoreboards) {
    sub.resolve(context_, back.slot, back.scoreboard, answer.arrival);
  }
}

}  // namespace smsim::engine
