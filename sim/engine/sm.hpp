// One streaming multiprocessor: four sub-partitions, and the units they share (LSU port, L1,
// barriers).
//
// Inside a window of time an SM needs nothing from outside: answers and new blocks that fall into
// the window were handed over before it began. The sub-partitions run ahead alone; `run` merges
// what they logged in time order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/engine/advance.hpp"
#include "sim/engine/block_state.hpp"
#include "sim/engine/sub_partition.hpp"
#include "sim/memory/address_cache.hpp"
#include "sim/memory/cache_model.hpp"
#include "sim/memory/memory_system.hpp"
#include "sim/memory/request.hpp"

namespace smsim::engine {

// A block that has left: its room is free from `cycle` on.
struct BlockEnd {
  Cycle cycle = 0;
  std::uint64_t block = 0;
  std::uint8_t first_sub = 0;
};

// A warp at its cluster's barrier, or one that exits and so holds up no later one.
struct ClusterArrival {
  Cycle cycle = 0;
  std::uint64_t block = 0;
  bool exits = false;
};

class Sm {
 public:
  Sm(const Context& context, std::uint16_t index, AdvanceFunction advance, bool warm_caches);

  // A block starts here at `start`, which lies in a window still to come.
  void admit(std::uint64_t block, Cycle start, std::uint8_t first_sub,
             std::shared_ptr<const RecordedBlock> recorded);
  // Simulates up to `end`. Fills `requests`, `ended` and `cluster_arrivals`.
  void run(Cycle end);
  // The answer to one of this SM's requests.
  void deliver(const memory::Request& request, const memory::Answer& answer);
  // The cluster of `block` has passed its barrier; its warps may go on at `cycle`.
  void open_cluster_barrier(std::uint64_t block, Cycle cycle);

  // Nothing is scheduled to happen any more without outside help.
  [[nodiscard]] bool quiet() const;
  // Nothing happens here before `next_start`: no warp is resident and no answer is outstanding.
  [[nodiscard]] bool idle() const;
  [[nodiscard]] Cycle next_start() const;
  void skip_to(Cycle cycle);
  // Answers that have not come yet.
  // Something is under way that will arrive at an mbarrier by itself.
  [[nodiscard]] bool expects_arrivals() const {
    return copies_.size() != free_copies_.size() || !mbarrier_arrivals_.empty();
  }
  [[nodiscard]] std::uint64_t waits_for_memory() const { return unanswered_; }
  // A block of `ended` gives its room back: for the books of active cycles. Calls come in time
  // order.
  void retire(Cycle cycle);
  // Sub-partitions' books closed at `end`; returns the SM's counters.
  SmCounters close(Cycle end);

  [[nodiscard]] const std::array<SubPartition, kSubPartitions>& subs() const { return subs_; }
  [[nodiscard]] const BlockState& block_state(std::uint8_t slot) const { return blocks_[slot]; }
  [[nodiscard]] const MbarrierState& mbarrier(std::uint8_t block_slot, std::uint16_t index) const {
    return mbarriers_[mbarrier_index(block_slot, index)];
  }
  [[nodiscard]] std::uint64_t ticket(std::uint8_t block_slot) const { return tickets_[block_slot]; }
  [[nodiscard]] std::uint64_t issued() const;
  void count_by_pc(InstructionCounters* counters);
  // Every issue of sub-partition i is appended to `logs[i]` (only while counting by pc).
  void log_issues(std::array<std::vector<IssueRecord>, kSubPartitions>& logs);
  // Who is told what happens when (only while counting by pc).
  void record(SmRecorder* recorder);

  std::vector<memory::Request> requests;
  std::vector<BlockEnd> ended;
  std::vector<ClusterArrival> cluster_arrivals;

 private:
  struct Head {  // the entry that a queue kind would hand over next
    Cycle ready = kNever;
    std::uint8_t sub = 0;
  };
  struct Credit {
    Cycle cycle;
    std::uint32_t sectors;
  };
  struct BulkCopy {
    std::uint32_t remaining = 0;
    Cycle last_arrival = 0;
    std::uint16_t mbarrier = 0;
    std::uint8_t block_slot = 0;
    std::uint64_t block = 0;
  };
  struct MbarrierArrival {
    Cycle cycle;
    std::uint16_t mbarrier;
    std::uint8_t block_slot;
    std::uint64_t block;  // which may have ended by then
  };

  // sm.cpp
  void run_sub(std::uint8_t index, Cycle merged, Cycle end);
  bool skip_quiet_time(Cycle merged, Cycle end);
  [[nodiscard]] Cycle queue_bound(const SubPartition& sub, Cycle end) const;
  void collect_departures();
  void end_if_done(std::uint8_t block_slot);
  void count_starts(Cycle until);
  [[nodiscard]] bool asleep(Cycle end) const;

