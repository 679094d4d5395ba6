#include "sim/arch/gpu_spec_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "sim/arch/gpu_fields.hpp"

namespace smsim {

namespace {

// A rate or an interval below this is no machine, and would keep a run from ever ending.
constexpr double kLeast = 0.001;

using Problems = std::vector<GpuProblem>;

void check_range(const GpuField& field, double value, Problems& problems) {
  if (!std::isfinite(value) || value < field.min || value > field.max) {
    problems.push_back(
        {field.path, fmt::format("found {}, expected {} to {}", value, field.min, field.max)});
  } else if (value > 0 && value < kLeast) {
    problems.push_back({field.path, fmt::format("found {}, expected {}at least {}", value,
                                                field.min <= 0 ? "0 or " : "", kLeast)});
  }
}

void check_field(const GpuField& field, Problems& problems) {
  std::visit(
      [&](auto* value) {
        using Value = std::remove_pointer_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::vector<int>>) {
          for (const int item : *value) {
            check_range(field, item, problems);
          }
        } else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
          check_range(field, static_cast<double>(*value), problems);
        }
      },
      field.value);
}

void check_limits(const GpuSpec& gpu, Problems& problems) {
  const SmLimits& limits = gpu.limits;
  const int parts = gpu.topology.sub_partitions;
  if (limits.max_warps % parts != 0) {
    problems.push_back({"limits.max_warps", fmt::format("found {}, expected a multiple of the {} "
                                                        "sub-partitions",
                                                        limits.max_warps, parts)});
  }
  if (limits.max_threads_per_block > limits.max_warps * 32) {
    problems.push_back({"limits.max_threads_per_block",
                        fmt::format("found {}, expected at most the {} threads of an SM",
                                    limits.max_threads_per_block, limits.max_warps * 32)});
  }
  if (limits.smem_per_block_optin_bytes < limits.smem_per_block_default_bytes ||
      limits.smem_per_block_optin_bytes > limits.smem_bytes) {
    problems.push_back(
        {"limits.smem_per_block_optin_bytes",
         fmt::format("found {}, expected {} (the default per block) to {} (the SM's)",
                     limits.smem_per_block_optin_bytes, limits.smem_per_block_default_bytes,
                     limits.smem_bytes)});
  }
  constexpr int kFirstLimited = 9;  // compute capability from which barriers are handed out
  if (gpu.compute_capability.major >= kFirstLimited &&
      limits.barriers < limits.named_barriers_per_block) {
    problems.push_back(
        {"limits.barriers", fmt::format("found {}, expected at least named_barriers_per_block, {}",
                                        limits.barriers, limits.named_barriers_per_block)});
  }
  if (limits.max_cluster < limits.max_cluster_portable) {
    problems.push_back(
        {"limits.max_cluster", fmt::format("found {}, expected at least max_cluster_portable, {}",
                                           limits.max_cluster, limits.max_cluster_portable)});
  }
}

void check_splits(const SmLimits& limits, Problems& problems) {
  const std::vector<int>& splits = limits.smem_splits_kb;
  if (splits.empty() || !std::is_sorted(splits.begin(), splits.end()) ||
      std::adjacent_find(splits.begin(), splits.end()) != splits.end()) {
    problems.push_back({"limits.smem_splits_kb", "expected ascending sizes, at least one"});
  } else if (splits.back() * 1024 != limits.smem_bytes) {
    problems.push_back({"limits.smem_splits_kb",
                        fmt::format("found {} as the largest, expected smem_bytes / 1024 = {}",
                                    splits.back(), limits.smem_bytes / 1024)});
  } else if (limits.l1_smem_kb != 0 && splits.back() > limits.l1_smem_kb) {
    problems.push_back(
        {"limits.smem_splits_kb", fmt::format("found {}, expected at most l1_smem_kb, {}",
                                              splits.back(), limits.l1_smem_kb)});
  }
}

void check_topology(const TopologySpec& topology, Problems& problems) {
  const std::vector<int>& gpcs = topology.sms_per_gpc;
  const int sum = std::accumulate(gpcs.begin(), gpcs.end(), 0);
  if (!gpcs.empty() && sum != topology.sms) {
    problems.push_back(
        {"topology.sms_per_gpc",
         fmt::format("found {} SMs in all, expected topology.sms, {}", sum, topology.sms)});
  }
}

void check_memory(const GpuSpec& gpu, Problems& problems) {
  const L2Spec& l2 = gpu.l2;
  if (l2.effective_bytes > l2.size_bytes) {
    problems.push_back(
        {"l2.effective_bytes", fmt::format("found {}, expected at most size_bytes, {}",
                                           l2.effective_bytes, l2.size_bytes)});
  }
  if (l2.dirty_bytes > l2.size_bytes) {
    problems.push_back({"l2.dirty_bytes", fmt::format("found {}, expected at most size_bytes, {}",
                                                      l2.dirty_bytes, l2.size_bytes)});
  }
  if (2 * l2.request_latency_cycles > l2.hit_latency_cycles) {
    problems.push_back({"l2.request_latency_cycles",
                        fmt::format("found {}, expected at most half of hit_latency_cycles, {}",
                                    l2.request_latency_cycles, l2.hit_latency_cycles)});
  }
  if (l2.hit_latency_cycles != 0 && l2.hit_latency_cycles < gpu.l1.hit_latency_cycles) {
    problems.push_back({"l2.hit_latency_cycles",
                        fmt::format("found {}, expected at least l1.hit_latency_cycles, {}",
                                    l2.hit_latency_cycles, gpu.l1.hit_latency_cycles)});
  }
  if (gpu.dispatch.sm_order != "gpc_round_robin" && gpu.dispatch.sm_order != "linear") {
    problems.push_back(
        {"dispatch.sm_order",
         fmt::format("found '{}', expected gpc_round_robin or linear", gpu.dispatch.sm_order)});
  }
}

void check_operations(const GpuSpec& gpu, Problems& problems) {
  for (const auto& [name, operation] : gpu.operations) {
    constexpr int kLongestInterval = 255;  // Instruction::issue_interval_cycles is one byte
    if (operation.issue_interval_cycles < 1 || operation.issue_interval_cycles > kLongestInterval) {
      problems.push_back(
          {"operations." + name, fmt::format("found interval_cycles {}, expected 1 to {}",
                                             operation.issue_interval_cycles, kLongestInterval)});
    }
    if (operation.latency_cycles < 1 || operation.latency_cycles > 60000) {
      problems.push_back(
          {"operations." + name,
           fmt::format("found latency_cycles {}, expected 1 to 60000", operation.latency_cycles)});
    }
  }
}

}  // namespace

std::vector<GpuProblem> check(const GpuSpec& gpu) {
  Problems problems;
  GpuSpec copy = gpu;  // the field table points into something that may be written
  for (const GpuField& field : gpu_fields(copy)) {
    check_field(field, problems);
  }
  if (problems.empty()) {  // figures are worth comparing only when each makes sense
    check_topology(gpu.topology, problems);
    check_limits(gpu, problems);
    check_splits(gpu.limits, problems);
    check_memory(gpu, problems);
    check_operations(gpu, problems);
  }
  return problems;
}

}  // namespace smsim
