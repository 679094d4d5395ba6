// smsim step, by script.
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;

namespace {

ToolRun step(const std::string& script, const std::string& options = "") {
  return run_tool("step " + small_kernel() + " " + options, script);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Long answers go on in the next line.
std::string unwrapped(std::string text) {
  for (auto at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at)) {
    text.replace(at, 3, " ");
  }
  return text;
}

// The text after the last prompt that shows this command.
std::string after(const std::string& text, const std::string& command) {
  return text.substr(text.rfind("(smsim) " + command + "\n"));
}

}  // namespace

TEST_CASE("step begins where the first block does, and goes from issue to issue") {
  const ToolRun run = step("issue\nissue\nquit\n");
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK(contains(run.out, "small on h200, SM 0, policy gob"));
  CHECK(contains(run.out, "scheduler 0:  1 resident,  0 eligible, issues nothing"));
  CHECK(contains(after(run.out, "issue"), "issues"));
  CHECK_FALSE(contains(run.out, "found"));
}

TEST_CASE("going back leads to where one was, and the same cycle looks the same") {
  const std::string there = after(step("goto 2000\nshow\n").out, "show");
  CHECK(contains(there, "cycle 2,000"));
  CHECK(after(step("goto 2000\nnext 7\nback 7\nshow\n").out, "show") == there);
  CHECK(after(step("goto 2000\nissue\nback\nshow\n").out, "show") == there);
  CHECK(contains(step("back\n").out, "this is where it began"));
}

TEST_CASE("step stops where a stall appears or a warp issues, and says why") {
  const ToolRun run = step("stall long_scoreboard\nwhy 0.0\nuntil 0.2\n");
  CHECK(contains(run.out, "long_scoreboard"));
  CHECK(contains(run.out, "It needs the result of LDG"));
  CHECK(contains(after(run.out, "until 0.2"), " issues "));
  CHECK(contains(after(run.out, "until 0.2"), "0.2"));
}

TEST_CASE("another policy is simulated from the start, and the difference is told") {
  const ToolRun run = step("policy lrr\npolicy gob\n");
  CHECK(contains(after(run.out, "policy lrr"), "gob:"));
  CHECK(contains(after(run.out, "policy lrr"), "lrr:"));
  CHECK(contains(after(run.out, "policy lrr"), "(+0.00 %)") +
            contains(after(run.out, "policy lrr"), "First difference on this SM") >
        0);
}

TEST_CASE("step answers wrong commands and goes on") {
  const ToolRun run = step(
      "nxt\nnext x\nstall longscoreboard\nwhy 99.9\nsub 9\npolicy best\ngoto\ngoto 999999999\n"
      "until\nnext 1 2\n\nshow\n");
  CHECK(run.code == 0);
  for (const char* answer :
       {"found 'nxt', expected one of next, issue", "did you mean 'next'",
        "next: found 'x', expected a number", "did you mean 'long_scoreboard'",
        "why: found '99.9', expected a warp", "sub: found 9, expected a scheduler, 0 to 3",
        "policy: found 'best', expected one of", "goto: expected a cycle", "the run ends at cycle",
        "until: expected a warp", "next: found '2' too much"}) {
    INFO(answer);
    CHECK(contains(unwrapped(run.out), answer));
  }
}

TEST_CASE("step never goes backwards by going far") {
  const ToolRun run = step("goto 2000\nnext 18446744073709551615\nshow\n");
  CHECK(contains(run.out, "the run ends at cycle"));
  CHECK(contains(after(run.out, "show"), "cycle 2,000"));
}

TEST_CASE("step refuses what run refuses") {
  CHECK(run_tool("step").code == 2);
  CHECK(run_tool("step nowhere.yaml").code == 2);
  CHECK(run_tool("step saxpy --sm 132").code == 2);
  CHECK(run_tool("step saxpy --scheduler best").code == 2);
  const ToolRun refused = step("show\n", "--set launch.smem_dynamic=300000");
  CHECK(refused.code == 3);
  CHECK(contains(refused.out, "cannot be launched on h200"));
}

TEST_CASE("no line of step is wider than a terminal") {
  const std::string options = " --gpu orin-agx-64gb";
  const std::string script = "stall foo\npolicy foo\nfoo\nhelp\ntimeline\n";
  for (const std::string& text :
       {run_tool("step cluster_exchange", script).out, step(script, options).out,
        run_tool("step saxpy --set launch.smem_dynamic=500000", script).out}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 80);
    }
  }
}
