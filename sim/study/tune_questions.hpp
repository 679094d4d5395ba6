// Occupancy asked the other way round, about the best configuration.
#pragma once

#include <vector>

#include "sim/study/tune_runner.hpp"

namespace smsim {

/// The fewest registers to free for the next block and what it would bring (simulated), how many
/// registers and how much shared memory a thread or a block may have more at no loss of a block,
/// and how far an axis can rise at none.
std::vector<TuneQuestion> inverse_questions(const TunePlan& plan, TuneRunner& runner,
                                            const TunePoint& best);

}  // namespace smsim
