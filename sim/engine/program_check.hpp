// Refuses programs that the engine could not walk: a fault of the front end that made them.
#pragma once

#include "smsim/kernel_spec.hpp"

namespace smsim::engine {

// Throws std::invalid_argument naming the first instruction or table entry that is wrong.
void check_program(const KernelSpec& kernel);

}  // namespace smsim::engine
