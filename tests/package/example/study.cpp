// Which block size is best for a kernel on a GPU? Asked twice: by a loop over simulations, and by a
// study that is kept in a database and goes on where it was interrupted.
//   study KERNEL.yaml GPU DATABASE
#include <fstream>
#include <iostream>
#include <smsim/diagnostic.hpp>
#include <smsim/gpu_file.hpp>
#include <smsim/kernel_file.hpp>
#include <smsim/result.hpp>
#include <smsim/simulate.hpp>
#include <smsim/sweep.hpp>

namespace {

double cycles_of(const smsim::GpuSpec& gpu, const std::string& file, int block) {
  const smsim::KernelSpec kernel =
      smsim::load_kernel(file, {"params.block=" + std::to_string(block)}, gpu);
  const smsim::Result result = smsim::make_result(gpu, kernel, smsim::simulate(gpu, kernel));
  return result.value("gpc__cycles_elapsed.max").value_or(0);
}

void ask_by_hand(const std::string& kernel, const std::string& gpu_name) {
  const smsim::GpuSpec gpu = smsim::load_gpu(gpu_name).spec;
  for (const int block : {64, 128, 256, 512}) {
    std::cout << "block " << block << ": " << cycles_of(gpu, kernel, block) << " cycles\n";
  }
}

void ask_by_study(const std::string& kernel, const std::string& gpu, const std::string& database) {
  const std::string study = database + ".yaml";
  std::ofstream(study) << "kernel: " << kernel << "\ngpu: " << gpu
                       << "\naxes: {params.block: [64, 128, 256, 512]}\n";
  smsim::SweepOptions options;
  options.database = database;
  options.threads = 2;
  const smsim::SweepOutcome outcome = smsim::sweep(study, options);
  std::cout << outcome.points << " points, " << outcome.simulated << " simulated now, "
            << outcome.kept << " kept: " << database << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: study KERNEL.yaml GPU DATABASE\n";
    return 2;
  }
  try {
    ask_by_hand(argv[1], argv[2]);
    ask_by_study(argv[1], argv[2], argv[3]);
  } catch (const smsim::InputError& error) {
    for (const smsim::Diagnostic& one : error.diagnostics()) {
      std::cerr << smsim::to_string(one) << "\n";
    }
    return 2;
  }
  return 0;
}
