// smsim occupancy --batch: one kernel per CSV row.
#pragma once

#include <istream>
#include <string>

#include "smsim/occupancy.hpp"

namespace smsim::cli {

/// Answers every row of `input` (named `name` in messages). Returns the whole output; throws
/// InputError with every bad row when there is one.
std::string occupancy_batch(std::istream& input, const std::string& name);

/// The columns that --batch adds, and one kernel's values for them.
std::string occupancy_csv_heading();
std::string occupancy_csv_values(const Occupancy& result);

}  // namespace smsim::cli
