// What `smsim run` and `smsim report` show besides the report.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("run --timeline draws warps below the report, without colours in a file") {
  const ToolRun run = run_tool("run " + small_kernel() + " --timeline");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "-- Verdict"));
  CHECK(contains(run.out, "-- Timeline -"));
  CHECK(contains(run.out, "scheduler 0\n"));
  CHECK_FALSE(contains(run.out, "scheduler 1\n"));
  CHECK_FALSE(contains(run.out, "\x1b["));
  const ToolRun all = run_tool("run " + small_kernel() + " --timeline --sub all --sm 5");
  CHECK(contains(all.out, "SM 5, the whole run"));
  CHECK(contains(all.out, "scheduler 3\n"));
}

TEST_CASE("run --why prints only the answer") {
  const ToolRun run = run_tool("run " + small_kernel() + " --why 0.1@2500");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "Block 0 warp 1 at cycle 2,500"));
  CHECK_FALSE(contains(run.out, "-- Verdict"));
  // Four warps a block: number 9 of the grid is warp 1 of block 2.
  CHECK(contains(run_tool("run " + small_kernel() + " --why 9@2500").out,
                 "Block 2 warp 1 at cycle 2,500"));
}

TEST_CASE("the timeline is the same for any number of threads, and changes no result") {
  const std::string run = "run " + small_kernel() + " --format json";
  const std::string one = run_tool(run + " --timeline --threads 1").out;
  CHECK(one == run_tool(run + " --timeline --threads 4").out);
  const json without = json::parse(run_tool(run).out);
  const json with = json::parse(one);
  CHECK(with["metrics"] == without["metrics"]);
  CHECK(with["verdict"] == without["verdict"]);
}

TEST_CASE("JSON with a timeline has everything that a page shows") {
  const json document =
      json::parse(run_tool("run " + small_kernel() + " --format json --timeline").out);
  CHECK(document["timeline"]["states"].size() == 19);
  CHECK(document["timeline"]["sms"].size() == 132);
  CHECK(document["timeline"]["warps"].size() >= 4);
  CHECK(document["occupancy"]["curves"]["block_size"].size() == 32);
  CHECK(document["configuration"]["gpu"].size() > 100);
  CHECK(contains(document["configuration"]["kernel_file"].get<std::string>(), "name: small"));
  CHECK(document["instructions"].size() > 5);
  CHECK(document["definitions"].size() > 50);
}

TEST_CASE("a deadlock's timeline reaches to where it stopped; a launch failure has none") {
  const ToolRun stuck = run_tool("run " + stuck_kernel() + " --format json --timeline");
  CHECK(stuck.code == 3);
  CHECK(json::parse(stuck.out)["timeline"]["warps"].size() > 0);
  const ToolRun refused = run_tool("run " + small_kernel() +
                                   " --set launch.smem_dynamic=300000 --format json --timeline");
  CHECK(refused.code == 3);
  CHECK_FALSE(json::parse(refused.out).contains("timeline"));
}

TEST_CASE("windows, SMs and warps that do not exist are refused, all at once") {
  const ToolRun run = run_tool("run saxpy --timeline --window 9:3 --sub 4 --why x");
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(contains(run.err, "--window: found '9:3', expected FROM:UNTIL in cycles"));
  CHECK(contains(run.err, "--sub: found '4', expected one of 0, 1, 2, 3, all"));
  CHECK(contains(run.err, "--why: found 'x', expected BLOCK.WARP@CYCLE"));
  const ToolRun sm = run_tool("run " + small_kernel() + " --timeline --sm 132");
  CHECK(sm.code == 2);
  CHECK(contains(sm.err, "--sm: found 132, expected an SM of h200 (0 to 131)"));
  for (const char* window : {"0:18446744073709551615", "0:1000000000000001", "5:5", ":5", "1:"}) {
    INFO(window);
    CHECK(run_tool("run " + small_kernel() + " --timeline --window " + window).code == 2);
  }
  CHECK(run_tool("run " + small_kernel() + " --timeline --window 0:1000000000000000").code == 0);
  for (const char* warp : {"128.0@5", "0.4@5", "512@5", "-1@5", "0.1@", "@5", "0.1.2@5", "1@1e9"}) {
    INFO(warp);
    const ToolRun why = run_tool("run " + small_kernel() + " --why " + warp);
    CHECK(why.code == 2);
    CHECK(contains(why.err, "expected BLOCK.WARP@CYCLE"));
  }
  CHECK(run_tool("run saxpy --window 0:5").code == 2);
  CHECK(run_tool("run saxpy saxpy --perfetto x.json").code == 2);
  CHECK(run_tool("run saxpy --format csv --timeline").code == 2);
}

