// Identities and bounds on real runs: small random kernels on random machines.
#include "tests/catch.hpp"
#include "tests/metrics/random_kernel.hpp"

using namespace smsim;

namespace {

std::vector<std::string> violations(const GpuSpec& gpu, const KernelSpec& kernel,
                                    SimulateOptions options) {
  options.count_instructions = true;
  const SimulationResult run = simulate(gpu, kernel, options);
  return check_identities(run.counters, make_result(gpu, kernel, run));
}

}  // namespace

TEST_CASE("identities hold and no bound exceeds the cycles, on 400 random kernels") {
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    test::RandomKernel random(seed);
    const GpuSpec gpu = random.gpu();
    const KernelSpec kernel = random.kernel();
    INFO("seed " << seed);
    CHECK(violations(gpu, kernel, {}) == std::vector<std::string>{});
  }
}

TEST_CASE("the same where the run is cut short") {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    test::RandomKernel random(seed);
    const GpuSpec gpu = random.gpu();
    const KernelSpec kernel = random.kernel();
    SimulateOptions options;
    options.max_cycles = 200 + 37 * seed;
    INFO("seed " << seed);
    CHECK(violations(gpu, kernel, options) == std::vector<std::string>{});
  }
}
