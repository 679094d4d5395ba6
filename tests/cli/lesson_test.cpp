#include <nlohmann/json.hpp>
#include <string>

#include "sim/config/lesson_file.hpp"
#include "tests/catch.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

bool has(const std::string& all, const std::string& part) {
  return all.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("lesson without a name lists the lessons") {
  const ToolRun list = run_tool("lesson");
  CHECK(list.code == 0);
  CHECK(list.err.empty());
  CHECK(has(list.out, " 2  littles_law "));
  const auto json = nlohmann::json::parse(run_tool("lesson --format json").out);
  CHECK(json.size() == lesson_names().size());
  CHECK(json[1]["name"] == "littles_law");
  CHECK(json[1]["number"] == 2);
}

TEST_CASE("lesson runs one by number and by name, and tells the answer when asked") {
  const ToolRun by_number = run_tool("lesson 4");
  CHECK(by_number.code == 0);
  CHECK(by_number.err.empty());
  CHECK(has(by_number.out, "Lesson 4: "));
  CHECK(has(by_number.out, "seen: "));
  CHECK_FALSE(has(by_number.out, "NOT SEEN"));
  CHECK_FALSE(has(by_number.out, "-- Answer"));
  CHECK(run_tool("lesson ilp --threads 1").out == by_number.out);
  CHECK(has(run_tool("lesson ilp --answer").out, "-- Answer"));
}

TEST_CASE("a lesson's JSON parses") {
  const ToolRun run = run_tool("lesson 4 --format json");
  CHECK(run.code == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["number"] == 4);
  CHECK(json["variants"].size() >= 2);
}

TEST_CASE("a deadlock that a lesson shows is no failure of the command") {
  const ToolRun run = run_tool("lesson deadlocks");
  CHECK(run.code == 0);
  CHECK(has(run.out, "launch_failure"));
}

TEST_CASE("another GPU is named, and the texts' numbers are said to be the H200's") {
  const ToolRun run = run_tool("lesson 4 --gpu a100");
  CHECK(run.code == 0);
  CHECK(has(run.out, "another GPU"));
}

TEST_CASE("unknown lessons and options out of place are refused") {
  const ToolRun unknown = run_tool("lesson litles_law");
  CHECK(unknown.code == 2);
  CHECK(has(unknown.err, "found unknown lesson 'litles_law'"));
  CHECK(has(unknown.err, "did you mean 'littles_law'?"));
  CHECK(run_tool("lesson 99").code == 2);
  CHECK(run_tool("lesson 1 2").code == 2);
  CHECK(run_tool("lesson --answer").code == 2);
  CHECK(run_tool("lesson 1 --format csv").code == 2);
  CHECK(run_tool("lesson saxpy").code == 2);
}

TEST_CASE("smsim run takes a lesson for its kernel") {
  const ToolRun run = run_tool("run littles_law --max-cycles 5000 --format json");
  CHECK(run.code == 0);
  CHECK(nlohmann::json::parse(run.out)["kernel"] == "littles_law");
  CHECK(has(run_tool("run litles_law").err, "did you mean 'littles_law'?"));
}

TEST_CASE("the commands that the lessons suggest work as printed") {
  for (const LessonName& name : lesson_names()) {
    Diagnostics problems;
    const auto lesson = load_lesson(name.file, problems);
    REQUIRE(lesson);
    for (const LessonCommand& command : lesson->commands) {
      INFO(command.run);
      REQUIRE(command.run.rfind("smsim ", 0) == 0);
      const bool runs = command.run.rfind("smsim run ", 0) == 0;
      const ToolRun run = run_tool(command.run.substr(6) + (runs ? " --max-cycles 3000" : ""));
      INFO(run.err);
      CHECK((run.code == 0 || run.code == 3));
      CHECK(run.err.empty());
    }
  }
}
