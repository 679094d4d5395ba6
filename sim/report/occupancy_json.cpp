#include <nlohmann/json.hpp>

#include "sim/report/json_parts.hpp"
#include "sim/report/occupancy_report.hpp"
#include "smsim/version.hpp"

namespace smsim {

namespace {

using Json = nlohmann::ordered_json;

Json limit_json(int blocks) {
  return blocks == kUnlimitedBlocks ? Json(nullptr) : Json(blocks);
}

Json limits_json(const BlockLimits& limits) {
  return {{"warps", limit_json(limits.warps)},
          {"blocks", limit_json(limits.blocks)},
          {"registers", limit_json(limits.registers)},
          {"shared_mem", limit_json(limits.shared_mem)},
          {"barriers", limit_json(limits.barriers)},
          {"virtual_resources", limit_json(limits.virtual_resources)}};
}

Json steps_json(const std::vector<NextStep>& steps) {
  Json list = Json::array();
  for (const NextStep& step : steps) {
    list.push_back({{"resource", step.resource},
                    {"change", step.change},
                    {"value", step.value},
                    {"blocks", step.blocks},
                    {"warps", step.warps},
                    {"text", step.text}});
  }
  return list;
}

Json nsight_json(const OccupancyQuestion& question) {
  const NsightOccupancy nsight =
      nsight_occupancy(question.gpu, question.request, question.smem_config_bytes);
  return {{"launch__occupancy_limit_warps", nsight.limits.warps},
          {"launch__occupancy_limit_blocks", nsight.limits.blocks},
          {"launch__occupancy_limit_registers", nsight.limits.registers},
          {"launch__occupancy_limit_shared_mem", nsight.limits.shared_mem},
          {"launch__occupancy_limit_barriers", nsight.limits.barriers},
          {"launch__shared_mem_config_size", nsight.smem_config_bytes},
          {"split_is_modelled", !nsight.smem_config_known}};
}

Json waves_json(const Waves& wave) {
  return {{"wave_blocks", wave.wave_blocks},
          {"waves_per_sm", wave.waves_per_sm},
          {"full_waves", wave.full_waves},
          {"partial_blocks", wave.partial_blocks},
          {"efficiency_pct", wave.efficiency_pct},
          {"tail_pct", wave.tail_pct},
          {"idle_sms", wave.idle_sms}};
}

Json request_json(const OccupancyQuestion& question) {
  const BlockRequest& request = question.request;
  Json launch{{"block", request.threads},
              {"registers", request.registers},
              {"smem_static", request.smem_static_bytes},
              {"smem_dynamic", request.smem_dynamic_bytes},
              {"cluster", request.cluster},
              {"barriers", request.barriers},
              {"smem_optin", request.smem_optin}};
  if (question.grid_blocks) {
    launch["grid"] = *question.grid_blocks;
  }
  return launch;
}

void add_machine_level(Json& object, const OccupancyQuestion& question, const Occupancy& result) {
  const int sms = question.gpu.topology.sms;
  if (sms == 0 || result.blocks_per_sm == 0) {
    return;
  }
  if (question.request.cluster > 1) {
    const ClusterOccupancy clusters = cluster_occupancy(question.gpu, question.request);
    object["clusters"] = {{"resident", clusters.clusters},
                          {"resident_blocks", clusters.resident_blocks},
                          {"gpcs_known", clusters.gpcs_known}};
  }
  object["cooperative_limit_blocks"] = cooperative_limit(question.gpu, question.request);
  if (question.grid_blocks) {
    object["waves"] = waves_json(waves(*question.grid_blocks, result.blocks_per_sm, sms));
  }
}

}  // namespace

std::string occupancy_json(const OccupancyQuestion& question) {
  const Occupancy result = occupancy(question.gpu, question.request);
  const std::optional<LaunchFailure> failure = result.failure ? result.failure : question.failure;
  Json object{{"smsim_version", version()},
              {"status", failure ? "launch_failure" : "completed"},
              {"gpu", question.gpu.name},
              {"kernel", question.kernel},
              {"launch", request_json(question)},
              {"blocks_per_sm", result.blocks_per_sm},
              {"warps_per_sm", result.warps_per_sm},
              {"theoretical_occupancy_pct", result.theoretical_pct},
              {"limits", limits_json(result.limits)},
              {"limiters", result.limiters},
              {"registers_per_block", result.registers_per_block},
              {"smem_per_block_bytes", result.smem_per_block_bytes},
              {"unused",
               {{"warps", result.unused.warps},
                {"blocks", result.unused.blocks},
                {"registers", result.unused.registers},
                {"smem_bytes", result.unused.smem_bytes}}},
              {"next_steps", steps_json(next_steps(question.gpu, question.request))},
              {"room", steps_json(slack(question.gpu, question.request))},
              {"nsight", nsight_json(question)}};
  add_machine_level(object, question, result);
  if (failure) {
    object["launch_failure"] = launch_failure_json(*failure);
  }
  return object.dump(2) + "\n";
}

}  // namespace smsim
