// The one list of warp-scheduling policies. To add one: write its file beside these and name it
// here; the command line, the help, the tests and `smsim schedulers` follow from the list.
#pragma once

#include <tuple>

#include "sim/engine/policy/cggty.hpp"
#include "sim/engine/policy/gob.hpp"
#include "sim/engine/policy/gto.hpp"
#include "sim/engine/policy/lrr.hpp"
#include "sim/engine/policy/oldest.hpp"
#include "sim/engine/policy/two_level.hpp"
#include "sim/engine/policy/youngest.hpp"

namespace smsim::engine {

using Policies = std::tuple<LooseRoundRobin, GreedyThenOldest, Oldest, Youngest, TwoLevel,
                            GreedyThenYoungest, GreedyThenOldestBlock>;

}  // namespace smsim::engine
