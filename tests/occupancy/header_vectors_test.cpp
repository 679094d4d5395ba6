// Three thousand answers of NVIDIA's occupancy header (CUDA 13.0), each field of each row.
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "smsim/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/occupancy/gpus.hpp"

using namespace smsim;

namespace {

using Row = std::map<std::string, std::int64_t>;

std::vector<Row> read_rows() {
  std::ifstream file(std::string(SMSIM_SOURCE_DIR) + "/tests/data/occupancy_vectors.csv");
  REQUIRE(file);
  std::vector<std::string> names;
  std::vector<Row> rows;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell;
    const bool heading = names.empty();
    Row row;
    for (std::size_t column = 0; std::getline(cells, cell, ','); ++column) {
      if (heading) {
        names.push_back(cell);
      } else {
        row[names.at(column)] = cell == "OK" ? 1 : std::stoll(cell);
      }
    }
    if (!heading) {
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("the rules give the header's answer in every field of every row") {
  const std::vector<Row> rows = read_rows();
  REQUIRE(rows.size() == 3000);
  for (const Row& row : rows) {
    const GpuSpec& gpu = test::compute_capability(static_cast<int>(row.at("cc_major")) * 10 +
                                                  static_cast<int>(row.at("cc_minor")));
    BlockRequest request;
    request.threads = static_cast<int>(row.at("block_threads"));
    request.registers = static_cast<int>(row.at("regs"));
    request.smem_static_bytes = row.at("static_smem");
    request.smem_dynamic_bytes = row.at("dyn_smem");
    request.smem_optin = row.at("optin_cfg") == 1;
    request.smem_dynamic_max_bytes = row.at("max_dyn_smem");
    request.barriers = static_cast<int>(row.at("block_barriers"));
    request.virtual_resources = static_cast<int>(row.at("virtual_res"));
    request.carveout_pct = static_cast<int>(row.at("carveout_pct"));
    request.cache = static_cast<CachePreference>(row.at("cache_config"));
    const HeaderOccupancy got =
        header_occupancy(gpu.limits, gpu.compute_capability, gpu.topology.sub_partitions, request);
    const std::vector<std::int64_t> answer{got.valid,
                                           got.blocks,
                                           got.limiting_factors,
                                           got.limits.registers,
                                           got.limits.shared_mem,
                                           got.limits.warps,
                                           got.limits.blocks,
                                           got.limits.barriers,
                                           got.limits.virtual_resources,
                                           got.registers_per_block,
                                           got.smem_per_block_bytes};
    const std::vector<std::int64_t> want{
        row.at("status"),           row.at("blocks"),          row.at("limit_factors"),
        row.at("lim_regs"),         row.at("lim_smem"),        row.at("lim_warps"),
        row.at("lim_blocks"),       row.at("lim_barriers"),    row.at("lim_virtual"),
        row.at("alloc_regs_block"), row.at("alloc_smem_block")};
    INFO("cc " << row.at("cc_major") << '.' << row.at("cc_minor") << ", " << request.threads
               << " threads, " << request.registers << " registers");
    CHECK(answer == want);
  }
}
