// The Pareto front of cycles and occupancy, as a table.
#pragma once

#include <string>

#include "sim/report/text_writer.hpp"
#include "smsim/tune.hpp"

namespace smsim {

/// A row with bars for every point of the front; nothing without a best point.
void write_front(TextWriter& out, const TuneOutcome& outcome);

/// "params.block=128, launch.registers=32"
std::string in_words(const TunePoint& point);

}  // namespace smsim
