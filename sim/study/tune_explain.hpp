// Why more resident warps did not make a kernel faster.
#pragma once

#include <string>
#include <vector>

#include "smsim/tune.hpp"

namespace smsim {

/// What speaks against `occupied`, which holds more warps than the fastest configuration `best` and
/// takes longer: sentences, what weighs most first. Both have results.
std::vector<std::string> why_slower(const TunePoint& occupied, const TunePoint& best);

}  // namespace smsim
