// Every figure of tests/data/occupancy_cases.yaml.
#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "smsim/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/occupancy/gpus.hpp"

using namespace smsim;

namespace {

BlockRequest request_of(const YAML::Node& item) {
  BlockRequest request;
  request.threads = item["block"].as<int>();
  request.registers = item["registers"].as<int>();
  request.smem_static_bytes = item["smem_static"].as<int>();
  request.smem_dynamic_bytes = item["smem_dynamic"].as<int>();
  return request;
}

void check_limits(const YAML::Node& want, const BlockLimits& got) {
  const auto check = [&](const char* name, int limit) {
    if (want[name]) {
      INFO(name);
      CHECK(limit == want[name].as<int>());
    }
  };
  check("warps", got.warps);
  check("blocks", got.blocks);
  check("registers", got.registers);
  check("shared_mem", got.shared_mem);
}

void check_waves(const YAML::Node& want, const Waves& got) {
  CHECK(got.waves_per_sm == Approx(want["per_sm"].as<double>()).margin(0.00006));
  CHECK(got.full_waves == want["full"].as<std::uint64_t>());
  CHECK(got.partial_blocks == want["partial_blocks"].as<std::uint64_t>());
  CHECK(got.tail_pct == Approx(want["tail_pct"].as<double>()).margin(0.006));
}

}  // namespace

TEST_CASE("public questions about occupancy are answered as they were") {
  const YAML::Node cases =
      YAML::LoadFile(std::string(SMSIM_SOURCE_DIR) + "/tests/data/occupancy_cases.yaml");
  REQUIRE(cases.size() == 38);
  for (const YAML::Node& item : cases) {
    INFO(item["id"].as<std::string>() << ": " << item["about"].as<std::string>());
    const GpuSpec& gpu = test::gpu(item["gpu"].as<std::string>());
    const BlockRequest request = request_of(item);
    const Occupancy got = occupancy(gpu, request);
    CHECK(got.blocks_per_sm == item["blocks_per_sm"].as<int>());
    CHECK(got.failure.has_value() == (got.blocks_per_sm == 0));
    if (item["warps_per_sm"]) {
      CHECK(got.warps_per_sm == item["warps_per_sm"].as<int>());
    }
    if (item["occupancy_pct"]) {
      CHECK(got.theoretical_pct == Approx(item["occupancy_pct"].as<double>()).margin(0.006));
    }
    if (item["limiters"]) {
      CHECK(got.limiters == item["limiters"].as<std::vector<std::string>>());
    }
    if (item["limits"]) {
      check_limits(item["limits"], got.limits);
    }
    if (item["waves"]) {
      check_waves(item["waves"], waves(item["grid"].as<std::uint64_t>(), got.blocks_per_sm,
                                       item["sms"].as<int>()));
    }
    if (item["split"]) {
      const NsightOccupancy nsight = nsight_occupancy(gpu, request);
      CHECK(nsight.smem_config_bytes == item["split"]["kb"].as<int>() * 1024);
      CHECK(nsight.limits.shared_mem == item["split"]["limit"].as<int>());
      CHECK_FALSE(nsight.smem_config_known);
    }
  }
}
