// smsim validate: what it prints, in which format, and of which references.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/measured.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;

namespace {

const std::string& folder() {
  static const Measured kMeasured{{"fma_dependent_low_occupancy", "integer_hash_low_occupancy",
                                   "saxpy_one_wave", "saxpy_small"}};
  static const std::string kFolder = [] {
    kMeasured.describe("saxpy_one_wave", "family: streaming\nuse: held_out\n");
    kMeasured.describe("saxpy_small", "family: streaming\nuse: develop\npair: saxpy_one_wave\n");
    return kMeasured.folder();
  }();
  return kFolder;
}

nlohmann::json validated(const std::string& options) {
  const ToolRun run = run_tool("validate " + folder() + " --format json " + options);
  INFO(run.err);
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  return nlohmann::json::parse(run.out);
}

std::vector<std::string> names(const nlohmann::json& json) {
  std::vector<std::string> out;
  for (const auto& reference : json["references"]) {
    out.push_back(reference["name"]);
  }
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("validate: JSON has the keys that scripts read") {
  const auto json = validated("");
  REQUIRE(json["references"].size() == 4);
  for (const auto& reference : json["references"]) {
    for (const char* key : {"name", "family", "use", "status", "metrics"}) {
      CHECK(reference.contains(key));
    }
    CHECK(reference["status"] == "completed");
    const auto& cycles = reference["metrics"]["gpc__cycles_elapsed.max"];
    CHECK(cycles["predicted"].is_number());
    CHECK(cycles["measured"].is_number());
    CHECK(cycles["error"].is_number());
    CHECK(reference["metrics"]["launch__grid_size"]["kind"] == "input");
  }
  for (const char* key : {"cycles_mape", "cycles_median", "cycles_p90", "cycles_worst"}) {
    CHECK(json["summary"][key].is_number());
  }
}

TEST_CASE("validate: the summary is what its references make") {
  const auto json = validated("");
  double sum = 0;
  double worst = 0;
  for (const auto& reference : json["references"]) {
    const double error =
        100 * std::abs(reference["metrics"]["gpc__cycles_elapsed.max"]["error"].get<double>());
    sum += error;
    worst = std::max(worst, error);
  }
  CHECK(json["summary"]["cycles_mape"].get<double>() == Approx(sum / 4));
  CHECK(json["summary"]["cycles_worst"].get<double>() == Approx(worst));
}

TEST_CASE("validate: the same bytes with any number of threads, in every format") {
  for (const char* format : {"text", "json", "csv", "text --by family", "text --by what-if"}) {
    INFO(format);
    const std::string command = "validate " + folder() + " --format " + format + " --threads ";
    const ToolRun one = run_tool(command + "1");
    CHECK(one.code == 0);
    CHECK(one.out == run_tool(command + "2").out);
  }
}

TEST_CASE("validate: text fits 80 columns") {
  for (const char* options : {"", "--by family", "--by what-if", "--details"}) {
    std::istringstream lines(run_tool("validate " + folder() + " " + options).out);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 80);
    }
  }
}

TEST_CASE("validate: CSV is a table of metrics, families or pairs") {
  const std::string command = "validate " + folder() + " --format csv";
  CHECK(run_tool(command).out.find("reference,family,use,status,metric,kind,predicted,") == 0);
  CHECK(run_tool(command + " --by family").out.find("family,references,failed,cycles_mape,") == 0);
  const std::string pairs = run_tool(command + " --by what-if").out;
  CHECK(pairs.find("from,to,family,use,") == 0);
  CHECK(pairs.find("\nsaxpy_one_wave,saxpy_small,streaming,develop,") != std::string::npos);
}

TEST_CASE("validate: --only, --use and --family choose, and together what all of them name") {
  CHECK(names(validated("--only saxpy_small")) == Names{"saxpy_small"});
  CHECK(names(validated("--only saxpy_small --only saxpy_one_wave")) ==
        Names{"saxpy_one_wave", "saxpy_small"});
  CHECK(names(validated("--use held_out")) == Names{"saxpy_one_wave"});
  CHECK(names(validated("--family streaming")) == Names{"saxpy_one_wave", "saxpy_small"});
  CHECK(names(validated("--family streaming --use develop")) == Names{"saxpy_small"});
}

TEST_CASE("validate: a nested reference is chosen by its path, or by its folder alone") {
  const Measured measured({"saxpy_small"}, "h200/");
  for (const char* name : {"saxpy_small", "h200/saxpy_small"}) {
    const ToolRun run = run_tool("validate " + measured.folder() + " --format json --only " + name);
    CHECK(run.code == 0);
    CHECK(names(nlohmann::json::parse(run.out)) == Names{"h200/saxpy_small"});
  }
}

TEST_CASE("validate: a reference alone, however its folder is spelled") {
  for (const char* end : {"/saxpy_small", "/saxpy_small/", "/saxpy_small/."}) {
    const ToolRun run = run_tool("validate " + folder() + end + " --format json");
    CHECK(names(nlohmann::json::parse(run.out)) == Names{"saxpy_small"});
  }
}

TEST_CASE("validate: figures of the GPU can be changed for a study") {
  const auto cycles = [](const std::string& options) {
    return validated("--only saxpy_small " +
                     options)["references"][0]["metrics"]["gpc__cycles_elapsed.max"]["predicted"]
        .get<double>();
  };
  CHECK(cycles("--gpu-set dram.bandwidth_gbps=100") > cycles(""));
  CHECK(cycles("--gpu-set dram.bandwidth_gbps=100 --gpu-set dram.efficiency=0.5") >
        cycles("--gpu-set dram.bandwidth_gbps=100"));
}

TEST_CASE("validate: the page is written beside the report") {
  const ScratchFolder scratch;
  const std::string page = scratch.path("new/folder/page.html");
  const std::string command = "validate " + folder() + " --only saxpy_small";
  const ToolRun run = run_tool(command + " --html " + page);
  CHECK(run.code == 0);
  CHECK(run.out == run_tool(command).out);
  std::ifstream file(page);
  const std::string html((std::istreambuf_iterator<char>(file)), {});
  CHECK(html.find("<!doctype html>") == 0);
  CHECK(html.find("saxpy_small") != std::string::npos);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("http") == std::string::npos);
}

TEST_CASE("validate: help names options and exit codes") {
  const ToolRun run = run_tool("validate --help");
  CHECK(run.code == 0);
  for (const char* part :
       {"usage: smsim validate [DIR]", "--by", "--use", "--family", "--only", "--format", "--html",
        "--gpu-set", "--threads", "--details", "Exit code:", "Examples:"}) {
    INFO(part);
    CHECK(run.out.find(part) != std::string::npos);
  }
}
