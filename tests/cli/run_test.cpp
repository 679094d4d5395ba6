// smsim run: results and exit codes.
#include <nlohmann/json.hpp>

#include "smsim/report.hpp"
#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim;
using namespace smsim::test;
using nlohmann::json;

TEST_CASE("run prints a report on stdout and nothing on stderr") {
  const ToolRun run = run_tool("run " + small_kernel());
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK(run.out.find("small on h200") == 0);
  for (const char* section : {"GPU speed", "Launch", "Occupancy", "Scheduler", "Warp State",
                              "Memory", "Tail", "Verdict", "Notes"}) {
    CHECK(run.out.find("-- " + std::string(section) + " -") != std::string::npos);
  }
}

TEST_CASE("run prints JSON with all that its readers count on") {
  const ToolRun run = run_tool("run " + small_kernel() + " --format json");
  REQUIRE(run.code == 0);
  const json result = json::parse(run.out);
  CHECK(result["status"] == "completed");
  CHECK(result["gpu"] == "h200");
  CHECK(result["kernel"] == "small");
  CHECK(result["launch"]["grid"] == json::array({128, 1, 1}));
  CHECK(result["launch"]["block"] == json::array({128, 1, 1}));
  CHECK(result["launch"]["cluster"] == 1);
  CHECK(result["launch"]["seed"] == 1);
  CHECK(result["metrics"].size() == metric_infos().size());
  CHECK(result["metrics"]["smsp__inst_executed.sum"] > 0);
  CHECK(result["stalls"]["selected"] == 1);
  CHECK(result["verdict"]["bounds"].size() > 3);
  CHECK(result["notes"].is_array());
  CHECK_FALSE(result.contains("sms"));
}

TEST_CASE("run prints CSV, one row per metric") {
  const ToolRun run = run_tool("run " + small_kernel() + " --format csv");
  CHECK(run.code == 0);
  CHECK(run.out.find(
            "kernel,gpu,scheduler,metric,unit,value\nsmall,h200,gob,status,,completed\n") == 0);
  CHECK(static_cast<std::size_t>(std::count(run.out.begin(), run.out.end(), '\n')) ==
        metric_infos().size() + 2);
}

TEST_CASE("breakdowns and definitions come on request") {
  const json result = json::parse(
      run_tool("run " + small_kernel() + " --format json --per-sm --instructions --explain").out);
  CHECK(result["sms"].size() == 132);
  CHECK(result["sms"][0]["schedulers"].size() == 4);
  CHECK(result["instructions"].size() > 5);
  CHECK(result["definitions"].size() == metric_infos().size());
  const ToolRun text = run_tool("run " + small_kernel() + " --per-sm --instructions --explain");
  CHECK(text.out.find("-- SMs -") != std::string::npos);
  CHECK(text.out.find("-- Instructions that warps spend") != std::string::npos);
  CHECK(text.out.find("elapsed cycles / SM clock") != std::string::npos);
}

TEST_CASE("several kernels run one after the other, and print an array") {
  const ToolRun run = run_tool("run " + small_kernel() + " " + random_kernel() + " --format json");
  CHECK(run.code == 0);
  const json results = json::parse(run.out);
  REQUIRE(results.size() == 2);
  CHECK(results[0]["kernel"] == "small");
  CHECK(results[1]["kernel"] == "random");
}

TEST_CASE("a deadlock is a result with exit code 3") {
  const ToolRun run = run_tool("run " + stuck_kernel() + " --format json");
  CHECK(run.code == 3);
  const json result = json::parse(run.out);
  CHECK(result["status"] == "deadlock");
  CHECK(result["deadlock"]["blocked_warps"] == 2);
  CHECK(result["deadlock"]["waits"][0]["waits_for"] == "barrier 1: 1 of 2 warps arrived");
  CHECK(result["deadlock"]["cycle"] > 0);
  const ToolRun text = run_tool("run " + stuck_kernel());
  CHECK(text.code == 3);
  CHECK(text.out.find("PARTIAL RESULT") != std::string::npos);
  CHECK(text.out.find("-- Deadlock -") != std::string::npos);
  CHECK(text.out.find("No warp can go on: 2 warps wait or poll in vain") != std::string::npos);
}

TEST_CASE("a launch failure is a result with exit code 3") {
  const ToolRun run = run_tool("run " + too_big_kernel() + " --format json");
  CHECK(run.code == 3);
  const json result = json::parse(run.out);
  CHECK(result["status"] == "launch_failure");
  CHECK(result["launch_failure"]["resource"] == "shared_mem");
  CHECK(result["launch_failure"]["need"] == 300000);
  CHECK(result["launch_failure"]["limit"] == 232448);
  CHECK(result["metrics"]["gpc__cycles_elapsed.max"].is_null());
  CHECK(run_tool("run " + too_big_kernel()).out.find("What would fit: ") != std::string::npos);
}

