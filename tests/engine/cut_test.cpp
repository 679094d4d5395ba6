// Runs that are cut short: the books are right up to the last cycle.
#include "tests/catch.hpp"
#include "tests/engine/compare.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("cut anywhere, the counters are those of the oracle cut there") {
  const std::vector<std::string> policies = policy_names();
  for (std::uint64_t seed = 4001; seed <= 4060; ++seed) {
    const RandomCase what = random_case(seed);
    SimulateOptions options;
    options.scheduler = policies[seed % policies.size()];
    for (Cycle cut = 1; cut < 2500; cut += 1 + cut / 3) {
      options.max_cycles = cut;
      INFO("seed " << seed << ", policy " << options.scheduler << ", cut at " << cut);
      const EngineRun engine = run_engine(what, options);
      const OracleRun oracle = run_oracle(what, options.scheduler, cut);
      CHECK(difference(engine.issues, oracle.issues) == "");
      CHECK(difference(engine.counters, oracle.counters) == "");
    }
  }
}

TEST_CASE("every resident warp is in exactly one state in every cycle") {
  for (std::uint64_t seed = 4101; seed <= 4200; ++seed) {
    const RandomCase what = random_case(seed);
    SimulateOptions options;
    options.scheduler = "gob";
    options.max_cycles = 100 * (seed % 20) + 37;
    const EngineRun run = run_engine(what, options);
    for (const SmCounters& sm : run.counters.sm) {
      for (const SubPartitionCounters& sub : sm.sub) {
        std::uint64_t states = 0;
        for (const std::uint64_t cycles : sub.state) states += cycles;
        INFO("seed " << seed);
        CHECK(states == sub.warps_active);
        CHECK(sub.state[static_cast<std::size_t>(WarpState::selected)] == sub.issued);
      }
    }
  }
}
