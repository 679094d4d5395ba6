// One SM of the oracle.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "sim/engine/policy/warp_view.hpp"
#include "sim/kernel/warp_flow.hpp"
#include "sim/memory/cache_model.hpp"
#include "sim/memory/memory_system.hpp"
#include "tests/engine/oracle.hpp"

namespace smsim::test {

struct OracleContext {
  const Machine& machine;
  const KernelSpec& kernel;
  LaunchShape shape;
  std::uint64_t l1_bytes = 0;
  std::uint8_t (*pick)(engine::WarpMask, const engine::WarpView&) = nullptr;
  std::vector<WarpCycle>* log = nullptr;  // of every warp-cycle, where wanted
};

struct OracleScoreboard {
  WarpState kind = WarpState::short_scoreboard;  // of the last producer
  int answers_missing = 0;                       // producers whose end is not known yet
  Cycle clear_at = 0;                            // latest end of the others
};

// Why a warp may not look at its next instruction yet.
enum class Hold : std::uint8_t { none, barrier, fence, mbarrier, cluster, sleep, exit };

struct OracleWarp {
  bool resident = false;
  std::uint32_t block = 0;  // index into OracleSm::blocks_
  WarpFlow flow;
  std::uint64_t key = 0;
  std::uint32_t queue_entries = 0;  // made so far
  std::uint64_t id = 0;             // never the same for two warps of an SM
  Cycle issued_at = 0;
  Cycle wait_until = 0;     // stall count
  Cycle resolve_until = 0;  // branch, exit
  Cycle fetched_at = 0;
  Hold hold = Hold::none;
  Cycle hold_until = 0;  // kNever: not known yet
  std::array<OracleScoreboard, kScoreboards> scoreboards;
  int queued = 0;       // entries not accepted
  Cycle data_left = 0;  // of all accesses so far
  int unacknowledged = 0;
  Cycle fence_cycles = 0;  // from the moment when nothing is pending
  std::array<std::uint32_t, kMaxMbarriers> mbarrier_waits{};
  std::uint32_t cluster_waits = 0;
};

struct ClusterArrival {
  std::uint64_t block = 0;
  bool exits = false;
};

struct OracleEntry {
  Cycle issued = 0;
  std::uint32_t pc = 0;
  std::uint32_t number = 0;
  std::uint8_t slot = 0;
  std::uint8_t lanes = 32;
};

struct OracleQueue {
  std::deque<OracleEntry> waiting;
  std::vector<Cycle> starts;  // of accepted entries: their room is free from then on
  Cycle next_accept = 0;
};

struct OracleSub {
  std::array<OracleWarp, kWarpSlots> warps;
  std::array<OracleQueue, kQueues> queues;
  std::array<Cycle, 16> pipe_free{};  // by Pipe
  Cycle fma_lite_free = 0;
  Cycle fma_heavy_free = 0;
  std::array<Cycle, 2> bank_free{};
  Cycle issue_free = 0;
  std::uint8_t last = engine::kNoWarp;
  std::map<std::uint32_t, std::uint8_t> turn;  // by block: slot that issued last
  std::vector<Cycle> line_ready;               // kNever: never touched
  std::vector<Issue> issues;
  SubPartitionCounters counters;
  // Of the current cycle.
  std::array<std::optional<WarpState>, kWarpSlots> waits;
  std::optional<std::uint8_t> picked;
};

struct OracleBarrier {
  std::uint32_t arrived = 0;
  std::uint32_t expected = 0;
  std::vector<OracleWarp*> waiting;
};

struct OracleMbarrier {
  std::uint32_t arrived = 0;
  std::vector<Cycle> completed;  // phases
};

struct OracleBlock {
  std::uint64_t number = 0;
  std::uint8_t first_sub = 0;
  bool ended = false;
  std::uint32_t warps_left = 0;
  std::uint32_t warps_live = 0;
  std::uint32_t stores_left = 0;
  std::uint64_t ticket = 0;
  std::array<OracleBarrier, kMaxNamedBarriers> barriers;
  std::vector<OracleMbarrier> mbarriers;
  std::vector<Cycle> cluster_open;  // by phase
};

// A request on its way, and what its answer is for.
struct OracleRequest {
  memory::Request request;
  std::uint64_t warp_id = 0;
  std::uint32_t block = 0;
  bool counts_as_outstanding = false;
  std::uint32_t copy = 0;
};

class OracleSm {
 public:
  OracleSm(const OracleContext& context, std::uint32_t index);

