// A random kernel that always ends: every kind of instruction and every kind of synchronisation,
// in patterns that cannot deadlock.
#pragma once

#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim::test {

struct RandomCase {
  GpuSpec gpu;
  KernelSpec kernel;
  int smem_pool_bytes = 0;
};

// The same for the same seed.
RandomCase random_case(std::uint64_t seed);

}  // namespace smsim::test
