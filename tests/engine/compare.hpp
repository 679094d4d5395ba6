// Runs a kernel on the engine or on the oracle, with everything recorded, and says where they part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "smsim/simulate.hpp"
#include "tests/engine/oracle.hpp"
#include "tests/engine/random_program.hpp"

namespace smsim::test {

struct EngineRun {
  Status status = Status::completed;
  Counters counters;
  std::optional<Timeline> timeline;  // when asked for
  std::vector<Issue> issues;         // by SM, sub-partition and cycle
};

EngineRun run_engine(const RandomCase& what, SimulateOptions options);
OracleRun run_oracle(const RandomCase& what, const std::string& policy, Cycle max_cycles,
                     std::vector<WarpCycle>* log = nullptr);

// The first difference in words; "" when there is none.
std::string difference(const std::vector<Issue>& engine, const std::vector<Issue>& oracle);
std::string difference(const Counters& engine, const Counters& oracle);

std::vector<std::string> policy_names();

}  // namespace smsim::test
