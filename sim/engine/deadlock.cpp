#include "sim/engine/deadlock.hpp"

#include <bit>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <map>
#include <string>

namespace smsim::engine {
namespace {

constexpr std::size_t kSample = 64;        // warps listed
constexpr std::size_t kGraphWarps = 4096;  // warps looked at for the cycle

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

// A warp that is resident and will not issue again.
struct Waiter {
  std::uint32_t sm = 0;
  std::uint8_t sub = 0;
  std::uint8_t slot = 0;
};

// The first cycle that a depth-first search closes.
class CycleFinder : public boost::default_dfs_visitor {
 public:
  CycleFinder(std::vector<Vertex>& parent, std::vector<Vertex>& cycle)
      : parent_(parent), cycle_(cycle) {}

  void tree_edge(boost::graph_traits<Graph>::edge_descriptor edge, const Graph& graph) {
    parent_[target(edge, graph)] = source(edge, graph);
  }
  void back_edge(boost::graph_traits<Graph>::edge_descriptor edge, const Graph& graph) {
    if (!cycle_.empty()) return;
    const Vertex head = target(edge, graph);
    for (Vertex v = source(edge, graph); v != head; v = parent_[v]) cycle_.push_back(v);
    cycle_.push_back(head);
    std::reverse(cycle_.begin(), cycle_.end());
  }

 private:
  std::vector<Vertex>& parent_;
  std::vector<Vertex>& cycle_;
};

class Diagnosis {
 public:
  explicit Diagnosis(const Gpu& gpu) : gpu_(gpu), program_(gpu.context().program) {}

  Deadlock run() {
    collect();
    Deadlock deadlock;
    deadlock.cycle = gpu_.last_progress();
    deadlock.blocked_warps = waiters_.size();
    deadlock.blocks_not_started = gpu_.dispatcher().blocks_left();
    for (std::size_t i = 0; i < waiters_.size() && i < kSample; ++i) {
      deadlock.warps.push_back(describe(waiters_[i]));
    }
    deadlock.wait_for_cycle = find_cycle();
    deadlock.explanation = explain(deadlock);
    return deadlock;
  }

 private:
  [[nodiscard]] const SubPartition& sub(const Waiter& waiter) const {
    return gpu_.sms()[waiter.sm]->subs()[waiter.sub];
  }
  [[nodiscard]] const WarpFlow& flow(const Waiter& waiter) const {
    return sub(waiter).flow[waiter.slot];
  }
  [[nodiscard]] Parked parked_for(const Waiter& waiter) const {
    const bool parked = (sub(waiter).parked & bit_of(waiter.slot)) != 0;
    return parked ? sub(waiter).parked_for[waiter.slot] : Parked::no;
  }
  // A parked warp has already stepped over the instruction at which it waits.
  [[nodiscard]] std::uint32_t waiting_pc(const Waiter& waiter) const {
    const std::uint32_t pc = sub(waiter).pc[waiter.slot];
    const Parked parked = parked_for(waiter);
    const bool stepped = parked == Parked::barrier || parked == Parked::mbarrier ||
                         parked == Parked::cluster || parked == Parked::fence;
    return stepped && pc > 0 ? pc - 1 : pc;
  }
  [[nodiscard]] const BlockState& block(const Waiter& waiter) const {
    return gpu_.sms()[waiter.sm]->block_state(sub(waiter).block_slot[waiter.slot]);
  }

  void collect() {
    for (std::uint32_t sm = 0; sm < gpu_.sms().size(); ++sm) {
      for (std::uint8_t i = 0; i < kSubPartitions; ++i) {
        const SubPartition& s = gpu_.sms()[sm]->subs()[i];
        for (std::uint32_t bits = s.resident; bits != 0; bits &= bits - 1) {
          waiters_.push_back({sm, i, static_cast<std::uint8_t>(std::countr_zero(bits))});
        }
      }
    }
    std::sort(waiters_.begin(), waiters_.end(), [this](const Waiter& a, const Waiter& b) {
      return std::pair(flow(a).block, flow(a).warp) < std::pair(flow(b).block, flow(b).warp);
    });
  }

  [[nodiscard]] std::string instruction(std::uint32_t pc) const {
    return pc < program_.text.size() && !program_.text[pc].empty() ? program_.text[pc]
                                                                   : "pc " + std::to_string(pc);
  }

  [[nodiscard]] BlockedWarp describe(const Waiter& waiter) const {
    BlockedWarp warp;
    warp.block = flow(waiter).block;
    warp.warp = flow(waiter).warp;
    warp.sm = waiter.sm;
    warp.pc = waiting_pc(waiter);
    warp.waits_for = reason(waiter);
    return warp;
  }

  [[nodiscard]] std::string reason(const Waiter& waiter) const {
    const Instruction& at = program_.code[waiting_pc(waiter)];
    switch (parked_for(waiter)) {
      case Parked::barrier: {
        const BarrierState& barrier = block(waiter).barriers[program_.barriers[at.operand].id];
        const std::uint32_t expected =
            barrier.expected != 0 ? barrier.expected : block(waiter).warps_live;
        return "barrier " + std::to_string(program_.barriers[at.operand].id) + ": " +
               std::to_string(barrier.arrived) + " of " + std::to_string(expected) +
               " warps arrived";
      }
      case Parked::mbarrier: {
        const Mbarrier& mbarrier = program_.mbarriers[at.operand];
        return "mbarrier " + mbarrier.name + ": its next phase needs " +
               std::to_string(mbarrier.arrivals_per_phase) + " arrivals";
      }
      case Parked::cluster:
        return "cluster barrier: not all warps of the cluster arrived";
      default:
        break;
    }
    if (gpu_.spins_in_vain(sub(waiter), waiter.slot)) return spin_reason(waiter);
    return "an answer that never comes";
  }

