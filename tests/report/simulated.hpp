// Small kernels, simulated with a timeline.
#pragma once

#include <string>

#include "sim/config/kernel_file.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/report.hpp"
#include "smsim/simulate.hpp"
#include "tests/catch.hpp"

namespace smsim::test {

struct Simulated {
  RunSources sources;
  SimulationResult run;
  Result result;
};

/// On an H200 with a few SMs: what the tests look at shows there as well.
inline Simulated simulated(const std::string& yaml, TimelineOptions timeline = {}, int sms = 2) {
  LoadedGpu gpu = load_gpu("h200");
  gpu.spec.topology.sms = sms;
  Diagnostics problems;
  auto kernel = load_kernel_text(yaml, "test.yaml", {}, gpu.spec, problems);
  problems.throw_if_any();
  REQUIRE(kernel);
  SimulateOptions options;
  options.count_instructions = true;
  options.timeline = timeline;
  Simulated out;
  out.sources = {gpu, *kernel, "test.yaml", yaml, {}};
  out.run = simulate(gpu.spec, *kernel, options);
  out.result = make_result(gpu.spec, *kernel, out.run);
  REQUIRE(out.result.timeline);
  return out;
}

inline const char* const kLoadAndAdd =
    "name: load_and_add\n"
    "launch: {grid: 6, block: 64, smem_dynamic: 100000}\n"
    "arrays: {X: 4 * 384, Y: 4 * 384}\n"
    "program:\n"
    "  - x: {op: LDG, array: X, index: i}\n"
    "  - y: {op: FADD, src: [x, x]}\n"
    "  - barrier:\n"
    "  - {op: STG, array: Y, index: i, src: y}\n";

}  // namespace smsim::test
