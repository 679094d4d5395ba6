// What a report says besides the result: what would fit, and where every value came from.
#include "sim/report/json_parts.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

// Only where it changes: a step curve is drawn from its corners.
Json curve_json(const std::vector<CurvePoint>& curve) {
  Json array = Json::array();
  for (const CurvePoint& point : corners(curve)) array.push_back({point.x, point.warps});
  return array;
}

// Every block size counts: the curve is no staircase.
Json points_json(const std::vector<CurvePoint>& curve) {
  Json array = Json::array();
  for (const CurvePoint& point : curve) array.push_back({point.x, point.warps});
  return array;
}

}  // namespace

Json occupancy_details_json(const Residency& residency, const RunSources& sources) {
  const GpuSpec& gpu = sources.gpu.spec;
  const BlockRequest request = block_request(sources.kernel.launch);
  return {{"warps_per_block", residency.warps_per_block},
          {"blocks_per_sm", residency.blocks_per_sm},
          {"warps_per_sm", residency.warps_per_sm},
          {"max_warps_per_sm", residency.max_warps_per_sm},
          {"limits",
           {{"warps", residency.limit_warps},
            {"blocks", residency.limit_blocks},
            {"registers", residency.limit_registers},
            {"shared_mem", residency.limit_shared_mem},
            {"barriers", residency.limit_barriers}}},
          {"limiters", residency.limiters},
          {"next_steps", residency.next_steps},
          {"now",
           {{"block_size", request.threads},
            {"registers", request.registers},
            {"smem_dynamic", request.smem_dynamic_bytes}}},
          {"curves",
           {{"block_size", points_json(curve_over_threads(gpu, request))},
            {"registers", curve_json(curve_over_registers(gpu, request))},
            {"smem_dynamic", curve_json(curve_over_smem(gpu, request))}}}};
}

Json configuration_json(const RunSources& sources) {
  Json figures = Json::array();
  for (const FieldSource& one : sources.gpu.sources) {
    figures.push_back({{"path", one.path},
                       {"value", one.value},
                       {"status", to_string(one.status)},
                       {"source", one.source}});
  }
  return {{"kernel_path", sources.kernel_path},
          {"kernel_file", sources.kernel_text.empty() ? Json(nullptr) : Json(sources.kernel_text)},
          {"changes", sources.changes},
          {"gpu", figures}};
}

}  // namespace smsim
