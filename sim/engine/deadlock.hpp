// Explains a program that can make no progress: who waits for whom, down to block, warp and
// instruction.
#pragma once

#include "sim/engine/gpu.hpp"
#include "smsim/simulate.hpp"

namespace smsim::engine {

Deadlock diagnose(const Gpu& gpu);

}  // namespace smsim::engine
