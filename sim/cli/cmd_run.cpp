// smsim run: simulates kernels, one after the other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/cli/commands.hpp"
#include "sim/cli/gpu_for_run.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/progress_bar.hpp"
#include "sim/cli/run_options.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/config/kernel_file.hpp"
#include "sim/import/trace_kernel.hpp"
#include "smsim/report.hpp"
#include "smsim/simulate.hpp"

namespace smsim::cli {
namespace {

constexpr std::size_t kMostShownBytes = 64 * 1024;  // of a kernel file, in a report

// All problems of all files at once, before anything runs.
std::vector<KernelSpec> load_kernels(const RunOptions& options, const GpuSpec& gpu) {
  std::vector<KernelSpec> kernels;
  std::vector<Diagnostic> found;
  for (const std::string& file : options.files) {
    Diagnostics problems;
    std::optional<KernelSpec> kernel = load_kernel(file, options.overrides, gpu, problems);
    try {
      problems.throw_if_any();
      if (kernel) attach_trace_file(*kernel, gpu);
    } catch (const InputError& error) {
      found.insert(found.end(), error.diagnostics().begin(), error.diagnostics().end());
      continue;
    }
    if (!kernel) {
      throw std::logic_error(file + " was refused without a reason");
    }
    if (options.seed) {
      kernel->launch.seed = *options.seed;
    }
    kernels.push_back(std::move(*kernel));
  }
  if (!found.empty()) {
    throw InputError(found);
  }
  return kernels;
}

void check([[maybe_unused]] const Counters& counters, [[maybe_unused]] const Result& result) {
#ifndef NDEBUG
  const std::vector<std::string> violations = check_identities(counters, result);
  if (!violations.empty()) {
    throw std::logic_error(result.kernel + ": " + violations.front());
  }
#endif
}

Result run_one(const KernelSpec& kernel, const RunOptions& options) {
  const LoadedGpu& gpu = options.gpu.gpu;
  ProgressBar bar(kernel.name);
  SimulateOptions how;
  how.scheduler = options.scheduler;
  how.threads = options.threads;
  how.max_cycles = options.max_cycles;
  how.count_instructions = true;  // the verdict's latency bound and the roofline need them
  how.interrupt = &InterruptGuard::flag();
  how.timeline = timeline_options(options.views, gpu.spec, kernel);
  if (bar.visible()) {
    how.progress = [&bar](std::uint64_t done, std::uint64_t blocks, std::uint64_t cycle) {
      bar.update(done, blocks, cycle);
    };
  }
  const SimulationResult run = simulate(gpu.spec, kernel, how);
  Result result = make_result(gpu.spec, kernel, run);
  check(run.counters, result);
  result.notes.insert(result.notes.end(), options.gpu.notes.begin(), options.gpu.notes.end());
  const std::string unmeasured = unmeasured_note(options.gpu, kernel, run.counters);
  if (!unmeasured.empty()) {
    result.notes.push_back(unmeasured);
  }
  return result;
}

ExitCode exit_code(Status status) {
  switch (status) {
    case Status::deadlock:
    case Status::launch_failure:
      return kNoProgress;
    case Status::interrupted:
      return kInterrupted;
    case Status::completed:
    case Status::max_cycles:
      break;
  }
  return kDone;
}

// The kernels' files as they stand; long ones (imported programs) are only named.
std::vector<RunSources> sources_of(const std::vector<KernelSpec>& kernels,
                                   const RunOptions& options) {
  std::vector<RunSources> sources;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    sources.push_back({options.gpu.gpu, kernels[i], options.files[i],
                       kernel_text(options.files[i], kMostShownBytes), options.overrides});
  }
  return sources;
}

void print(const std::vector<Result>& results, const std::vector<RunSources>& sources,
           const RunOptions& options) {
  if (options.format == "json" && options.views.timeline) {
    std::vector<std::string> documents;
    for (std::size_t i = 0; i < results.size(); ++i) {
      documents.push_back(json_document(results[i], sources[i]));
    }
    const bool several = options.files.size() > 1;
    fmt::print("{}{}{}", several ? "[" : "", fmt::join(documents, ","), several ? "]\n" : "");
  } else if (options.format == "json") {
    const bool several = options.files.size() > 1;
    fmt::print("{}", json_report(results, options.report, several));
  } else if (options.format == "csv") {
    fmt::print("{}", csv_report(results));
  }
}

}  // namespace

int run_run(const Arguments& arguments) {
  const std::optional<RunOptions> options = read_run_options(arguments);
  if (!options) {
    return kDone;
  }
  const std::vector<KernelSpec> kernels = load_kernels(*options, options->gpu.gpu.spec);
  check_distinct({options->views.html, options->views.perfetto, options->views.konata});
  for (const std::string& output :
       {options->views.html, options->views.perfetto, options->views.konata}) {
    if (output.empty()) continue;
    check_output(output, options->files);
    if (std::filesystem::is_directory(output)) {
      throw InputError(output + ": found a folder as the output, expected a file");
    }
  }
  const InterruptGuard guard;
  std::vector<Result> results;
  int code = kDone;
  for (const KernelSpec& kernel : kernels) {
    results.push_back(run_one(kernel, *options));
    const Result& result = results.back();
    const bool only_why = !options->views.why.empty() && result.timeline;
    if (options->format == "text" && !only_why) {
      fmt::print("{}{}", results.size() > 1 ? "\n" : "", text_report(result, options->report));
      if (options->views.timeline && result.timeline) {
        fmt::print("{}", timeline_text(result, options->views.view));
      }
      std::fflush(stdout);
    }
    code = std::max<int>(code, exit_code(result.status));
    if (result.status == Status::interrupted) {
      break;
    }
  }
  if (!options->views.wanted()) {
    print(results, {}, *options);
    return code;
  }
  const std::vector<RunSources> sources = sources_of(kernels, *options);
  print(results, sources, *options);
  show_views(options->views, results, sources);
  return code;
}

}  // namespace smsim::cli
