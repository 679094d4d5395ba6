#include <nlohmann/json.hpp>

#include "smsim/simulate.hpp"
#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("schedulers lists every policy with what it does") {
  const ToolRun text = run_tool("schedulers");
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  const auto list = nlohmann::json::parse(run_tool("schedulers --format json").out);
  REQUIRE(list.size() == policies().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    CHECK(list[i]["name"] == policies()[i].name);
    CHECK(list[i]["summary"] == policies()[i].summary);
    // Long summaries are wrapped.
    CHECK(("\n" + text.out).find("\n" + policies()[i].name + " ") != std::string::npos);
    CHECK(text.out.find(policies()[i].summary.substr(0, 40)) != std::string::npos);
  }
  CHECK(run_tool("schedulers --format csv").out.find("name,summary\n") == 0);
}

TEST_CASE("every policy can be run") {
  for (const PolicyInfo& policy : policies()) {
    INFO(policy.name);
    CHECK(run_tool("run " + small_kernel() + " --scheduler " + policy.name).code == 0);
  }
}

TEST_CASE("schedulers takes no inputs") {
  CHECK(run_tool("schedulers gto").code == 2);
  CHECK(run_tool("schedulers --format yaml").code == 2);
}
