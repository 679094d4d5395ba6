// smsim occupancy: one kernel.
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/tool.hpp"

using nlohmann::json;
using smsim::test::run_tool;
using smsim::test::ScratchFolder;
using smsim::test::ToolRun;

namespace {

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("the text names blocks, limit, reason, next step, room and Nsight's limits") {
  const ToolRun run = run_tool("occupancy --gpu h200 --block 256 --regs 42");
  CHECK(run.code == 0);
  CHECK(run.err == "");
  holds(run.out, "Blocks per SM               5\n");
  holds(run.out, "Theoretical occupancy   62.50 %\n");
  holds(run.out, "Limited by             registers\n");
  holds(run.out, "registers                5        12288 of 65536            4096\n");
  holds(run.out,
        "so 10 warps in each of 4\nsub-partitions, 40 in all; 5 blocks need 40, one more 48.");
  holds(run.out, "Next step: 2 registers fewer gives 6 blocks (48 warps)\n");
  holds(run.out, "up to 48 registers keep 5 blocks\n");
  holds(run.out, "split of 32 KB, a model of the driver's choice)");
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("a grid adds waves in exact integers") {
  const ToolRun run = run_tool("occupancy --gpu a100 --block 224 --regs 92 --grid 256");
  holds(run.out, "  one wave            216 blocks\n");
  holds(run.out, "  waves per SM        1.19: 1 full, 40 blocks in a partial one\n");
  holds(run.out, "  wave efficiency     59.3 % of the slots of 2 waves\n");
  holds(run.out, "  whole waves         216 or 432 blocks\n");
  holds(run_tool("occupancy --gpu a100 --block 64 --grid 20").out,
        "idle SMs            88 get no block");
  holds(run_tool("occupancy --gpu sm_80 --block 64 --grid 20").out,
        "Waves: unknown, sm_80 is a compute");
}

TEST_CASE("a block may be given in two or three dimensions") {
  CHECK(run_tool("occupancy --block 16x16").out == run_tool("occupancy --block 256").out);
  CHECK(run_tool("occupancy --block 8x8x4").out == run_tool("occupancy --block 256").out);
}

TEST_CASE("curves, wishes and the textbook on request") {
  const ToolRun run = run_tool(
      "occupancy --gpu a100 --block 224 --regs 92 --textbook --want-blocks 3 --curve regs "
      "--curve block --curve smem");
  holds(run.out, "3 blocks, 32.81 %, limited by registers.\nThe hardware: 2 blocks, 21.88 %.");
  holds(run.out, "For 3 blocks per SM:\n  registers      up to 80\n");
  holds(run.out, "\n                  73       3     21    32.81  ###########\n");
  holds(run.out, "threads per block");
  holds(run.out, "\n->               224       2     14    21.88  #######\n");
  holds(run.out, "dynamic smem, B");
}

TEST_CASE("the curve over the block shows every size") {
  const ToolRun run = run_tool("occupancy --block 256 --regs 40 --curve block");
  for (int threads = 32; threads <= 1024; threads += 32) {
    std::ostringstream row;
    row << (threads == 256 ? "\n->" : "\n  ") << std::setw(18) << threads << ' ';
    holds(run.out, row.str());
  }
}

TEST_CASE("options that would be ignored are refused") {
  const std::string block = "occupancy --block 256 ";
  for (const std::string& arguments :
       {block + "--format json --curve regs", block + "--format csv --textbook",
        block + "--set launch.block=3", std::string("occupancy saxpy --carveout 50"),
        std::string("occupancy saxpy --batch -"), std::string("occupancy --batch - --block 256")}) {
    INFO(arguments);
    const ToolRun run = run_tool(arguments);
    CHECK(run.code == 2);
    CHECK(run.out == "");
    holds(run.err, ": expected with");
  }
}

TEST_CASE("clusters count what fits the GPCs") {
  holds(run_tool("occupancy --block 1024 --regs 64 --cluster 16").out,
        "Clusters resident at once: 7 (112 blocks)\n");
  holds(run_tool("occupancy --gpu b200 --block 1024 --regs 64 --cluster 8").out,
        "at most: how the SMs group into GPCs is unknown");
}

TEST_CASE("a launch that is refused is a result with exit code 3") {
  const ToolRun run = run_tool("occupancy --gpu rtx4090 --block 512 --regs 162");
  CHECK(run.code == 3);
  CHECK(run.err == "");
  holds(run.out, "Cannot be launched:\n");
  holds(run.out, "  resource   registers\n  needed     86016\n  limit      65536\n");
  holds(run.out,
        "  would fit  384 threads with 162 registers, or 128 registers with 512 threads\n");
  CHECK(run_tool("occupancy --block 1024 --grid 1000 --cooperative").code == 3);
  const ToolRun optin = run_tool("occupancy --block 256 --smem-dynamic 60000 --no-optin");
  CHECK(optin.code == 3);
  holds(optin.out, "with the opt-in (cudaFuncAttributeMaxDynamicSharedMemorySize)");
}

TEST_CASE("JSON holds the same figures") {
  const json object = json::parse(
      run_tool("occupancy --gpu a100 --block 224 --regs 92 --grid 256 --format json").out);
  CHECK(object["status"] == "completed");
  CHECK(object["gpu"] == "a100");
  CHECK(object["blocks_per_sm"] == 2);
  CHECK(object["limiters"] == json({"registers"}));
  CHECK(object["limits"]["shared_mem"] == 164);
  CHECK(object["limits"]["barriers"] == nullptr);
  CHECK(object["unused"]["registers"] == 22528);
  CHECK(object["waves"]["partial_blocks"] == 40);
  CHECK(object["waves"]["efficiency_pct"].get<double>() == Approx(59.259).margin(0.001));
  CHECK(object["nsight"]["launch__occupancy_limit_registers"] == 2);
  CHECK(object["nsight"]["split_is_modelled"] == true);

  const ToolRun refused = run_tool("occupancy --block 1024 --regs 96 --format json");
  CHECK(refused.code == 3);
  CHECK(json::parse(refused.out)["status"] == "launch_failure");
  CHECK(json::parse(refused.out)["launch_failure"]["resource"] == "registers");
}

TEST_CASE("CSV holds the columns of a batch") {
  CHECK(run_tool("occupancy --gpu sm_90 --block 256 --regs 40 --format csv").out ==
        "gpu,block,regs,smem_static,smem_dynamic,blocks_per_sm,warps_per_sm,"
        "theoretical_occupancy_pct,limit_warps,limit_blocks,limit_registers,limit_shared_mem,"
        "limiter\n"
        "sm_90,256,40,0,0,6,48,75.00,8,32,6,228,registers\n");
}

TEST_CASE("a kernel file gives the figures, options and --set change them") {
  const std::string saxpy = std::string(SMSIM_SOURCE_DIR) + "/configs/kernels/saxpy.yaml";
  const json plain = json::parse(run_tool("occupancy " + saxpy + " --format json").out);
  CHECK(plain["kernel"] == "saxpy");
  CHECK(plain["blocks_per_sm"] == 8);
  const json larger =
      json::parse(run_tool("occupancy " + saxpy + " --block 512 --format json").out);
  CHECK(larger["launch"]["block"] == 512);
  CHECK(larger["launch"]["grid"].get<int>() * 2 == plain["launch"]["grid"].get<int>());
  const json same =
      json::parse(run_tool("occupancy " + saxpy + " --set launch.block=512 --format json").out);
  CHECK(same == larger);
}

TEST_CASE("all problems of the options are reported at once") {
  const ToolRun run = run_tool("occupancy --regs many --smem-static -1 --format yaml --curve x");
  CHECK(run.code == 2);
  CHECK(run.out == "");
  holds(run.err, "error: --format: found 'yaml', expected one of text, json, csv\n");
  holds(run.err, "error: --curve: found 'x', expected one of block, regs, smem\n");
  holds(run.err, "error: found no --block, expected threads such as 256 or 16x16\n");
  holds(run.err, "error: --regs: found 'many', expected an integer from 0 to 1000000000\n");
  holds(run.err, "error: --smem-static: found '-1', expected an integer from 0 to 1000000000\n");
}

TEST_CASE("a block is one to three whole numbers") {
  for (const char* block : {"12x", "x12", "1x2x3x4", "abc", "256.5", "9999999999"}) {
    INFO(block);
    CHECK(run_tool(std::string("occupancy --block ") + block).code == 2);
  }
  CHECK(run_tool("occupancy --block 999999999x999999999x999999999").code == 3);
}
