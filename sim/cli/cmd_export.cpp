// smsim export: our kernels in other simulators' formats.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/gpu_for_run.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/config/kernel_file.hpp"
#include "sim/import/accelsim_writer.hpp"
#include "sim/import/trace_generator.hpp"

namespace smsim::cli {
namespace {

namespace fs = std::filesystem;

void write_trace(const fs::path& path, TraceStream& stream) {
  write_file(path, [&stream](std::ostream& out) {
    AccelsimWriter writer(out, stream.header());
    AccelsimBlock block;
    while (stream.next_block(block)) writer.write(block, stream.opcodes());
  });
}

// The first kernel-N.traceg that is not there yet.
fs::path next_in(const fs::path& folder) {
  for (int number = 1;; ++number) {
    fs::path path = folder / fmt::format("kernel-{}.traceg", number);
    if (!fs::exists(path)) return path;
  }
}

void append_to_list(const fs::path& folder, const fs::path& trace) {
  std::ofstream list(folder / "kernelslist.g", std::ios::app);
  list << trace.filename().string() << "\n";
}

int export_accelsim(const Arguments& arguments) {
  CommandLine line(
      "export accelsim KERNEL.yaml -o OUT [options]",
      "Writes a kernel as an Accel-Sim trace (tracer version 5): what every warp executes, with "
      "addresses. Says what the format has no room for.",
      "  smsim export accelsim configs/kernels/triad.yaml -o triad.traceg --set params.n=65536\n"
      "  smsim export accelsim configs/kernels/triad.yaml -o traces/    adds to its "
      "kernelslist.g\n");
  line.value("output,o", "OUT", "trace to write (*.traceg), or a folder for it and its list")
      .value("gpu", "NAME|FILE", "the GPU whose compiler is modelled (default h200)")
      .value("set", "path=value", "change a value of the kernel file; may be repeated")
      .inputs(1);
  if (!line.parse(arguments)) return kDone;
  const std::string out = line.text("output", "");
  if (out.empty()) line.problem("found no --output, expected one");
  if (line.inputs().empty()) line.problem("found no input, expected KERNEL.yaml");
  line.finish();
  const GpuForRun gpu = load_gpu_for_run(line.text("gpu", "h200"));
  Diagnostics problems;
  const auto kernel = load_kernel(line.inputs().front(), line.texts("set"), gpu.gpu.spec, problems);
  problems.throw_if_any();
  if (!kernel->trace_file.empty()) {
    throw InputError(line.inputs().front() + ": found a trace, expected a kernel with a program");
  }
  const bool single = fs::path(out).extension() == ".traceg";
  if (!single && fs::exists(out) && !fs::is_directory(out)) {
    throw InputError(out + ": found a file, expected a folder or a name that ends with .traceg");
  }
  const fs::path trace = single ? fs::path(out) : next_in(out);
  check_output(trace, line.inputs());
  write_trace(trace, *generate_trace(*kernel, gpu.gpu.spec));
  if (!single) append_to_list(out, trace);
  fmt::print("{}: {} blocks of {} threads\n", trace.string(), kernel->launch.grid.count(),
             kernel->launch.block.count());
  fmt::print("The format has no room for:\n");
  for (const std::string& lost : lost_in_trace(*kernel)) fmt::print("  {}\n", lost);
  return kDone;
}

}  // namespace

int run_export(const Arguments& arguments) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  const Arguments rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (what == "accelsim") return export_accelsim(rest);
  if (what == "--help") return export_accelsim(arguments);
  throw InputError(fmt::format("export: found '{}', expected accelsim", what));
}

}  // namespace smsim::cli
