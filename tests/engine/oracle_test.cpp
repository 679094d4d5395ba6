// The engine against a plain second implementation of its rules: the same instruction of the same
// warp in the same cycle, and the same counters.
#include "tests/catch.hpp"
#include "tests/engine/compare.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

constexpr Cycle kMostCycles = 30000;

std::string compare(const RandomCase& what, const std::string& policy) {
  SimulateOptions options;
  options.scheduler = policy;
  options.max_cycles = kMostCycles;
  const EngineRun engine = run_engine(what, options);
  const OracleRun oracle = run_oracle(what, policy, kMostCycles);
  const std::string issues = difference(engine.issues, oracle.issues);
  return issues.empty() ? difference(engine.counters, oracle.counters) : issues;
}

}  // namespace

TEST_CASE("1,000 random programs: every issue in the same cycle, every counter the same") {
  const std::vector<std::string> policies = policy_names();
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const std::string& policy = policies[seed % policies.size()];
    INFO("seed " << seed << ", policy " << policy);
    CHECK(compare(random_case(seed), policy) == "");
  }
}

TEST_CASE("30 random programs under every policy") {
  for (std::uint64_t seed = 2001; seed <= 2030; ++seed) {
    for (const std::string& policy : policy_names()) {
      INFO("seed " << seed << ", policy " << policy);
      CHECK(compare(random_case(seed), policy) == "");
    }
  }
}
