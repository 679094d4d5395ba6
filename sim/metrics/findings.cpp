#include "sim/metrics/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/metrics/bounds.hpp"

namespace smsim {
namespace {

double quotient(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

bool is_unit(std::string_view name) {
  static constexpr std::string_view kOthers[] = {"latency", "one_warp", "barriers", "block_launch",
                                                 "launch_overhead"};
  return std::find(std::begin(kOthers), std::end(kOthers), name) == std::end(kOthers);
}

}  // namespace

double Findings::used(const Bound& bound) const {
  const double outside = bound.name == "launch_overhead" ? 0 : outside_cycles(in);
  return quotient(bound.cycles, static_cast<double>(in.run.counters.elapsed_cycles) - outside);
}

double Findings::share_of(std::string_view name) const {
  for (const Bound& bound : bounds) {
    if (bound.name == name) {
      return bound.share.value_or(0);
    }
  }
  return 0;
}

const Bound* Findings::most_used_unit() const {
  for (const Bound& bound : bounds) {
    if (is_unit(bound.name)) {
      return &bound;
    }
  }
  return nullptr;
}

double Findings::load_latency() const {
  const MemoryCounters& m = in.run.counters.memory;
  return quotient(static_cast<double>(m.load_latency_cycles), static_cast<double>(m.load_requests));
}

double Findings::unloaded_load_latency() const {
  return in.gpu.l2.hit_latency_cycles + in.gpu.l2.far_extra_cycles + in.gpu.dram.latency_cycles;
}

const Bound* Findings::queued_memory() const {
  constexpr double kQueued = 2.5;   // times the unloaded latency
  constexpr double kMatters = 0.3;  // share of the run
  if (load_latency() < kQueued * unloaded_load_latency()) {
    return nullptr;
  }
  for (const Bound& bound : bounds) {
    const bool memory = bound.name == "atomics" || bound.name == "dram_bandwidth" ||
                        bound.name == "l2_bandwidth" || bound.name == "sm_bandwidth";
    if (memory) {
      return used(bound) >= kMatters ? &bound : nullptr;
    }
  }
  return nullptr;
}

double Findings::state_share(WarpState state) const {
  return quotient(static_cast<double>(in.total.in_state(state)),
                  static_cast<double>(in.total.warps_active));
}

WarpState Findings::top_wait() const {
  WarpState top = WarpState::misc;
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    const auto state = static_cast<WarpState>(i);
    if (state != WarpState::selected && in.total.in_state(state) > in.total.in_state(top)) {
      top = state;
    }
  }
  return top;
}

double Findings::sm_idle() const {
  const double all = static_cast<double>(in.run.counters.elapsed_cycles * in.total.sms);
  return all > 0 ? std::max(0.0, 1 - static_cast<double>(in.total.sm_active) / all) : 0;
}

double Findings::sm_idle_inside() const {
  const double cycles = static_cast<double>(in.run.counters.elapsed_cycles) - outside_cycles(in);
  const double all = cycles * static_cast<double>(in.total.sms);
  return all > 0 ? std::max(0.0, 1 - static_cast<double>(in.total.sm_active) / all) : 0;
}

double Findings::achieved_occupancy() const {
  return quotient(static_cast<double>(in.total.warps_active),
                  static_cast<double>(in.total.sm_active) * in.residency.max_warps_per_sm);
}

double Findings::theoretical_occupancy() const {
  return quotient(in.residency.warps_per_sm, in.residency.max_warps_per_sm);
}

double Findings::eligible() const {
  return quotient(static_cast<double>(in.total.in_state(WarpState::selected) +
                                      in.total.in_state(WarpState::not_selected)),
                  static_cast<double>(in.total.scheduler_active));
}

double Findings::issue_share() const {
  return quotient(static_cast<double>(in.total.issued),
                  static_cast<double>(in.total.scheduler_active));
}

double Findings::waves() const {
  return quotient(static_cast<double>(in.kernel.launch.grid.count()),
                  static_cast<double>(in.residency.blocks_per_sm) * in.gpu.topology.sms);
}

double Findings::tail_share() const {
  if (in.total.last_block_end_min == 0) {
    return 0;
  }
  return quotient(static_cast<double>(in.run.counters.last_block_end) -
                      static_cast<double>(in.total.last_block_end_min),
                  static_cast<double>(in.run.counters.elapsed_cycles));
}

std::string with_separators(std::string digits) {
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  std::size_t end = std::min(digits.find('.'), digits.size());
  for (; end > first + 3; end -= 3) {
    digits.insert(end - 3, ",");
  }
  return digits;
}

std::string grouped(double value) {
  return with_separators(fmt::format("{:.0f}", value));
}

std::string bound_title(std::string_view name) {
  struct Title {
    std::string_view name;
    const char* title;
  };
  static constexpr Title kTitles[] = {
      {"issue", "Instruction issue"},
      {"pipe_fma", "The FMA pipe"},
      {"pipe_fma_heavy", "The heavy half of the FMA pipe"},
      {"pipe_alu", "The ALU pipe"},
      {"pipe_fp64", "The FP64 pipe"},
      {"pipe_xu", "The XU pipe"},
      {"pipe_tensor", "The tensor pipe"},
      {"pipe_uniform", "The uniform datapath"},
      {"pipe_branch", "The branch unit"},
      {"lsu_port", "The load/store port"},
      {"sm_bandwidth", "Bandwidth between SM and L2"},
      {"l2_bandwidth", "L2 bandwidth"},
      {"dram_bandwidth", "DRAM bandwidth"},
      {"atomics", "Serialisation of atomics"},
      {"work_queue", "The work queue"},
      {"latency", "Latency"},
      {"one_warp", "The length of one warp"},
      {"barriers", "Passing the barriers"},
      {"block_launch", "The block launch rate"},
      {"launch_overhead", "Launch overhead"},
      {"tail", "Idle SMs"},
      {"barrier", "Waiting at barriers"},
      {"nothing", "Nothing"},
  };
  for (const Title& title : kTitles) {
    if (title.name == name) {
      return title.title;
    }
  }
  return std::string(name);
}

}  // namespace smsim
