// smsim import accelsim: kernel files that refer to traces.
#include <fmt/format.h>

#include <filesystem>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/import/accelsim_list.hpp"
#include "sim/import/accelsim_reader.hpp"
#include "sim/import/trace_kernel.hpp"

namespace smsim::cli {
namespace {

namespace fs = std::filesystem;

void warn(const std::vector<Diagnostic>& warnings) {
  for (const Diagnostic& warning : warnings) {
    fmt::print(stderr, "{}:{}: warning: {}\n", warning.file, warning.line, warning.message);
  }
}

// The kernels' traces in order; copies to the device only fill caches, which start empty here.
std::vector<std::string> traces_of(const std::string& input) {
  std::vector<std::string> traces;
  if (fs::path(input).extension() != ".g") return {input};
  std::vector<Diagnostic> warnings;
  std::size_t copies = 0;
  for (const AccelsimCommand& command : read_accelsim_list(input, warnings)) {
    if (command.kind == AccelsimCommand::Kind::kernel) {
      traces.push_back(command.path);
    } else {
      ++copies;
    }
  }
  warn(warnings);
  if (copies > 0) {
    fmt::print(stderr, "note: {} copies to the device are passed over: caches start empty\n",
               copies);
  }
  return traces;
}

std::string dimensions(const Dim3& size) {
  return fmt::format("[{}, {}, {}]", size.x, size.y, size.z);
}

std::string kernel_file(const AccelsimHeader& header, const std::string& trace,
                        const fs::path& folder) {
  const LaunchSpec launch = launch_of(header);
  const fs::path relative = fs::absolute(trace).lexically_normal().lexically_relative(
      fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal());
  return fmt::format(
      "# Imported by smsim import accelsim; tracer version {}, sm_{}\n"
      "name: \"{}\"\n"
      "launch:\n"
      "  grid: {}\n"
      "  block: {}\n"
      "  registers: {}\n"
      "  smem_dynamic: {}\n"
      "trace: \"{}\"\n",
      header.tracer_version, header.binary_version, header.kernel_name, dimensions(launch.grid),
      dimensions(launch.block), launch.registers, launch.smem_dynamic_bytes, relative.string());
}

fs::path place(const std::string& out, const std::string& trace, std::size_t number, bool several) {
  const std::size_t id = out.find("{id}");
  if (id != std::string::npos) {
    std::string path = out;
    return path.replace(id, 4, std::to_string(number));
  }
  const bool folder = several || out.back() == '/' || fs::is_directory(out);
  const std::string stem = fs::path(trace).filename().string();
  return folder ? fs::path(out) / (stem.substr(0, stem.find('.')) + ".yaml") : fs::path(out);
}

}  // namespace

int import_accelsim(const Arguments& arguments) {
  CommandLine line(
      "import accelsim LIST.g|TRACE.traceg -o OUT",
      "Turns traces of Accel-Sim into kernel files for 'smsim run'. A kernel file is small and "
      "refers to its trace, which is streamed while it runs; a list becomes one file a kernel.",
      "  smsim import accelsim traces/kernel-1.traceg -o kernel.yaml\n"
      "  smsim import accelsim traces/kernelslist.g -o kernels/\n"
      "  smsim run kernels/*.yaml --gpu a100\n");
  line.value("output,o", "OUT", "file to write; a folder or a name with {id} for a list").inputs(1);
  if (!line.parse(arguments)) return kDone;
  const std::string out = line.text("output", "");
  if (out.empty()) line.problem("found no --output, expected one");
  if (line.inputs().empty()) line.problem("found no input, expected LIST.g or TRACE.traceg");
  line.finish();
  const std::vector<std::string> traces = traces_of(line.inputs().front());
  if (traces.empty()) throw InputError(line.inputs().front() + ": found no kernel, expected some");
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const AccelsimReader reader(traces[i]);
    const fs::path path = place(out, traces[i], i + 1, traces.size() > 1);
    check_output(path, {traces[i], line.inputs().front()});
    write_file(path, [&](std::ostream& file) {
      file << kernel_file(reader.header(), traces[i], path.parent_path());
    });
    fmt::print("{}: {}, sm_{}\n", path.string(), reader.header().kernel_name,
               reader.header().binary_version);
    warn(reader.warnings());
  }
  return kDone;
}

}  // namespace smsim::cli
