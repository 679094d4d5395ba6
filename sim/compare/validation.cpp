#include "sim/compare/validation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <stdexcept>
#include <thread>

#include "sim/config/kernel_file.hpp"
#include "sim/import/kernel_writer.hpp"
#include "sim/import/ncu_kernel.hpp"
#include "sim/import/ncu_select.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/result.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

namespace {

// Clocks move with temperature and power, so they are the run's, not the model's. Very short
// kernels are timed coarsely: a clock far from the GPU's own is not believed.
constexpr double kPlausibleClock = 0.5;

double run_clock_mhz(const NcuLaunch& launch, const char* metric, double nominal_mhz) {
  const double mhz = launch.number(metric).value_or(0) / 1e6;
  const bool plausible = mhz > kPlausibleClock * nominal_mhz && mhz < nominal_mhz * 1.01;
  return plausible ? mhz : nominal_mhz;
}

void set_clocks(GpuSpec& gpu, const NcuLaunch& launch) {
  gpu.clocks.sm_mhz =
      run_clock_mhz(launch, "gpc__cycles_elapsed.avg.per_second", gpu.clocks.sm_mhz);
  if (gpu.clocks.memory_mhz > 0) {
    const double memory_mhz =
        run_clock_mhz(launch, "dram__cycles_elapsed.avg.per_second", gpu.clocks.memory_mhz);
    gpu.dram.bandwidth_gbps *= memory_mhz / gpu.clocks.memory_mhz;
    gpu.clocks.memory_mhz = memory_mhz;
  }
}

// A measurement of another GPU would pass for a very wrong prediction.
void check_device(const NcuLaunch& launch, const ImportedKernel& imported, const GpuSpec& gpu) {
  const std::string expected =
      fmt::format("sm_{}{}", gpu.compute_capability.major, gpu.compute_capability.minor);
  if (!imported.architecture.empty() && imported.architecture != expected) {
    throw InputError(fmt::format("found a launch on {} ({}), expected one on {} ({})",
                                 launch.device.empty() ? "a GPU" : launch.device,
                                 imported.architecture, gpu.name, expected));
  }
}

KernelSpec load_imported(const ImportedKernel& imported, const GpuSpec& gpu) {
  Diagnostics problems;
  std::optional<KernelSpec> kernel =
      load_kernel_text(kernel_file_text(imported, ""), imported.name, {}, gpu, problems);
  problems.throw_if_any();
  if (!kernel) {
    throw std::logic_error(imported.name + " was refused without a reason");
  }
  return std::move(*kernel);
}

// Loaded once, before anything runs: a file that changes meanwhile would make two models of one
// validation.
using Gpus = std::map<std::string, GpuSpec>;

Gpus load_gpus(const std::vector<Reference>& references) {
  Gpus gpus;
  for (const Reference& reference : references) {
    if (gpus.count(reference.gpu) == 0) {
      gpus[reference.gpu] = load_gpu(reference.gpu).spec;
    }
  }
  return gpus;
}

Comparison predict(const Reference& reference, const Gpus& gpus, const ValidateOptions& options) {
  std::vector<const char*> missing;
  if (reference.raw.empty()) missing.push_back("raw.csv");
  if (reference.source.empty()) missing.push_back("source.csv");
  if (!missing.empty()) {
    throw InputError(fmt::format("found no {}, expected one (it may be compressed)",
                                 fmt::join(missing, " and no ")));
  }
  const NcuProfile profile = read_ncu_profile(reference.raw, reference.source, reference.sass);
  const SelectedLaunch selected = select_one_launch(profile, {reference.launch, ""});
  const NcuLaunch& launch = profile.launches[selected.launch];
  const SassFunction* function =
      selected.function ? &profile.functions[*selected.function] : nullptr;
  const ImportedKernel imported = import_launch(launch, profile.blocks[selected.block], function);
  GpuSpec gpu = gpus.at(reference.gpu);
  check_device(launch, imported, gpu);
  set_clocks(gpu, launch);
  if (options.change_gpu) {
    options.change_gpu(gpu);
  }
  const KernelSpec kernel = load_imported(imported, gpu);
  SimulateOptions how;
  how.interrupt = options.interrupt;
  const Result result = make_result(gpu, kernel, simulate(gpu, kernel, how));
  return compare(prediction_of(result), profile.raw_file, launch);
}

ValidatedReference validate_one(const Reference& reference, const Gpus& gpus,
                                const ValidateOptions& options) {
  ValidatedReference validated;
  validated.reference = reference;
  try {
    validated.comparison = predict(reference, gpus, options);
    validated.status = validated.comparison->status;
  } catch (const InputError& error) {
    validated.status = "import_failed";
    validated.failure = error.what();
  }
  return validated;
}

}  // namespace

std::vector<ValidatedReference> validate(const std::vector<Reference>& references,
                                         const ValidateOptions& options) {
  const Gpus gpus = load_gpus(references);
  std::vector<ValidatedReference> all(references.size());
  std::vector<std::exception_ptr> faults(references.size());
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  const auto work = [&](bool reports) {
    for (std::size_t i = next++; i < references.size(); i = next++) {
      if (options.interrupt != nullptr && options.interrupt->load()) {
        return;
      }
      try {
        all[i] = validate_one(references[i], gpus, options);
      } catch (...) {
        faults[i] = std::current_exception();
      }
      ++done;
      if (reports && options.progress) {
        options.progress(done, references.size());
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int i = 1; i < options.threads; ++i) {
      helpers.emplace_back(work, false);
    }
    work(true);
  }
  for (const std::exception_ptr& fault : faults) {
    if (fault) {
      std::rethrow_exception(fault);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].status.empty()) {  // not begun
      all[i] = {references[i], "interrupted", "", std::nullopt};
    }
  }
  return all;
}

}  // namespace smsim
