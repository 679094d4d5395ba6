// smsim gpus
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/tool.hpp"

using smsim::test::run_tool;
using smsim::test::ScratchFolder;
using smsim::test::ToolRun;

TEST_CASE("the list is a table of 80 columns") {
  const ToolRun run = run_tool("gpus");
  CHECK(run.code == 0);
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
  CHECK(run.out.find("\nh200 ") != std::string::npos);
  CHECK(run.out.find("as h200 in a run") != std::string::npos);
}

TEST_CASE("one GPU is printed with the status and the source of every figure") {
  const ToolRun run = run_tool("gpus h200");
  CHECK(run.code == 0);
  CHECK(run.out.rfind("h200: NVIDIA H200 SXM 141 GB (compute capability 9.0)\n", 0) == 0);
  CHECK(run.out.find("  sms                                                   132 verified [") !=
        std::string::npos);
  CHECK(run.out.find("\n[1] ") != std::string::npos);
  CHECK(run_tool("gpus --gpu h200").out == run.out);
}

TEST_CASE("one GPU as JSON and CSV") {
  const auto object = nlohmann::json::parse(run_tool("gpus h200 --format json").out);
  CHECK(object["fields"]["topology.sms"]["value"] == "132");
  CHECK(object["fields"]["topology.sms"]["status"] == "verified");
  CHECK(object["fields"]["topology.sms"]["line"] > 0);
  CHECK(run_tool("gpus h200 --format csv").out.find("\ntopology.sms,132,verified,") !=
        std::string::npos);
}

TEST_CASE("the list as JSON and CSV") {
  const auto list = nlohmann::json::parse(run_tool("gpus --format json").out);
  CHECK(list.size() >= 35);
  CHECK(list[0]["name"] == "sm_70");
  CHECK(run_tool("gpus --format csv").out.find("\nh200,9.0,132,1980,256,62914560,") !=
        std::string::npos);
}

TEST_CASE("fields of the CSV are quoted where needed") {
  const ScratchFolder folder;
  const std::string file = folder.write("mine.yaml",
                                        "extends: h200\n"
                                        "sources: {l2: 'derived, half of a \"whole\", about'}\n"
                                        "l2: {slices: 48}\n");
  CHECK(run_tool("gpus " + file + " --format csv")
            .out.find("\nl2.slices,48,derived,\"half of a \"\"whole\"\", about\"\n") !=
        std::string::npos);
}

TEST_CASE("a file of one's own is as good as a name") {
  const ScratchFolder folder;
  const std::string file =
      folder.write("mine.yaml", "extends: h200\ntopology: {sms: 16, sms_per_gpc: []}\n");
  const ToolRun run = run_tool("gpus " + file);
  CHECK(run.code == 0);
  CHECK(run.out.rfind("mine: ", 0) == 0);
  CHECK(run.out.find("the file names no source") != std::string::npos);
}

TEST_CASE("an unknown GPU, a bad format and a bad file are bad input") {
  CHECK(run_tool("gpus h201").code == 2);
  CHECK(run_tool("gpus h201").err.find("did you mean 'h200'?") != std::string::npos);
  CHECK(run_tool("gpus --format xml").err ==
        "error: --format: found 'xml', expected one of text, json, csv\n");
  CHECK(run_tool("gpus no/such.yaml").err ==
        "no/such.yaml: error: cannot be read: No such file or directory\n");
}
