// The kernels that come with smsim, and the examples of the language's documentation.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "smsim/gpu_file.hpp"
#include "smsim/kernel_file.hpp"
#include "tests/catch.hpp"
#include "tests/config/kernel_test_support.hpp"
#include "tests/kernel/hazard_checker.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const std::string kKernels = std::string(SMSIM_SOURCE_DIR) + "/configs/kernels/";

std::string text_of(const std::string& path) {
  std::ifstream input(path);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

std::string all_of(const Diagnostics& problems) {
  std::string all;
  for (const Diagnostic& problem : problems.all()) {
    all += to_string(problem) + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("there are two dozen kernels and more, each with its name and a comment") {
  CHECK(kernel_names().size() >= 24);
  for (const std::string& name : kernel_names()) {
    const std::string text = text_of(kKernels + name + ".yaml");
    INFO(name);
    CHECK(text.rfind("# ", 0) == 0);
    CHECK(text.find("\nname: " + name + "\n") != std::string::npos);
  }
}

TEST_CASE("every kernel assembles without a hazard, on every generation of GPU") {
  for (const char* gpu_name : {"v100", "t4", "a100", "rtx4090", "h200", "b200", "rtx5090"}) {
    const GpuSpec gpu = load_gpu(gpu_name).spec;
    for (const std::string& name : kernel_names()) {
      const bool needs_clusters = name == "cluster_exchange" || name == "producer_consumer";
      const bool needs_async = name == "async_copy_pipeline";
      if ((needs_clusters && gpu.compute_capability.major < 9) ||
          (needs_async && gpu.compute_capability.major < 8)) {
        continue;
      }
      Diagnostics problems;
      const std::string path = kKernels + name + ".yaml";
      const auto source = read_kernel_text(text_of(path), path, {}, gpu, problems);
      INFO(name << " on " << gpu_name << "\n" << all_of(problems));
      REQUIRE(source);
      std::vector<SourceProblem> found;
      const auto assembly = assemble(*source, gpu, found);
      INFO((found.empty() ? "" : found.front().message));
      REQUIRE(assembly);
      CHECK(find_hazard(*assembly, gpu, 2, 1) == "");
    }
  }
}

TEST_CASE("saxpy by name: the launch that was profiled") {
  const KernelSpec kernel = load_kernel("saxpy", {}, load_gpu("h200").spec);
  CHECK(kernel.launch.grid.x == 262144);
  CHECK(kernel.launch.block.x == 256);
  CHECK(kernel.launch.registers == 16);
  CHECK(kernel.program.code.size() == 19);
  CHECK_THROWS_AS(load_kernel("saxpi", {}, load_gpu("h200").spec), InputError);
}

TEST_CASE("every example of the documentation loads") {
  const std::string document = text_of(std::string(SMSIM_SOURCE_DIR) + "/configs/README.md");
  const GpuSpec gpu = load_gpu("h200").spec;
  int examples = 0;
  for (std::size_t at = document.find("```yaml\n"); at != std::string::npos;
       at = document.find("```yaml\n", at)) {
    at += 8;
    const std::string example = document.substr(at, document.find("```", at) - at);
    at = document.find("```", at) + 3;
    // A whole file, or statements to be put into one that declares a little of everything.
    const std::string text =
        example.find("launch:") != std::string::npos
            ? example
            : "params: {n: 4096, block: 128, tile: 16, width: 64, height: 64}\n"
              "launch: {grid: 32, block: 128, cluster: 2}\n"
              "arrays: {X: 4 * n, Y: 4 * n, TABLE: {bytes: 1 * MiB, reuse: random},\n"
              "         BINS: {bytes: 1024, reuse: random}, s: {space: shared, bytes: 2048}}\n"
              "scalars: [a, b]\n"
              "tasks: {count: 1000, work: {distribution: exponential, mean: 8}}\n"
              "flags: {ready: 32}\ncounters: {done: launch.grid}\n"
              "mbarriers: {full: 1, empty: {arrivals: 3, open: 2}}\n"
              "program:\n  - x: {op: MOV, src: 0}\n  - y: {op: MOV, src: 0}\n" +
                  example;
    Diagnostics problems;
    const auto kernel = load_kernel_text(text, "example.yaml", {}, gpu, problems);
    INFO(text << "\n" << all_of(problems));
    CHECK(kernel);
    ++examples;
  }
  CHECK(examples >= 20);
}