TEST_CASE("of several kernels the worst exit code counts") {
  CHECK(run_tool("run " + stuck_kernel() + " " + small_kernel()).code == 3);
  CHECK(run_tool("run " + small_kernel() + " " + too_big_kernel()).code == 3);
}

TEST_CASE("--max-cycles ends the run with partial results and exit code 0") {
  const ToolRun run = run_tool("run " + long_kernel() + " --max-cycles 20000 --format json");
  CHECK(run.code == 0);
  const json result = json::parse(run.out);
  CHECK(result["status"] == "max_cycles");
  CHECK(result["metrics"]["gpc__cycles_elapsed.max"] == 20000);
  CHECK(result["notes"][0].get<std::string>().find("partial: ") == 0);
}

TEST_CASE("Ctrl-C gives partial results and exit code 130") {
  const ToolRun run =
      run_tool_under("timeout --preserve-status -s INT 1",
                     "run " + long_kernel() + " " + small_kernel() + " --format json");
  CHECK(run.code == 130);
  const json results = json::parse(run.out);
  REQUIRE(results.size() == 1);  // what came after it did not run
  CHECK(results[0]["status"] == "interrupted");
}

TEST_CASE("host threads never change a result") {
  const std::string arguments = "run " + random_kernel() + " --format json --per-sm --threads ";
  const ToolRun one = run_tool(arguments + "1");
  CHECK(one.code == 0);
  CHECK(run_tool(arguments + "2").out == one.out);
  CHECK(run_tool(arguments + "4").out == one.out);
}

TEST_CASE("the same seed gives the same bytes, another one does not") {
  const std::string arguments = "run " + random_kernel() + " --format csv --seed ";
  const ToolRun seven = run_tool(arguments + "7");
  CHECK(run_tool(arguments + "7").out == seven.out);
  CHECK(run_tool(arguments + "8").out != seven.out);
}

TEST_CASE("--scheduler, --set and --gpu are what the result says") {
  const ToolRun run = run_tool("run " + small_kernel() +
                               " --scheduler lrr --set params.block=256 --gpu a100 --seed 5 "
                               "--format json");
  CHECK(run.code == 0);
  const json result = json::parse(run.out);
  CHECK(result["launch"]["scheduler"] == "lrr");
  CHECK(result["launch"]["block"] == json::array({256, 1, 1}));
  CHECK(result["launch"]["seed"] == 5);
  CHECK(result["gpu"] == "a100");
  CHECK(result["metrics"]["launch__sm_count"] == 108);
}

TEST_CASE("a kernel of configs/kernels runs by its name") {
  const ToolRun named = run_tool("run fma_dependent --set params.steps=8 --format csv");
  CHECK(named.code == 0);
  CHECK(named.out == run_tool("run " SMSIM_SOURCE_DIR "/configs/kernels/fma_dependent.yaml " +
                              std::string("--set params.steps=8 --format csv"))
                         .out);
}

TEST_CASE("figures that nobody measured are counted, and found by the command that is named") {
  const ScratchFolder folder;
  const std::string gpu = folder.write("mine.yaml", "extends: h200\nl2: {slices: 90}\n");
  const ToolRun run = run_tool("run " + small_kernel() + " --gpu " + gpu + " --format json");
  const std::string notes = json::parse(run.out)["notes"].dump();
  INFO(notes);
  CHECK(notes.find(" figures of mine that nobody has measured: 'smsim gpus " + gpu + "'") !=
        std::string::npos);
}

TEST_CASE("a compute capability runs as its reference product and says so") {
  const ToolRun run = run_tool("run " + small_kernel() + " --gpu sm_90 --format json");
  CHECK(run.code == 0);
  const json result = json::parse(run.out);
  CHECK(result["gpu"] == "h200");
  CHECK(result["notes"].dump().find("simulated as h200") != std::string::npos);
}

TEST_CASE("a run cut short before any block ends prints no quotient of nothing") {
  const std::string run = "run block_reduce --format text --max-cycles ";
  for (const char* more : {"3000", "1 --instructions"}) {
    const std::string text = run_tool(run + more).out;
    INFO(text);
    CHECK(text.find("inf cycles") == std::string::npos);
    CHECK(text.find("nan") == std::string::npos);
  }
}

TEST_CASE("a split of shared memory that holds no block fails the launch") {
  const ToolRun run = run_tool("run block_reduce --set launch.smem_config=0");
  CHECK(run.code == 3);
  CHECK(run.out.find("the split in force gives it 0 B") != std::string::npos);
}
