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
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be written", path.string()));
  AccelsimWriter writer(file, stream.header());
  AccelsimBlock block;
  while (stream.next_block(block)) writer.write(block, stream.opcodes());
  if (!file.flush()) throw InputError(fmt::format("{}: cannot be written", path.string()));
}

int export_accelsim(const Arguments& arguments) {
  CommandLine line(
      "export accelsim KERNEL.yaml -o OUT [options]",
      "Writes a kernel as an Accel-Sim trace (tracer version 5): what every warp executes, with "
      "addresses. Says what the format has no room for.",
      "  smsim export accelsim configs/kernels/triad.yaml -o triad.traceg --set params.n=65536\n"
      "  smsim export accelsim configs/kernels/triad.yaml -o traces/    with a kernelslist.g\n");
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
  const fs::path trace = single ? fs::path(out) : fs::path(out) / "kernel-1.traceg";
  write_trace(trace, *generate_trace(*kernel, gpu.gpu.spec));
  if (!single) write_file(fs::path(out) / "kernelslist.g", "kernel-1.traceg\n");
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
