// The whole GPU of the oracle, cycle by cycle.
#include "tests/engine/oracle.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "sim/engine/dispatcher.hpp"
#include "sim/engine/policy/policy_list.hpp"
#include "tests/engine/oracle_sm.hpp"

namespace smsim::test {
namespace {

using Pick = std::uint8_t (*)(engine::WarpMask, const engine::WarpView&);

template <class... Ps>
Pick pick_of(const std::string& name, std::tuple<Ps...>* /*list*/) {
  Pick found = nullptr;
  ((name == Ps::kName ? found = &Ps::pick : found), ...);
  if (found == nullptr) throw std::invalid_argument("unknown policy " + name);
  return found;
}

class OracleGpu {
 public:
  OracleGpu(const Machine& machine, const KernelSpec& kernel, const std::string& policy, int pool,
            std::vector<WarpCycle>* log)
      : context_{machine,
                 kernel,
                 launch_shape(kernel.launch),
                 static_cast<std::uint64_t>(
                     std::max((machine.gpu.limits.l1_smem_kb * 1024) - pool, 0)),
                 pick_of(policy, static_cast<engine::Policies*>(nullptr)),
                 log},
        memory_(machine, kernel.program, kernel.launch),
        dispatcher_(machine.gpu, kernel.launch, pool),
        by_pc_(kernel.program.code.size()) {
    for (int i = 0; i < machine.gpu.topology.sms; ++i) {
      sms_.emplace_back(context_, static_cast<std::uint32_t>(i));
    }
  }

  OracleRun run(Cycle max_cycles) {
    start(dispatcher_.first_wave());
    if (!starts_.empty()) first_start_ = starts_.begin()->first;
    Cycle now = 0;
    for (; blocks_done_ < context_.shape.blocks && now < max_cycles; ++now) step(now);
    const bool completed = blocks_done_ == context_.shape.blocks;
    while (completed && !requests_.empty()) serve(std::get<0>(requests_.begin()->first));
    return close(completed, now);
  }

 private:
  void step(Cycle now) {
    serve(now);
    deliver(now);
    for (std::uint32_t i = 0; i < sms_.size(); ++i) {
      std::vector<OracleRequest> sent;
      sms_[i].accept(now, sent);
      for (const OracleRequest& one : sent) {
        requests_.insert({{one.request.time, i, sequence_++}, one});
      }
      sms_[i].complete_mbarriers(now);
    }
    end_blocks(now);
    const auto [first, last] = starts_.equal_range(now);
    for (auto it = first; it != last; ++it) {
      sms_[it->second.sm].place(it->second.block, it->second.first_sub, now);
    }
    starts_.erase(first, last);
    for (OracleSm& sm : sms_) sm.choose(now);
    for (OracleSm& sm : sms_) {
      for (const ClusterArrival& one : sm.issue(now, by_pc_)) arrive_at_cluster_barrier(one, now);
    }
  }

  void start(const std::vector<engine::Placement>& placements) {
    for (const engine::Placement& one : placements) starts_.insert({one.start, one});
  }

  // Requests that leave their SMs now, in the order (SM, sequence).
  void serve(Cycle now) {
    while (!requests_.empty() && std::get<0>(requests_.begin()->first) <= now) {
      const OracleRequest sent = requests_.begin()->second;
      requests_.erase(requests_.begin());
      const memory::Answer answer = memory_.serve(sent.request);
      answers_.insert({answer.arrival, {sent, answer.value}});
      if (sent.request.back.acknowledge) {
        const Cycle round_trip = now + context_.machine.min_round_trip;
        acknowledgements_.insert({std::max(answer.arrival, round_trip), sent});
      }
    }
  }

  void deliver(Cycle now) {
    const auto [first, last] = answers_.equal_range(now);
    for (auto it = first; it != last; ++it) {
      const auto& [sent, value] = it->second;
      OracleSm& sm = sms_[sent.request.back.sm];
      if (sent.request.back.to_mbarrier) {
        sm.bulk_line_arrived(sent, now);
      } else {
        sm.answer(sent, value);
        if (sent.request.back.holds_block) sm.acknowledge_store(sent);
      }
    }
    answers_.erase(first, last);
    const auto [first_ack, last_ack] = acknowledgements_.equal_range(now);
    for (auto it = first_ack; it != last_ack; ++it) {
      sms_[it->second.request.back.sm].acknowledge_to_warp(it->second);
    }
    acknowledgements_.erase(first_ack, last_ack);
  }

