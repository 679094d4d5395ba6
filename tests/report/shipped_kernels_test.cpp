// Identities and bounds on the beginning of every kernel that ships, and a report of each.
#include <algorithm>
#include <filesystem>

#include "sim/config/kernel_file.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/report.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(SMSIM_SOURCE_DIR "/configs/kernels")) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("identities hold on every shipped kernel, on two GPUs") {
  for (const char* name : {"h200", "rtx4090"}) {
    const GpuSpec gpu = load_gpu(name).spec;
    int refused = 0;
    for (const std::string& file : shipped()) {
      INFO(name << ": " << file);
      Diagnostics problems;
      const auto kernel = load_kernel(file, {}, gpu, problems);
      if (!kernel) {  // needs what this GPU has not
        CHECK(std::string(name) == "rtx4090");
        ++refused;
        continue;
      }
      SimulateOptions options;
      options.max_cycles = 6000;
      options.count_instructions = true;
      const SimulationResult run = simulate(gpu, *kernel, options);
      const Result result = make_result(gpu, *kernel, run);
      CHECK(check_identities(run.counters, result) == std::vector<std::string>{});
      CHECK(text_report(result).size() > 1000);
    }
    CHECK(refused <= 2);  // clusters
  }
}
