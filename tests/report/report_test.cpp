#include "smsim/report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/metrics/profile.hpp"
#include "tests/report/golden.hpp"

using namespace smsim;

namespace {

Result saxpy() {
  return make_result(test::h200(), test::saxpy_launch(), test::saxpy_profile());
}

GpuSpec small_gpu() {
  GpuSpec gpu = test::h200();
  gpu.topology.sms = 4;
  return gpu;
}

Result chain() {
  const KernelSpec kernel = test::chain_kernel(12, 4);
  return make_result(small_gpu(), kernel, test::chain_run(small_gpu(), kernel));
}

Result deadlocked() {
  const KernelSpec kernel = test::chain_kernel(12, 4);
  SimulationResult run = test::chain_run(small_gpu(), kernel);
  run.status = Status::deadlock;
  run.counters.blocks_done = 3;
  Deadlock deadlock;
  deadlock.cycle = 1234;
  deadlock.blocked_warps = 2;
  deadlock.warps = {{3, 0, 17, 12, "named barrier 1: 1 of 2 warps arrived"},
                    {3, 1, 17, 20, "named barrier 2: 1 of 2 warps arrived"}};
  deadlock.wait_for_cycle = {"block 3 warp 0 (BAR.SYNC 1) -> block 3 warp 1 (BAR.SYNC 2)",
                             "block 3 warp 1 (BAR.SYNC 2) -> block 3 warp 0 (BAR.SYNC 1)"};
  deadlock.explanation = "two warps wait for each other at different barriers";
  run.deadlock = deadlock;
  return make_result(small_gpu(), kernel, run);
}

Result not_launched() {
  KernelSpec kernel = test::chain_kernel(100, 132);
  kernel.launch.smem_dynamic_bytes = 240000;
  SimulationResult run;
  run.status = Status::launch_failure;
  run.launch_failure = LaunchFailure{
      "shared_mem", 241024, 232448, "a block asks for more shared memory than an SM gives to one",
      "up to 232,448 bytes of static and dynamic shared memory together"};
  return make_result(test::h200(), kernel, run);
}

struct Case {
  const char* name;
  Result (*build)();
  ReportOptions options;

  // Kept outputs do not change with the version.
  [[nodiscard]] Result make() const {
    Result result = build();
    result.smsim_version = "0.0.0";
    return result;
  }
};

const Case kCases[] = {{"saxpy", saxpy, {}},
                       {"saxpy_explained", saxpy, {true, false, false}},
                       {"chain", chain, {false, true, true}},
                       {"deadlock", deadlocked, {}},
                       {"launch_failure", not_launched, {}}};

}  // namespace

TEST_CASE("text reports are as they were") {
  for (const Case& c : kCases) {
    INFO(c.name);
    const std::string text = text_report(c.make(), c.options);
    CHECK(text == test::golden("report", std::string(c.name) + ".txt", text));
  }
}

TEST_CASE("JSON reports are as they were") {
  for (const Case& c : kCases) {
    INFO(c.name);
    const std::string text = json_report(c.make(), c.options);
    CHECK(text == test::golden("report", std::string(c.name) + ".json", text));
  }
}

TEST_CASE("CSV reports are as they were") {
  const std::string text = csv_report({saxpy(), not_launched()});
  CHECK(text == test::golden("report", "saxpy_and_launch_failure.csv", text));
}

TEST_CASE("no line of a text report is longer than 80 columns") {
  for (const Case& c : kCases) {
    std::istringstream lines(text_report(c.make(), {true, true, true}));
    for (std::string line; std::getline(lines, line);) {
      INFO(c.name << ": " << line);
      CHECK(line.size() <= 80);
    }
  }
}

TEST_CASE("JSON has all that its readers count on, and every number is finite") {
  for (const Case& c : kCases) {
    INFO(c.name);
    const auto json = nlohmann::ordered_json::parse(json_report(c.make()));
    for (const char* key : {"smsim_version", "status", "gpu", "kernel", "launch", "metrics",
                            "stalls", "verdict", "notes"}) {
      CHECK(json.contains(key));
    }
    CHECK(json["metrics"].size() == metric_infos().size());
    CHECK(json["stalls"].size() == kWarpStates);
    CHECK(json["launch"]["grid"].size() == 3);
    CHECK(json.contains("deadlock") == (json["status"] == "deadlock"));
    CHECK(json.contains("launch_failure") == (json["status"] == "launch_failure"));
    // JSON would show null in its place.
    for (const Metric& metric : c.make().metrics) {
      INFO(metric.name);
      CHECK(std::isfinite(metric.value.value_or(0)));
    }
  }
}

TEST_CASE("one kernel prints an object, several print an array") {
  CHECK(nlohmann::json::parse(json_report(saxpy())).is_object());
  const auto two = nlohmann::json::parse(json_report({saxpy(), chain()}, {}, true));
  REQUIRE(two.is_array());
  CHECK(two.size() == 2);
  CHECK(two[1]["kernel"] == "chain");
  // One of several that was interrupted is still one of several.
  CHECK(nlohmann::json::parse(json_report({saxpy()}, {}, true)).is_array());
}

TEST_CASE("every null metric has its reason in the notes") {
  const auto json = nlohmann::json::parse(json_report(not_launched()));
  std::string notes;
  for (const auto& note : json["notes"]) {
    notes += note.get<std::string>() + "\n";
  }
  for (const auto& [name, value] : json["metrics"].items()) {
    if (value.is_null()) {
      CHECK(notes.find(name) != std::string::npos);
    }
  }
}

TEST_CASE("numbers are printed as Nsight Compute prints them") {
  CHECK(format_number(0) == "0");
  CHECK(format_number(-0.0) == "0");
  CHECK(format_number(457888) == "457,888");
  CHECK(format_number(457322.875) == "457,322.88");
  CHECK(format_number(0.001) == "0.00");
  CHECK(format_number(100) == "100");
  CHECK(format_number(999) == "999");
  CHECK(format_number(1000) == "1,000");
  CHECK(format_number(-1234567.5) == "-1,234,567.50");
}

TEST_CASE("fields of the CSV report are quoted where needed") {
  Result result = chain();
  result.kernel = "a \"b\", c";
  CHECK(csv_report({result}).find("\"a \"\"b\"\", c\",h200,cggty,status,,completed\n") !=
        std::string::npos);
}