  void end_blocks(Cycle now) {
    std::vector<engine::Placement> placements;
    for (std::uint16_t i = 0; i < sms_.size(); ++i) {
      std::vector<OracleBlock> ended = sms_[i].leave(now);
      std::sort(ended.begin(), ended.end(),
                [](const OracleBlock& a, const OracleBlock& b) { return a.number < b.number; });
      for (const OracleBlock& block : ended) {
        ++blocks_done_;
        last_end_ = now;
        dispatcher_.release(i, now, block.first_sub, placements);
      }
    }
    start(placements);
  }

  void arrive_at_cluster_barrier(const ClusterArrival& arrival, Cycle now) {
    const auto size = static_cast<std::uint64_t>(std::max(context_.kernel.launch.cluster, 1));
    const std::uint64_t cluster = arrival.block / size;
    ++(arrival.exits ? cluster_exits_ : cluster_arrivals_)[cluster];
    const std::uint64_t arrived = cluster_arrivals_[cluster];
    const std::uint64_t warps = size * context_.shape.warps_per_block;
    if (arrived == 0 || arrived + cluster_exits_[cluster] < warps) return;
    cluster_arrivals_[cluster] = 0;
    const int latency = std::max(context_.machine.gpu.barrier.cluster_barrier_cycles, 1);
    for (OracleSm& sm : sms_) {
      for (std::uint64_t i = 0; i < size; ++i) {
        sm.open_cluster_barrier((cluster * size) + i, now + static_cast<Cycle>(latency));
      }
    }
  }

  OracleRun close(bool completed, Cycle now) {
    OracleRun run;
    run.completed = completed;
    Counters& counters = run.counters;
    counters.first_block_start = first_start_;
    counters.last_block_end = completed ? last_end_ : now;
    const int end = std::max(context_.machine.gpu.dispatch.kernel_end_cycles, 0);
    const Cycle memory_end = completed
                                 ? std::max(memory_.close(last_end_), dispatcher_.ends_handled())
                                 : memory_.close(now);
    counters.elapsed_cycles = completed ? memory_end + static_cast<Cycle>(end) : now;
    counters.blocks_done = blocks_done_;
    counters.memory = memory_.counters();
    counters.instruction = by_pc_;
    for (OracleSm& sm : sms_) {
      for (std::size_t i = 0; i < kSubPartitions; ++i) {
        sm.counters.sub[i] = sm.subs[i].counters;
        run.issues.insert(run.issues.end(), sm.subs[i].issues.begin(), sm.subs[i].issues.end());
      }
      counters.sm.push_back(sm.counters);
    }
    return run;
  }

  OracleContext context_;
  std::vector<OracleSm> sms_;
  memory::MemorySystem memory_;
  engine::Dispatcher dispatcher_;
  std::vector<InstructionCounters> by_pc_;
  std::multimap<Cycle, engine::Placement> starts_;
  std::map<std::tuple<Cycle, std::uint32_t, std::uint64_t>, OracleRequest> requests_;
  std::multimap<Cycle, std::pair<OracleRequest, std::uint64_t>> answers_;
  std::multimap<Cycle, OracleRequest> acknowledgements_;
  std::map<std::uint64_t, std::uint64_t> cluster_arrivals_;
  std::map<std::uint64_t, std::uint64_t> cluster_exits_;
  std::uint64_t sequence_ = 0;
  std::uint64_t blocks_done_ = 0;
  Cycle first_start_ = 0;
  Cycle last_end_ = 0;
};

}  // namespace

OracleRun run_oracle(const Machine& machine, const KernelSpec& kernel, const std::string& policy,
                     int smem_pool_bytes, Cycle max_cycles, std::vector<WarpCycle>* log) {
  return OracleGpu(machine, kernel, policy, smem_pool_bytes, log).run(max_cycles);
}

}  // namespace smsim::test
