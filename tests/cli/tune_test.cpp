// smsim tune: outputs and exit codes.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("tune prints a report on stdout and nothing on stderr") {
  const ToolRun run = run_tool("tune " + small_kernel() + " --over params.block=64:256:*2");
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK(run.out.find("small on h200") == 0);
  for (const char* part :
       {"Varied, as --over says:", "params.block           64, 128, 256",
        "3 configurations. Simulated: 3, every configuration that can run.",
        "-- Best configuration -", "-- Cycles against occupancy -",
        "-- Is the highest occupancy the fastest? -", "-- What would change the blocks per SM"}) {
    has(run.out, part);
  }
}

TEST_CASE("tune prints JSON with all that its readers count on") {
  const ToolRun run = run_tool("tune " + small_kernel() +
                               " --over params.block=64:512:*2 --budget 3 --seed 4 --format json");
  REQUIRE(run.code == 0);
  const json result = json::parse(run.out);
  CHECK(result["space"]["axes"]["params.block"] == json::array({"64", "128", "256", "512"}));
  CHECK(result["space"]["points"] == 4);
  CHECK(result["search"]["exhaustive"] == false);
  CHECK(result["search"]["simulated"] == 3);
  CHECK(result["points"].size() == 3);
  CHECK(result["points"][0]["values"]["params.block"] == "128");  // the file as it is comes first
  CHECK(result["present"]["cycles"] == result["points"][0]["cycles"]);
  CHECK(result["best"]["cycles"] <= result["present"]["cycles"]);
  CHECK(result["best"]["metrics"]["gpc__cycles_elapsed.max"] == result["best"]["cycles"]);
  CHECK(result["pareto"][0]["cycles"] == result["best"]["cycles"]);
  CHECK(result["most_occupied"].contains("is_fastest"));
  CHECK(result["questions"].size() >= 3);
}

TEST_CASE("tune prints CSV, one row for every point") {
  const ToolRun run =
      run_tool("tune " + small_kernel() + " --over launch.block=64,128 --format csv");
  CHECK(run.code == 0);
  CHECK(run.out.find("number,launch.block,status,cycles,") == 0);
  has(run.out, "\n0,64,completed,");
  has(run.out, "\n1,128,completed,");
}

TEST_CASE("all problems come at once, with exit code 2") {
  const ToolRun run = run_tool("tune saxpi --over params.block --budget 0 --format txt");
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  has(run.err, "found unknown kernel 'saxpi'");
  has(run.err, "did you mean 'saxpy'?");
  has(run.err, "--over: found 'params.block', expected PATH=LIST");
  has(run.err, "--budget: found '0', expected an integer from 1 to 100000");
  has(run.err, "--format: found 'txt', expected one of text, json, csv; did you mean 'text'?");
  has(run_tool("tune").err, "found no kernel, expected NAME|FILE");
}

TEST_CASE("when nothing can run the reasons are the result, with exit code 3") {
  const ToolRun run = run_tool("tune " + too_big_kernel() + " --over launch.block=128,256");
  CHECK(run.code == 3);
  has(run.out, "No configuration can run.");
  has(run.out, "-- Configurations that cannot run -");
  CHECK(run_tool("tune " + stuck_kernel() + " --over launch.registers=16,32").code == 3);
}

TEST_CASE("Ctrl-C gives what there is and exit code 130") {
  const ToolRun run = run_tool_under("timeout --preserve-status -s INT 1",
                                     "tune " + long_kernel() + " --over launch.block=128,256");
  CHECK(run.code == 130);
  has(run.out, "Interrupted before the first configuration was done.");
}

TEST_CASE("tune explains itself") {
  const ToolRun run = run_tool("tune --help");
  CHECK(run.code == 0);
  has(run.out, "8:64:*2");
  has(run_tool("--help").out, "tune ");
}
