#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/report/occupancy_report.hpp"

namespace smsim {

namespace {

using Out = std::back_insert_iterator<std::string>;

std::string limit_text(int blocks) {
  return blocks == kUnlimitedBlocks ? "no limit" : std::to_string(blocks);
}

void print_request(Out out, const OccupancyQuestion& question) {
  const GpuSpec& gpu = question.gpu;
  const BlockRequest& request = question.request;
  fmt::format_to(out, "{}: {} (compute capability {}.{})\n", gpu.name, gpu.title,
                 gpu.compute_capability.major, gpu.compute_capability.minor);
  if (!question.kernel.empty()) {
    fmt::format_to(out, "{}\n", question.kernel);
  }
  fmt::format_to(
      out, "{} threads per block, {} registers per thread, {} B static and {} B dynamic\n",
      request.threads, request.registers, request.smem_static_bytes, request.smem_dynamic_bytes);
  fmt::format_to(out, "shared memory{}\n\n",
                 request.cluster > 1 ? fmt::format(", clusters of {} blocks", request.cluster)
                                     : std::string());
}

void print_failure(Out out, const LaunchFailure& failure) {
  fmt::format_to(out, "Cannot be launched:\n{}.\n", failure.explanation);
  fmt::format_to(out, "  resource   {}\n  needed     {}\n  limit      {}\n", failure.resource,
                 failure.need, failure.limit);
  if (!failure.what_fits.empty()) {
    fmt::format_to(out, "  would fit  {}\n", failure.what_fits);
  }
}

void print_summary(Out out, const OccupancyQuestion& question, const Occupancy& result) {
  fmt::format_to(out, "Blocks per SM          {:>6}\n", result.blocks_per_sm);
  fmt::format_to(out, "Warps per SM           {:>6}   of {}\n", result.warps_per_sm,
                 question.gpu.limits.max_warps);
  fmt::format_to(out, "Theoretical occupancy  {:>6.2f} %\n", result.theoretical_pct);
  fmt::format_to(out, "Limited by             {}\n\n", fmt::join(result.limiters, " and "));
}

struct LimitRow {
  const char* name;
  int blocks;
  std::string takes;
  std::string left;
};

void print_limits(Out out, const OccupancyQuestion& question, const Occupancy& result) {
  const SmLimits& limits = question.gpu.limits;
  const BlockRequest& request = question.request;
  const UnusedResources& unused = result.unused;
  std::vector<LimitRow> rows{
      {"warps", result.limits.warps,
       fmt::format("{} of {}", result.warps_per_block, limits.max_warps),
       std::to_string(unused.warps)},
      {"blocks", result.limits.blocks, fmt::format("1 of {}", limits.max_blocks),
       std::to_string(unused.blocks)},
      {"registers", result.limits.registers,
       fmt::format("{} of {}", result.registers_per_block, limits.registers),
       std::to_string(unused.registers)},
      {"shared memory", result.limits.shared_mem,
       fmt::format("{} of {} B", result.smem_per_block_bytes, result.smem_pool_bytes),
       fmt::format("{} B", unused.smem_bytes)}};
  if (limits.barriers > 0) {
    rows.push_back({"barriers", result.limits.barriers,
                    fmt::format("{} of {}", request.barriers, limits.barriers),
                    std::to_string(limits.barriers - request.barriers * result.blocks_per_sm)});
  }
  if (request.virtual_resources > 0 && limits.virtual_resources > 0) {
    rows.push_back({"virtual resources", result.limits.virtual_resources,
                    fmt::format("{} of {}", request.virtual_resources, limits.virtual_resources),
                    std::to_string(limits.virtual_resources -
                                   request.virtual_resources * result.blocks_per_sm)});
  }
  fmt::format_to(out, "{:<18}{:>8}  {:>20}  {:>14}\n", "Resource", "blocks", "one block takes",
                 "left over");
  for (const LimitRow& row : rows) {
    fmt::format_to(out, "{:<18}{:>8}  {:>20}  {:>14}\n", row.name, limit_text(row.blocks),
                   row.takes, row.left);
  }
}

// Registers are the limit that a division of the totals does not explain.
void print_register_reason(Out out, const OccupancyQuestion& question, const Occupancy& result) {
  const bool limits = std::count(result.limiters.begin(), result.limiters.end(), "registers") > 0;
  if (!limits || result.warps_per_block == 0 || result.registers_per_block == 0) {
    return;
  }
  const int parts = question.gpu.topology.sub_partitions;
  const int per_warp = result.registers_per_block / result.warps_per_block;
  const int warps = question.gpu.limits.registers / parts / per_warp;
  fmt::format_to(out,
                 "\nRegisters: {} per warp ({} per thread allocated), so {} warps in each of {}\n"
                 "sub-partitions, {} in all; {} blocks need {}, one more {}.\n",
                 per_warp, result.registers_per_thread_allocated, warps, parts, warps * parts,
                 result.blocks_per_sm, result.warps_per_sm,
                 result.warps_per_sm + result.warps_per_block);
}

void print_steps(Out out, const OccupancyQuestion& question) {
  const std::vector<NextStep> more = next_steps(question.gpu, question.request);
  const std::vector<NextStep> room = slack(question.gpu, question.request);
  fmt::format_to(out, "\nNext step: {}\n",
                 more.empty() ? "no change of one figure gives more" : more.front().text);
  for (std::size_t i = 1; i < more.size(); ++i) {
    fmt::format_to(out, "           {}\n", more[i].text);
  }
  for (std::size_t i = 0; i < room.size(); ++i) {
    fmt::format_to(out, "{:<11}{}\n", i == 0 ? "Room:" : "", room[i].text);
  }
}

void print_nsight(Out out, const OccupancyQuestion& question) {
  const NsightOccupancy nsight =
      nsight_occupancy(question.gpu, question.request, question.smem_config_bytes);
  fmt::format_to(out,
                 "\nNsight Compute's limits: {} warps, {} blocks, {} registers, {} shared memory\n"
                 "(shared-memory split of {} KB, {})\n",
                 nsight.limits.warps, nsight.limits.blocks, nsight.limits.registers,
                 nsight.limits.shared_mem, nsight.smem_config_bytes / 1024,
                 nsight.smem_config_known ? "given" : "a model of the driver's choice");
}

void print_cluster(Out out, const OccupancyQuestion& question) {
  const ClusterOccupancy clusters = cluster_occupancy(question.gpu, question.request);
  fmt::format_to(out, "\nClusters resident at once: {} ({} blocks){}\n", clusters.clusters,
                 clusters.resident_blocks,
                 clusters.gpcs_known ? "" : ", at most: how the SMs group into GPCs is unknown");
}

void print_grid(Out out, const OccupancyQuestion& question, const Occupancy& result) {
  const int sms = question.gpu.topology.sms;
  if (sms == 0) {
    fmt::format_to(out, "\nWaves: unknown, {} is a compute capability without a number of SMs\n",
                   question.gpu.name);
    return;
  }
  const std::uint64_t grid = *question.grid_blocks;
  const Waves wave = waves(grid, result.blocks_per_sm, sms);
  const WholeWaves whole = whole_waves(grid, result.blocks_per_sm, sms);
  fmt::format_to(out, "\nGrid of {} blocks on {} SMs\n", grid, sms);
  fmt::format_to(out, "  one wave            {} blocks\n", wave.wave_blocks);
  fmt::format_to(out, "  waves per SM        {:.2f}: {} full, {} blocks in a partial one\n",
                 wave.waves_per_sm, wave.full_waves, wave.partial_blocks);
  fmt::format_to(out, "  wave efficiency     {:.1f} % of the slots of {} waves\n",
                 wave.efficiency_pct, wave.waves);
  if (wave.partial_blocks > 0) {
    fmt::format_to(out, "  tail                {:.1f} % of the time if all blocks last equally\n",
                   wave.tail_pct);
    fmt::format_to(out, "  whole waves         {}{} blocks\n",
                   whole.below > 0 ? fmt::format("{} or ", whole.below) : std::string(),
                   whole.above);
  }
  if (wave.idle_sms > 0) {
    fmt::format_to(out, "  idle SMs            {} get no block\n", wave.idle_sms);
  }
}

}  // namespace

std::string occupancy_text(const OccupancyQuestion& question) {
  std::string text;
  const auto out = std::back_inserter(text);
  const Occupancy result = occupancy(question.gpu, question.request);
  print_request(out, question);
  if (result.blocks_per_sm == 0) {
    print_failure(out, result.failure.value_or(LaunchFailure{}));
    return text;
  }
  print_summary(out, question, result);
  print_limits(out, question, result);
  print_register_reason(out, question, result);
  print_steps(out, question);
  print_nsight(out, question);
  if (question.request.cluster > 1 && question.gpu.topology.sms > 0) {
    print_cluster(out, question);
  }
  if (question.grid_blocks) {
    print_grid(out, question, result);
  }
  if (question.cooperative && question.gpu.topology.sms > 0) {
    fmt::format_to(out, "\nCooperative launches: up to {} blocks\n",
                   cooperative_limit(question.gpu, question.request));
  }
  if (question.failure) {
    text += '\n';
    print_failure(out, *question.failure);
  }
  return text;
}

std::string curve_text(const std::string& heading, const std::vector<CurvePoint>& curve,
                       std::int64_t asked) {
  constexpr int kBarWidth = 34;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "\n{:>20}{:>8}{:>7}{:>9}\n", heading, "blocks", "warps", "%");
  for (const CurvePoint& point : curve) {
    const auto length = static_cast<std::size_t>(std::lround(point.pct / 100 * kBarWidth));
    std::string row =
        fmt::format("{:<2}{:>18}{:>8}{:>7}{:>9.2f}  {}", point.x == asked ? "->" : "", point.x,
                    point.blocks, point.warps, point.pct, std::string(length, '#'));
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  return text;
}

std::string textbook_text(const OccupancyQuestion& question) {
  const Occupancy naive = textbook_occupancy(question.gpu, question.request);
  const Occupancy real = occupancy(question.gpu, question.request);
  return fmt::format(
      "\nTextbook (threads instead of warps, no granularity, no reserve; not what the\n"
      "hardware does): {} blocks, {:.2f} %, limited by {}.\n"
      "The hardware: {} blocks, {:.2f} %.\n",
      naive.blocks_per_sm, naive.theoretical_pct, fmt::join(naive.limiters, " and "),
      real.blocks_per_sm, real.theoretical_pct);
}

}  // namespace smsim
