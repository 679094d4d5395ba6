// Clusters resident at once, as the CUDA runtime counted them on an H200 (validate/probes).
#include <array>
#include <map>
#include <vector>

#include "smsim/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/occupancy/gpus.hpp"

using namespace smsim;

TEST_CASE("clusters of 1 to 16 blocks on an H200, one to eight blocks per SM") {
  const std::map<int, std::array<int, 16>> measured{
      {1, {132, 66, 39, 30, 22, 17, 15, 15, 9, 7, 7, 7, 7, 7, 7, 7}},
      {2, {264, 132, 79, 62, 47, 39, 32, 30, 23, 21, 16, 16, 14, 14, 14, 14}},
      {3, {396, 198, 124, 92, 69, 62, 47, 45, 37, 30, 28, 28, 23, 21, 21, 21}},
      {4, {528, 264, 163, 124, 94, 79, 69, 62, 51, 44, 37, 37, 30, 30, 28, 28}},
      {8, {1056, 528, 327, 248, 193, 163, 139, 124, 102, 88, 81, 74, 67, 65, 58, 58}}};
  for (const auto& [per_sm, counts] : measured) {
    for (int size = 1; size <= 16; ++size) {
      BlockRequest request;
      request.threads = 128;
      request.smem_dynamic_bytes = 233472 / per_sm / 128 * 128 - 1024;
      request.cluster = size;
      REQUIRE(occupancy(test::gpu("h200"), request).blocks_per_sm == per_sm);
      const ClusterOccupancy got = cluster_occupancy(test::gpu("h200"), request);
      INFO(per_sm << " blocks per SM, clusters of " << size);
      CHECK(got.clusters == counts.at(static_cast<std::size_t>(size) - 1));
      CHECK(got.resident_blocks == got.clusters * size);
      CHECK(got.gpcs_known);
    }
  }
}

TEST_CASE("without a map of the GPCs the count is an upper bound, and says so") {
  GpuSpec gpu = test::gpu("h200");
  gpu.topology.sms_per_gpc.clear();
  BlockRequest request;
  request.threads = 1024;
  request.registers = 64;
  request.cluster = 8;
  CHECK(cluster_occupancy(gpu, request).clusters == 16);
  CHECK_FALSE(cluster_occupancy(gpu, request).gpcs_known);
}

TEST_CASE("a cooperative launch of clusters counts whole clusters") {
  BlockRequest request;
  request.threads = 1024;
  request.registers = 64;
  request.cluster = 16;
  CHECK(cooperative_limit(test::gpu("h200"), request) == 7 * 16);
}