TEST_CASE("run --perfetto and --konata write files, never over an input") {
  const ScratchFolder folder;
  const std::string trace = folder.path("trace.json");
  const std::string log = folder.path("log.kanata");
  const ToolRun run = run_tool("run " + small_kernel() + " --perfetto " + trace + " --konata " +
                               log + " --window 1800:2200 --format csv");
  CHECK(run.code == 0);
  CHECK(json::parse(folder.read("trace.json"))["traceEvents"].size() > 100);
  CHECK(folder.read("log.kanata").rfind("Kanata\t0004", 0) == 0);
  const std::string input = small_kernel();
  CHECK(run_tool("run " + input + " --konata " + input).code == 2);
  CHECK(run_tool("run " + input).code == 0);
}

TEST_CASE("two outputs in one file are refused before the kernel runs") {
  const ScratchFolder folder;
  const std::string one = folder.path("one");
  const ToolRun run = run_tool("run " + small_kernel() + " --perfetto " + one + " --konata " +
                               folder.path("./one"));
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(contains(run.err, "found one file for two outputs, expected a file for each"));
  CHECK_FALSE(std::filesystem::exists(one));
}

TEST_CASE("after a deadlock --why does not say that the warp has left") {
  const ToolRun run = run_tool("run deadlocks --set params.pair=1 --why 0.0@3000");
  CHECK(run.code == 3);
  CHECK(contains(run.out, "the run ends at cycle"));
  CHECK(contains(run.out, "barrier"));
  CHECK_FALSE(contains(run.out, "left its slot"));
}

TEST_CASE("nobody opens the barrier of a deadlock") {
  CHECK(contains(run_tool("run deadlocks --set params.pair=1 --why 0.0@2240").out,
                 "barrier 1: 2 of 4 warps"));
  for (const char* end : {"", " --max-cycles 2250"}) {
    const ToolRun run =
        run_tool("run deadlocks --set params.pair=1 --why 0.0@2240" + std::string(end));
    CHECK_FALSE(contains(run.out, "opened it"));
    CHECK(contains(run.out, "has not opened"));
  }
}

TEST_CASE("a run that does no arithmetic has no roofline of 0") {
  const ToolRun run = run_tool("run " + small_kernel() + " --max-cycles 1");
  CHECK(contains(run.out, "Roofline: no arithmetic was done"));
}

TEST_CASE("report draws a kept timeline as the run did") {
  const ScratchFolder folder;
  const std::string json_file = folder.write(
      "small.json", run_tool("run " + small_kernel() + " --format json --timeline").out);
  const std::string of_run =
      run_tool("run " + small_kernel() + " --timeline --window 1850:2000").out;
  const ToolRun report = run_tool("report " + json_file + " --timeline --window 1850:2000");
  CHECK(report.code == 0);
  const auto warps = [](const std::string& text) {
    return text.substr(text.find("scheduler 0\n"));
  };
  CHECK(warps(report.out) == warps(of_run));
}

TEST_CASE("report says what is wrong with its inputs, all at once") {
  const ScratchFolder folder;
  const std::string plain =
      folder.write("plain.json", run_tool("run " + small_kernel() + " --format json").out);
  const std::string broken = folder.write("broken.json", "{\n\"kernel\": ");
  const std::string other = folder.write("other.json", "[1, 2]");
  const ToolRun both = run_tool("report " + broken + " " + other + " --timeline");
  CHECK(both.code == 2);
  CHECK(contains(both.err, "broken.json:2:1: error: found no valid JSON"));
  CHECK(contains(both.err, "other.json: error: found JSON of another kind"));
  const ToolRun none = run_tool("report " + plain + " --timeline");
  CHECK(none.code == 2);
  CHECK(contains(none.err, "found no timeline of small, expected one as"));
  CHECK(run_tool("report").code == 2);
  CHECK(run_tool("report " + plain).code == 2);
  CHECK(run_tool("report nowhere.json --timeline").code == 2);
}
