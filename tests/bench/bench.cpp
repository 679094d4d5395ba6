// How fast the engine is: six kernels, one and two host threads, metrics on. Run by hand on a quiet
// machine:
//   bench              the whole table, best of three runs each
//   bench NAME [N]     one kernel, once, with N threads (for a profiler; see instructions.sh)
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "smsim/gpu_file.hpp"
#include "smsim/kernel_file.hpp"
#include "smsim/simulate.hpp"

namespace {

struct Case {
  std::string name;                // of configs/kernels
  std::vector<std::string> large;  // sizes that run for about a second
  std::vector<std::string> small;  // for a profiler that is a hundred times slower
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases{
      {"fma_dependent",
       {"params.steps=16384", "params.block=512", "params.blocks_per_sm=4"},
       {"params.steps=1024", "params.block=512", "params.blocks_per_sm=1"}},
      {"fma_ilp8", {"params.rounds=512"}, {"params.rounds=32"}},
      {"saxpy", {}, {"params.n=4194304"}},
      {"block_reduce", {"params.n=33554432"}, {"params.n=2097152"}},
      {"sgemm_register_tiled", {"params.n=1024"}, {"params.n=256"}},
      {"persistent_queue", {"params.tasks=65536"}, {"params.tasks=4096"}},
  };
  return kCases;
}

struct Run {
  double seconds = 0;
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
};

smsim::KernelSpec load(const Case& which, const std::vector<std::string>& sizes,
                       const smsim::GpuSpec& gpu) {
  return smsim::load_kernel(which.name, sizes, gpu);
}

Run run(const smsim::GpuSpec& gpu, const smsim::KernelSpec& kernel, int threads) {
  smsim::SimulateOptions options;
  options.threads = threads;
  const auto start = std::chrono::steady_clock::now();
  const smsim::SimulationResult result = smsim::simulate(gpu, kernel, options);
  Run run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.cycles = result.counters.elapsed_cycles;
  for (const auto& sm : result.counters.sm) {
    for (const auto& sub : sm.sub) run.instructions += sub.issued;
  }
  return run;
}

Run best(const smsim::GpuSpec& gpu, const smsim::KernelSpec& kernel, int threads) {
  Run best = run(gpu, kernel, threads);
  for (int i = 0; i < 2; ++i) {
    const Run again = run(gpu, kernel, threads);
    if (again.seconds < best.seconds) best = again;
  }
  return best;
}

void print_row(const Case& which, const smsim::GpuSpec& gpu) {
  const smsim::KernelSpec kernel = load(which, which.large, gpu);
  const Run one = best(gpu, kernel, 1);
  const Run two = best(gpu, kernel, 2);
  const double rate = static_cast<double>(one.instructions) / one.seconds / 1e6;
  std::cout << fmt::format("{:<20} {:>12} {:>10} {:>9.1f} {:>12.1f} {:>9.2f}\n", which.name,
                           one.instructions, one.cycles, rate,
                           static_cast<double>(one.cycles) * gpu.topology.sms / one.seconds / 1e6,
                           one.seconds / two.seconds)
            << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
  const smsim::GpuSpec gpu = smsim::load_gpu("h200").spec;
  if (argc > 1) {
    for (const Case& which : cases()) {
      if (which.name != argv[1]) continue;
      const Run once = run(gpu, load(which, which.small, gpu), argc > 2 ? std::stoi(argv[2]) : 1);
      std::cout << once.instructions << "\n";
      return 0;
    }
    std::cerr << fmt::format("found unknown kernel '{}', expected one of:\n", argv[1]);
    for (const Case& which : cases()) std::cerr << "  " << which.name << "\n";
    return 2;
  }
  std::cout << "kernel               instructions     cycles  M inst/s  M SM-cyc/s  2 threads\n";
  for (const Case& which : cases()) print_row(which, gpu);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << fmt::format("peak memory {:.1f} MB\n", static_cast<double>(usage.ru_maxrss) / 1024);
  return 0;
}
