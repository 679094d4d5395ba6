#include "sim/compare/prediction.hpp"

#include "smsim/diagnostic.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

const std::string kReport =
    R"({"status": "completed", "gpu": "h200", "kernel": "k",
        "launch": {"grid": [8, 2, 1], "block": [256, 1, 1]},
        "metrics": {"b": 1.5, "a": null}, "stalls": {"wait": 2}})";

std::string problem(const std::string& text) {
  try {
    parse_prediction("p.json", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("a report of one kernel, alone or as an array") {
  for (const std::string& text : {kReport, "[" + kReport + "]"}) {
    const Prediction p = parse_prediction("p.json", text);
    CHECK(p.status == "completed");
    CHECK(p.gpu == "h200");
    CHECK(p.kernel == "k");
    CHECK(p.grid.y == 2);
    CHECK(p.block.x == 256);
    REQUIRE(p.metrics.size() == 2);
    CHECK(p.metrics[0].first == "b");
    CHECK(p.metrics[0].second == 1.5);
    CHECK(!p.metrics[1].second);
    CHECK(p.stalls[0].second == 2.0);
  }
}

TEST_CASE("what is no prediction") {
  has(problem(""), "p.json: error: found an empty file, expected what 'smsim run KERNEL --format");
  has(problem("{\n\n\"a\": }"), "p.json:3:1: error: found no valid JSON, expected what 'smsim run");
  has(problem("\"ID\",\"Kernel Name\"\n"), "found no valid JSON");
  has(problem("7"), "p.json: error: found JSON of another kind");
  has(problem("[" + kReport + "," + kReport + "]"),
      "p.json: error: found predictions of 2 kernels, expected one: run that kernel alone\n  k\n  "
      "k");
  has(problem("[]"), "found predictions of 0 kernels");
  const std::string nothing = problem("{}");
  has(nothing, "found no 'metrics'");
  has(nothing, "found no 'stalls'");
  has(nothing, "found no 'launch.grid' of three numbers");
  has(problem(R"({"launch": {"grid": [1, 1, 1], "block": [1, 1]}, "metrics": {"a": "x"},
                  "stalls": {}})"),
      "found \"x\" as 'a', expected a number or null");
}
