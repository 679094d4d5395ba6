// A small random GPU: all figures that the engine reads, small ones among them.
#pragma once

#include "smsim/gpu_spec.hpp"
#include "tests/engine/random_source.hpp"

namespace smsim::test {

GpuSpec random_machine(RandomSource& random);

}  // namespace smsim::test
