// How long the program would take one warp that has the machine to itself, with every memory access
// served from the nearest place it was ever served from.
//
// The program is cut where control can turn. Inside such a piece the control codes fix the least
// distance between two issues: stall counts, and for scoreboards the unloaded latency of the
// producer. No real run of the piece is shorter, so counts of pieces give lower bounds on warp
// lifetimes.
#pragma once

#include "sim/metrics/metric_definition.hpp"

namespace smsim {

struct UnloadedPath {
  double total = 0;     // warp-cycles that all issued instructions need at least
  double memory = 0;    // part of it that waits for global memory
  double barriers = 0;  // part of it that is spent passing barriers
};

UnloadedPath unloaded_path(const MetricInputs& inputs);

}  // namespace smsim
