#include "tests/engine/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/engine/gpu.hpp"
#include "sim/engine/program_check.hpp"

namespace smsim::test {
namespace {

std::string in_words(const Issue& issue) {
  return fmt::format("cycle {} SM {}.{} block {} warp {} pc {}", issue.cycle, issue.sm, issue.sub,
                     issue.block, issue.warp, issue.pc);
}

// Collects the first difference between two sets of counters.
class Difference {
 public:
  template <class T>
  void number(const std::string& name, T engine, T oracle) {
    if (engine != oracle) note(fmt::format("{}: engine {}, oracle {}", name, engine, oracle));
  }

  template <class Range>
  void states(const std::string& where, const Range& engine, const Range& oracle) {
    for (std::size_t i = 0; i < engine.size(); ++i) {
      number(where + kWarpStateNames[i], engine[i], oracle[i]);
    }
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void note(const std::string& line) {
    if (++lines_ <= kLines) text_ += line + "\n";
  }

  static constexpr int kLines = 12;
  int lines_ = 0;
  std::string text_;
};

void compare_sm(Difference& all, const std::string& sm, const SmCounters& a, const SmCounters& b) {
  all.number(sm + "active_cycles", a.active_cycles, b.active_cycles);
  all.number(sm + "blocks", a.blocks, b.blocks);
  all.number(sm + "last_block_end", a.last_block_end, b.last_block_end);
  all.number(sm + "thread_instructions", a.thread_instructions, b.thread_instructions);
  all.number(sm + "l1_load_sectors", a.l1_load_sectors, b.l1_load_sectors);
  all.number(sm + "l1_load_hit_sectors", a.l1_load_hit_sectors, b.l1_load_hit_sectors);
  all.number(sm + "l1_store_sectors", a.l1_store_sectors, b.l1_store_sectors);
  all.number(sm + "l1_store_hit_sectors", a.l1_store_hit_sectors, b.l1_store_hit_sectors);
  all.number(sm + "lsu_port_busy_cycles", a.lsu_port_busy_cycles, b.lsu_port_busy_cycles);
  all.number(sm + "shared_wavefronts", a.shared_wavefronts, b.shared_wavefronts);
  all.number(sm + "shared_wavefronts_ideal", a.shared_wavefronts_ideal, b.shared_wavefronts_ideal);
  for (std::size_t i = 0; i < a.sub.size(); ++i) {
    const std::string sub = sm + fmt::format("sub {} ", i);
    all.number(sub + "active_cycles", a.sub[i].active_cycles, b.sub[i].active_cycles);
    all.number(sub + "warps_active", a.sub[i].warps_active, b.sub[i].warps_active);
    all.number(sub + "issued", a.sub[i].issued, b.sub[i].issued);
    all.states(sub, a.sub[i].state, b.sub[i].state);
    for (std::size_t pipe = 0; pipe < a.sub[i].pipe_busy_cycles.size(); ++pipe) {
      all.number(sub + fmt::format("pipe {}", pipe), a.sub[i].pipe_busy_cycles[pipe],
                 b.sub[i].pipe_busy_cycles[pipe]);
    }
  }
}

void compare_memory(Difference& all, const MemoryCounters& a, const MemoryCounters& b) {
  all.number("l2_read_sectors", a.l2_read_sectors, b.l2_read_sectors);
  all.number("l2_read_hit_sectors", a.l2_read_hit_sectors, b.l2_read_hit_sectors);
  all.number("l2_write_sectors", a.l2_write_sectors, b.l2_write_sectors);
  all.number("l2_write_hit_sectors", a.l2_write_hit_sectors, b.l2_write_hit_sectors);
  all.number("l2_atomic_operations", a.l2_atomic_operations, b.l2_atomic_operations);
  all.number("dram_read_bytes", a.dram_read_bytes, b.dram_read_bytes);
  all.number("dram_write_bytes", a.dram_write_bytes, b.dram_write_bytes);
  all.number("load_requests", a.load_requests, b.load_requests);
  all.number("load_latency_cycles", a.load_latency_cycles, b.load_latency_cycles);
  all.number("queue_pops", a.queue_pops, b.queue_pops);
  all.number("queue_wait_cycles", a.queue_wait_cycles, b.queue_wait_cycles);
}

}  // namespace

EngineRun run_engine(const RandomCase& what, SimulateOptions options) {
  engine::check_program(what.kernel);
  options.count_instructions = true;
  const Machine machine(what.gpu);
  engine::Gpu gpu(machine, what.kernel, options, what.smem_pool_bytes);
  std::vector<std::array<std::vector<engine::IssueRecord>, kSubPartitions>> logs(gpu.sms().size());
  for (std::size_t i = 0; i < logs.size(); ++i) gpu.sms()[i]->log_issues(logs[i]);
  EngineRun run;
  run.status = gpu.run();
  run.counters = gpu.close();
  run.timeline = gpu.take_timeline(run.counters);
  for (std::uint32_t sm = 0; sm < logs.size(); ++sm) {
    for (std::uint32_t sub = 0; sub < kSubPartitions; ++sub) {
      for (const engine::IssueRecord& one : logs[sm][sub]) {
        run.issues.push_back({one.cycle, sm, sub, one.block, one.warp, one.pc});
      }
    }
  }
  return run;
}

OracleRun run_oracle(const RandomCase& what, const std::string& policy, Cycle max_cycles,
                     std::vector<WarpCycle>* log) {
  const Machine machine(what.gpu);
  return run_oracle(machine, what.kernel, policy, what.smem_pool_bytes, max_cycles, log);
}

// The earliest one, over all sub-partitions: what comes later follows from it.
std::string difference(const std::vector<Issue>& engine, const std::vector<Issue>& oracle) {
  if (engine == oracle) return "";
  const auto in_time = [](std::vector<Issue> issues) {
    std::sort(issues.begin(), issues.end(), [](const Issue& a, const Issue& b) {
      return std::tuple(a.cycle, a.sm, a.sub) < std::tuple(b.cycle, b.sm, b.sub);
    });
    return issues;
  };
  const std::vector<Issue> a = in_time(engine);
  const std::vector<Issue> b = in_time(oracle);
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return fmt::format("engine: {}\noracle: {}", in_a == a.end() ? "nothing" : in_words(*in_a),
                     in_b == b.end() ? "nothing" : in_words(*in_b));
}

std::string difference(const Counters& engine, const Counters& oracle) {
  Difference all;
  all.number("elapsed_cycles", engine.elapsed_cycles, oracle.elapsed_cycles);
  all.number("first_block_start", engine.first_block_start, oracle.first_block_start);
  all.number("last_block_end", engine.last_block_end, oracle.last_block_end);
  all.number("blocks_done", engine.blocks_done, oracle.blocks_done);
  for (std::size_t sm = 0; sm < engine.sm.size(); ++sm) {
    compare_sm(all, fmt::format("SM {} ", sm), engine.sm[sm], oracle.sm[sm]);
  }
  compare_memory(all, engine.memory, oracle.memory);
  for (std::size_t pc = 0; pc < engine.instruction.size(); ++pc) {
    const std::string at = fmt::format("pc {} ", pc);
    all.number(at + "issued", engine.instruction[pc].issued, oracle.instruction[pc].issued);
    all.states(at, engine.instruction[pc].state, oracle.instruction[pc].state);
  }
  return all.text();
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyInfo& info : policies()) names.push_back(info.name);
  return names;
}

}  // namespace smsim::test