  // The steps of cycle `now`, in this order.
  void answer(const OracleRequest& sent, std::uint64_t value);  // arrives now
  void bulk_line_arrived(const OracleRequest& sent, Cycle now);
  void acknowledge_store(const OracleRequest& sent);             // at the block, now
  void acknowledge_to_warp(const OracleRequest& sent);           // for its fences, now
  void accept(Cycle now, std::vector<OracleRequest>& requests);  // due heads of the queues
  void complete_mbarriers(Cycle now);                            // arrivals of now
  std::vector<OracleBlock> leave(Cycle now);                     // returns blocks that end
  void place(std::uint64_t block, std::uint8_t first_sub, Cycle now);
  void choose(Cycle now);  // one state for every warp
  // Returns the warps that arrive at their cluster's barrier or exit.
  std::vector<ClusterArrival> issue(Cycle now, std::vector<InstructionCounters>& by_pc);
  void open_cluster_barrier(std::uint64_t block, Cycle cycle);

  SmCounters counters;
  std::array<OracleSub, kSubPartitions> subs;

 private:
  [[nodiscard]] const Program& program() const { return context_.kernel.program; }
  [[nodiscard]] const GpuSpec& gpu() const { return context_.machine.gpu; }
  [[nodiscard]] const Instruction& next_of(const OracleWarp& warp) const {
    return program().code[warp.flow.pc];
  }

  // oracle_warps.cpp
  [[nodiscard]] std::optional<WarpState> why_not_ready(const OracleWarp& warp, Cycle now) const;
  [[nodiscard]] std::optional<WarpState> refusal(const OracleSub& sub, const Instruction& next,
                                                 Cycle now) const;
  [[nodiscard]] engine::WarpView view_of(const OracleSub& sub) const;
  void issue_one(OracleSub& sub, std::uint8_t slot, Cycle now);
  Cycle read_operands(OracleSub& sub, const Instruction& in, Cycle now) const;
  void occupy_pipe(OracleSub& sub, const Instruction& in, Cycle now) const;
  void act(OracleSub& sub, std::uint8_t slot, const Instruction& in, std::uint8_t lanes, Cycle now);
  void enqueue(OracleSub& sub, std::uint8_t slot, const Instruction& in, std::uint8_t lanes,
               Cycle now);
  void set_scoreboard(OracleWarp& warp, std::uint8_t scoreboard, WarpState kind) const;

  // oracle_blocks.cpp
  [[nodiscard]] Cycle fetch(OracleSub& sub, std::uint32_t pc, Cycle cycle) const;

  // oracle_lsu.cpp
  struct Head {
    Cycle due = kNever;
    std::uint8_t sub = 0;
  };
  [[nodiscard]] Head first_head(Queue queue) const;
  // Rounds the means of an access whose executions differ.
  [[nodiscard]] static double part_of(const OracleSub& sub, const OracleEntry& entry);
  [[nodiscard]] bool sectors_fit(const Head& head) const;
  void accept_head(std::uint8_t sub_index, Queue which, Cycle now,
                   std::vector<OracleRequest>& requests);
  void access_shared(OracleWarp& warp, const OracleEntry& entry, Cycle start);
  void access_global(OracleWarp& warp, OracleRequest base, const OracleEntry& entry, Cycle start,
                     std::vector<OracleRequest>& requests);
  void bulk_copy(OracleWarp& warp, OracleRequest base, const OracleEntry& entry, Cycle start,
                 std::vector<OracleRequest>& requests);
  void send(OracleRequest request, Cycle ready, std::vector<OracleRequest>& requests);
  [[nodiscard]] std::uint64_t place_of(const MemoryAccess& access, const WarpFlow& flow,
                                       std::uint32_t number, std::uint64_t line,
                                       std::uint64_t key) const;

  // oracle_answers.cpp
  OracleWarp* find(std::uint64_t id);

  // oracle_sync.cpp
  void arrive_at_barrier(OracleWarp& warp, const BarrierUse& use, Cycle now);
  void exit_from_block(OracleBlock& block, Cycle now);
  static void open(OracleBarrier& barrier, Cycle cycle);
  void wait_on_mbarrier(OracleWarp& warp, std::uint16_t mbarrier, Cycle now);
  void wait_for_cluster(OracleWarp& warp, Cycle now);

  struct MbarrierArrival {
    std::uint32_t block = 0;
    std::uint16_t mbarrier = 0;
  };

  const OracleContext& context_;
  std::uint32_t index_;
  std::deque<OracleBlock> blocks_;  // of the whole run
  std::uint64_t warps_placed_ = 0;
  memory::CacheModel l1_;
  Cycle port_free_ = 0;
  Cycle barrier_free_ = 0;
  Tick load_path_free_ = 0;
  Tick store_path_free_ = 0;
  std::uint32_t outstanding_sectors_ = 0;
  std::vector<std::uint32_t> copies_;  // lines missing, by bulk copy
  std::multimap<Cycle, MbarrierArrival> mbarrier_arrivals_;
  std::vector<ClusterArrival> cluster_arrivals_;
};

}  // namespace smsim::test