  [[nodiscard]] std::string spin_reason(const Waiter& waiter) const {
    for (const SpinWait& spin : program_.spins) {
      const MemoryAccess& poll = program_.accesses[spin.access];
      const std::uint64_t have = gpu_.memory().flag(flag_index(program_, poll, flow(waiter).block));
      const std::uint64_t want = awaited_value(program_, spin.access, flow(waiter));
      if (have >= want) continue;
      return "a flag in global memory: it is " + std::to_string(have) + " and must reach " +
             std::to_string(want);
    }
    return "a flag in global memory";
  }

  // Which warps could release `from`.
  [[nodiscard]] bool could_release(const Waiter& from, const Waiter& by) const {
    switch (parked_for(from)) {
      case Parked::barrier: {
        if (flow(from).block != flow(by).block) return false;
        const Instruction& mine = program_.code[waiting_pc(from)];
        const Instruction& theirs = program_.code[waiting_pc(by)];
        const bool arrived =
            parked_for(by) == Parked::barrier &&
            program_.barriers[mine.operand].id == program_.barriers[theirs.operand].id;
        return !arrived;
      }
      case Parked::mbarrier:
        return flow(from).block == flow(by).block && flow(from).warp != flow(by).warp &&
               !(parked_for(by) == Parked::mbarrier &&
                 program_.code[waiting_pc(by)].operand == program_.code[waiting_pc(from)].operand);
      case Parked::cluster:
        return parked_for(by) != Parked::cluster;
      default:
        return flow(from).block != flow(by).block;
    }
  }

  [[nodiscard]] std::vector<std::string> find_cycle() const {
    const std::size_t count = std::min(waiters_.size(), kGraphWarps);
    if (count == 0) return {};
    const bool unstarted = gpu_.dispatcher().blocks_left() > 0;
    Graph graph(count + 1);
    const Vertex not_started = count;
    for (std::size_t i = 0; i < count; ++i) {
      const bool spins = parked_for(waiters_[i]) == Parked::no;
      if (spins && unstarted) {
        add_edge(i, not_started, graph);
        continue;
      }
      connect(graph, i, count);
    }
    if (unstarted) add_edge(not_started, 0, graph);
    std::vector<Vertex> parent(count + 1);
    std::vector<Vertex> cycle;
    boost::depth_first_search(graph, boost::visitor(CycleFinder(parent, cycle)));
    return name_all(cycle, not_started);
  }

  // One edge is enough to follow the wait; a few keep a cycle reachable.
  void connect(Graph& graph, std::size_t from, std::size_t count) const {
    constexpr int kEdges = 4;
    int edges = 0;
    for (std::size_t by = 0; by < count && edges < kEdges; ++by) {
      if (by == from || !could_release(waiters_[from], waiters_[by])) continue;
      add_edge(from, by, graph);
      ++edges;
    }
  }

  [[nodiscard]] std::vector<std::string> name_all(const std::vector<Vertex>& cycle,
                                                  Vertex not_started) const {
    std::vector<std::string> names;
    for (const Vertex v : cycle) {
      names.push_back(v == not_started ? "block " +
                                             std::to_string(gpu_.context().shape.blocks -
                                                            gpu_.dispatcher().blocks_left()) +
                                             " (not started: no room until a resident block ends)"
                                       : name(waiters_[v]));
    }
    return names;
  }

  [[nodiscard]] std::string name(const Waiter& waiter) const {
    return "block " + std::to_string(flow(waiter).block) + " warp " +
           std::to_string(flow(waiter).warp) + " (" + instruction(waiting_pc(waiter)) + ": " +
           reason(waiter) + ")";
  }

  [[nodiscard]] std::string explain(const Deadlock& deadlock) const {
    std::map<Parked, std::size_t> kinds;
    for (const Waiter& waiter : waiters_) ++kinds[parked_for(waiter)];
    std::string text =
        std::to_string(deadlock.blocked_warps) + " resident warps wait and none can go on";
    if (kinds[Parked::barrier] > 0) {
      text += "; " + std::to_string(kinds[Parked::barrier]) +
              " of them at a block barrier that the others never reach";
    }
    if (kinds[Parked::mbarrier] > 0) {
      text += "; " + std::to_string(kinds[Parked::mbarrier]) +
              " of them for an mbarrier phase that nobody completes";
    }
    if (kinds[Parked::cluster] > 0) {
      text += "; " + std::to_string(kinds[Parked::cluster]) + " of them at a cluster barrier";
    }
    if (kinds[Parked::no] > 0) {
      text += "; " + std::to_string(kinds[Parked::no]) + " of them poll a flag that nobody raises";
    }
    if (deadlock.blocks_not_started > 0) {
      text += "; " + std::to_string(deadlock.blocks_not_started) +
              " blocks have not started, and start only when a resident block ends";
    }
    return text + ".";
  }

  const Gpu& gpu_;
  const Program& program_;
  std::vector<Waiter> waiters_;
};

}  // namespace

Deadlock diagnose(const Gpu& gpu) {
  return Diagnosis(gpu).run();
}

}  // namespace smsim::engine
