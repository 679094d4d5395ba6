// What must never show in a result: windows, host threads, whether it is the second run.
#include "tests/catch.hpp"
#include "tests/engine/compare.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

constexpr Cycle kMostCycles = 5000;

EngineRun run(const RandomCase& what, std::uint64_t seed, int window, int threads) {
  const std::vector<std::string> policies = policy_names();
  SimulateOptions options;
  options.scheduler = policies[seed % policies.size()];
  options.max_cycles = kMostCycles;
  options.window_cycles = window;
  options.threads = threads;
  return run_engine(what, options);
}

std::string parted(const EngineRun& a, const EngineRun& b) {
  const std::string issues = difference(a.issues, b.issues);
  return issues.empty() ? difference(a.counters, b.counters) : issues;
}

}  // namespace

TEST_CASE("windows of any width give the same issues and counters") {
  for (std::uint64_t seed = 3001; seed <= 3100; ++seed) {
    const RandomCase what = random_case(seed);
    const EngineRun largest = run(what, seed, 0, 1);
    for (const int window : {1, 16, 64}) {
      INFO("seed " << seed << ", window " << window);
      CHECK(parted(largest, run(what, seed, window, 1)) == "");
    }
  }
}

TEST_CASE("any number of host threads gives the same issues and counters") {
  for (std::uint64_t seed = 3101; seed <= 3130; ++seed) {
    const RandomCase what = random_case(seed);
    const EngineRun one = run(what, seed, 0, 1);
    for (const int threads : {2, 4}) {
      INFO("seed " << seed << ", threads " << threads);
      CHECK(parted(one, run(what, seed, 0, threads)) == "");
    }
  }
}

TEST_CASE("the same seed gives the same run, another seed another one") {
  int different = 0;
  for (std::uint64_t seed = 3201; seed <= 3230; ++seed) {
    RandomCase what = random_case(seed);
    const EngineRun first = run(what, seed, 0, 1);
    CHECK(parted(first, run(what, seed, 0, 1)) == "");
    what.kernel.launch.seed += 1;
    different += parted(first, run(what, seed, 0, 1)).empty() ? 0 : 1;
  }
  CHECK(different > 15);
}
