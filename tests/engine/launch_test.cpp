// Launches that NVIDIA's driver would refuse are results; programs that make no sense are errors.
#include "smsim/gpu_file.hpp"
#include "smsim/simulate.hpp"
#include "tests/catch.hpp"
#include "tests/engine/program_builder.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

KernelSpec small_kernel() {
  ProgramBuilder program;
  program.add(ProgramBuilder::op(Pipe::fma, 4));
  program.exit();
  KernelSpec kernel = kernel_of(program, 4, 128);
  kernel.launch.barriers = 1;
  return kernel;
}

std::string refused_for(const LaunchSpec& launch) {
  KernelSpec kernel = small_kernel();
  kernel.launch = launch;
  const SimulationResult result = simulate(load_gpu("h200").spec, kernel);
  if (result.status != Status::launch_failure) return "";
  REQUIRE(result.launch_failure.has_value());
  CHECK(result.launch_failure->explanation != "");
  CHECK(result.counters.sm.empty());
  return result.launch_failure->resource;
}

}  // namespace

TEST_CASE("a launch that fits runs") {
  const KernelSpec kernel = small_kernel();
  CHECK(refused_for(kernel.launch) == "");
  const SimulationResult result = simulate(load_gpu("h200").spec, kernel);
  CHECK(result.status == Status::completed);
  CHECK(result.counters.blocks_done == 4);
}

TEST_CASE("launch failures are results") {
  LaunchSpec launch = small_kernel().launch;
  SECTION("too many registers for the block") {
    launch.block.x = 1024;
    launch.registers = 128;
    CHECK(refused_for(launch) == "registers");
  }
  SECTION("too much shared memory") {
    launch.smem_dynamic_bytes = 300000;
    CHECK(refused_for(launch) == "shared_mem");
  }
  SECTION("too many threads") {
    launch.block.x = 1025;
    CHECK(refused_for(launch) == "threads");
  }
  SECTION("a cooperative grid that is not resident at once") {
    launch.grid.x = 100000;
    launch.cooperative = true;
    CHECK(refused_for(launch) == "cooperative");
  }
}

TEST_CASE("inputs that make no sense are errors") {
  const GpuSpec gpu = load_gpu("h200").spec;
  KernelSpec kernel = small_kernel();
  SECTION("an unknown policy") {
    SimulateOptions options;
    options.scheduler = "fastest";
    CHECK_THROWS_AS(simulate(gpu, kernel, options), std::invalid_argument);
  }
  SECTION("a jump out of the program") {
    kernel.program.code[0].flow = Flow::jump;
    kernel.program.code[0].flow_operand = 99;
    CHECK_THROWS_AS(simulate(gpu, kernel), std::invalid_argument);
  }
  SECTION("a program that runs off its end") {
    kernel.program.code.pop_back();
    CHECK_THROWS_AS(simulate(gpu, kernel), std::invalid_argument);
  }
  SECTION("an empty grid") {
    kernel.launch.grid.x = 0;
    CHECK_THROWS_AS(simulate(gpu, kernel), std::invalid_argument);
  }
}
