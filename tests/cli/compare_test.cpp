#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

// Two launches, the first of them with what the comparison needs at least.
const std::string kProfile =
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"gpc__cycles_elapsed.max\"\n"
    "\"\",\"\",\"\",\"\",\"cycle\"\n"
    "\"0\",\"k(int)\",\"(64, 1, 1)\",\"(8, 1, 1)\",\"10,000\"\n"
    "\"1\",\"k(int)\",\"(64, 1, 1)\",\"(8, 1, 1)\",\"20,000\"\n";

}  // namespace

TEST_CASE("compare lays a prediction beside a launch of a profile") {
  const ScratchFolder scratch;
  const std::string prediction =
      scratch.write("p.json", run_tool("run " + small_kernel() + " --format json").out);
  const std::string profile = scratch.write("raw.csv", kProfile);
  const std::string both = prediction + " " + profile;

  const ToolRun json = run_tool("compare " + both + " --launch 1 --format json");
  CHECK(json.code == 0);
  CHECK(json.err.empty());
  const auto metrics = nlohmann::json::parse(json.out)["metrics"];
  CHECK(metrics["gpc__cycles_elapsed.max"]["measured"] == 20000);
  CHECK(metrics["gpc__cycles_elapsed.max"]["predicted"].is_number());

  const ToolRun text = run_tool("compare " + both + " --launch 0");
  CHECK(text.code == 0);
  CHECK(text.out.find("Elapsed Cycles [cycle]") != std::string::npos);
  CHECK(run_tool("compare " + both + " --launch 0 --format csv").out.find("metric,unit,kind") == 0);
}

TEST_CASE("compare asks for one launch and two files") {
  const ScratchFolder scratch;
  const std::string prediction =
      scratch.write("p.json", run_tool("run " + small_kernel() + " --format json").out);
  const std::string profile = scratch.write("raw.csv", kProfile);

  const ToolRun several = run_tool("compare " + prediction + " " + profile);
  CHECK(several.code == 2);
  CHECK(several.out.empty());
  CHECK(several.err.find("found 2 launches, expected a choice of one\n  --launch 0: k(int)") !=
        std::string::npos);

  const ToolRun one = run_tool("compare " + prediction);
  CHECK(one.code == 2);
  CHECK(one.err.find("found 1 inputs, expected PREDICTION.json and PROFILE_raw.csv") !=
        std::string::npos);

  const ToolRun swapped = run_tool("compare " + profile + " " + prediction);
  CHECK(swapped.code == 2);
  CHECK(swapped.err.find("raw.csv:1:1: error: found no valid JSON") != std::string::npos);
  CHECK(swapped.err.find("p.json:") != std::string::npos);  // the problems of both
}
