#include "sim/cli/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "sim/cli/command_line.hpp"
#include "sim/config/kernel_overrides.hpp"
#include "smsim/simulate.hpp"

namespace smsim::cli {
namespace {

constexpr std::size_t kMostFiles = 10000;
constexpr std::int64_t kMostCycles = 1'000'000'000'000'000;
constexpr int kMostThreads = 1024;
constexpr int kMostDefaultThreads = 4;  // more gain little on the windows of one kernel

int default_threads() {
  const auto hardware = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(hardware, 1, kMostDefaultThreads);
}

CommandLine make_line() {
  CommandLine line(
      "run NAME|FILE... [options]",
      "Simulates kernels, one after the other, and reports what Nsight Compute would. A NAME is "
      "one of configs/kernels: saxpy, softmax_rows, sgemm_tiled, ...\n"
      "Exit code: 0 done; 2 bad input; 3 a kernel deadlocks or cannot be launched; 130 "
      "interrupted.",
      "  smsim run saxpy\n"
      "  smsim run saxpy --gpu a100 --set launch.block=128\n"
      "  smsim run a.yaml b.yaml --format csv > both.csv\n"
      "  smsim run my/gemm.yaml --scheduler gto --instructions\n"
      "  smsim run saxpy --timeline --window 0:2000 --sub all\n"
      "  smsim run saxpy --why 0.3@900\n");
  line.inputs(kMostFiles)
      .value("gpu", "NAME|FILE", "GPU (default h200); 'smsim gpus' lists them")
      .value("scheduler", "P", "warp-scheduling policy; 'smsim schedulers' lists them")
      .value("set", "PATH=VALUE", "change a value of the kernels (params.n=4096)")
      .value("seed", "N", "seed of everything random, instead of the kernel's")
      .value("threads", "N", "host threads; they never change a result")
      .value("max-cycles", "N", "end the simulation after this many cycles")
      .value("format", "F", "text (default), json or csv")
      .flag("explain", "print the definition of every metric")
      .flag("per-sm", "print every SM and its schedulers (text, json)")
      .flag("instructions", "print the hottest instructions (text, json)");
  add_view_options(line);
  return line;
}

// A wrong name is one problem among the others; a broken file has places of its own.
void read_gpu(CommandLine& line, RunOptions& options) {
  try {
    options.gpu = load_gpu_for_run(line.text("gpu", "h200"));
  } catch (const InputError& error) {
    for (const Diagnostic& d : error.diagnostics()) {
      if (!d.file.empty()) {
        throw;
      }
      line.problem("--gpu: " + d.message);
    }
  }
}

}  // namespace

std::optional<RunOptions> read_run_options(const Arguments& arguments) {
  CommandLine line = make_line();
  if (!line.parse(arguments)) {
    return std::nullopt;
  }
  RunOptions options;
  options.files = line.inputs();
  if (options.files.empty()) {
    line.problem("found no kernel, expected NAME|FILE...");
  }
  read_gpu(line, options);
  if (line.has("scheduler")) {
    options.scheduler = line.choice("scheduler", "", scheduler_names());
  }
  options.overrides = line.texts("set");
  Diagnostics wrong_overrides;
  parse_overrides(options.overrides, wrong_overrides);
  for (const Diagnostic& wrong : wrong_overrides.all()) {
    line.problem(wrong.message);
  }
  if (line.has("seed")) {
    options.seed = static_cast<std::uint64_t>(line.integer("seed", 1, 0, INT64_MAX));
  }
  options.threads = static_cast<int>(line.integer("threads", default_threads(), 1, kMostThreads));
  options.max_cycles = static_cast<std::uint64_t>(line.integer("max-cycles", 0, 1, kMostCycles));
  options.format = line.choice("format", "text", {"text", "json", "csv"});
  if (options.format == "csv") {
    line.refuse({"explain", "per-sm", "instructions"}, "text or JSON, not with --format csv");
  }
  options.report = {line.has("explain"), line.has("per-sm"), line.has("instructions")};
  options.views = read_view_options(line, options.files.size(), options.format);
  line.finish();
  return options;
}

}  // namespace smsim::cli