  // lsu.cpp: the queues' heads into the shared units
  void accept_until(Cycle limit, Cycle end);
  [[nodiscard]] Head next_head(Queue queue) const;
  Cycle credit_gate(const Head& head, Cycle end);
  void accept(std::uint8_t sub_index, Queue queue, Cycle earliest);
  Cycle take_port(Cycle earliest, Cycle busy);
  [[nodiscard]] static Footprint footprint_of(const SubPartition& sub, const QueueEntry& entry,
                                              const MemoryAccess& access);
  void access_memory(SubPartition& sub, const QueueEntry& entry, const Op& op, Cycle start);
  void access_shared(SubPartition& sub, const QueueEntry& entry, const Op& op,
                     const MemoryAccess& access, Cycle start);
  void access_global(SubPartition& sub, const QueueEntry& entry, const Op& op,
                     const MemoryAccess& access, Cycle start);
  [[nodiscard]] memory::Request request_of(const SubPartition& sub, const QueueEntry& entry,
                                           const Op& op, const MemoryAccess& access) const;
  [[nodiscard]] bool is_pending(const MemoryAccess& access, std::uint64_t key) const;
  std::uint16_t send_drawn_lines(memory::Request request, const SubPartition& sub,
                                 const QueueEntry& entry, const Footprint& touched, Cycle ready);
  // recorded_access.cpp
  std::uint16_t send_recorded_lines(memory::Request request, const RecordedWarp& recorded,
                                    const QueueEntry& entry, Cycle ready);
  void bulk_copy(SubPartition& sub, const QueueEntry& entry, const Op& op,
                 const MemoryAccess& access, Cycle start);
  void acknowledge(std::uint8_t block_slot, Cycle cycle);
  void send(memory::Request request, Cycle ready);
  void finish_entry(SubPartition& sub, std::uint8_t slot, Cycle done);
  [[nodiscard]] std::uint64_t place_of(const MemoryAccess& access, const WarpFlow& flow,
                                       std::uint32_t draw, std::uint32_t line,
                                       std::uint64_t key) const;
  [[nodiscard]] memory::ReturnPath path_of(const SubPartition& sub, std::uint8_t slot) const;

  // sync.cpp: barriers of all kinds
  void handle_events(Cycle before);
  void handle_event(std::uint8_t sub_index, const SmEvent& event);
  void arrive_at_barrier(std::uint8_t sub_index, const SmEvent& event, BlockState& block);
  void check_barriers(BlockState& block, Cycle cycle);
  void open(std::array<WarpMask, kSubPartitions>& waiting, Cycle cycle, WarpState state);
  void wait_on_mbarrier(std::uint8_t sub_index, const SmEvent& event);
  void wait_for_cluster(std::uint8_t sub_index, const SmEvent& event, BlockState& block);
  void handle_mbarrier_arrivals(Cycle before);
  void arrive_at_mbarrier(const MbarrierArrival& arrival);
  void expect_mbarrier_arrival(const MbarrierArrival& arrival);
  [[nodiscard]] std::size_t mbarrier_index(std::uint8_t block_slot, std::uint16_t index) const {
    return (block_slot * context_.program.mbarriers.size()) + index;
  }

  const Context& context_;
  // What the merge loop looks at every time, close together.
  std::array<Cycle, kSubPartitions> sub_now_{};
  std::array<Cycle, std::size_t{kQueues} * kSubPartitions> due_{};  // heads of the queues, by kind
  std::uint32_t subs_with_events_ = 0;                              // bit per sub-partition
  std::uint16_t index_;
  AdvanceFunction advance_;
  std::array<SubPartition, kSubPartitions> subs_;
  std::vector<BlockState> blocks_;
  std::vector<std::uint64_t> tickets_;              // last pop of each block
  std::vector<MbarrierState> mbarriers_;            // [block slot][mbarrier]
  std::vector<MbarrierArrival> mbarrier_arrivals_;  // heap, earliest first
  std::vector<BulkCopy> copies_;
  std::vector<std::uint16_t> free_copies_;
  memory::CacheModel l1_;
  memory::AddressCache l1_lines_;  // with a trace
  std::vector<Cycle> starts_;      // of admitted blocks, not yet counted as active
  Cycle port_free_ = 0;
  Cycle barrier_free_ = 0;
  Tick load_path_free_ = 0;
  Tick store_path_free_ = 0;
  Cycle lg_gate_ = 0;       // no LG acceptance before this, for lack of credits
  bool lg_closed_ = false;  // none in this window
  std::uint32_t outstanding_sectors_ = 0;
  std::vector<Credit> credits_;  // heap, earliest first
  std::uint32_t resident_blocks_ = 0;
  std::uint64_t unanswered_ = 0;
  SmRecorder* recorder_ = nullptr;
  Cycle active_since_ = 0;
  SmCounters counters_;
};

}  // namespace smsim::engine
