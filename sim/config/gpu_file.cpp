#include "smsim/gpu_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "sim/arch/gpu_fields.hpp"
#include "sim/arch/gpu_spec_check.hpp"
#include "sim/config/config_paths.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/gpu_reader.hpp"
#include "sim/config/suggest.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

namespace fs = std::filesystem;

namespace {

// What only the engine knows, and the GPU's own check therefore cannot.
void check_scheduler(const GpuSpec& gpu, std::vector<GpuProblem>& problems) {
  const std::vector<std::string> names = scheduler_names();
  if (std::find(names.begin(), names.end(), gpu.scheduler) == names.end()) {
    problems.push_back(
        {"scheduler", fmt::format("found '{}', expected one of {}{}", gpu.scheduler,
                                  fmt::join(names, ", "), did_you_mean(gpu.scheduler, names))});
  }
}

// Figures that must agree may come from different files. The file that was asked for is to blame:
// it brought them together.
void report(const GpuSpec& gpu, const Origins& origins, const std::string& file,
            Diagnostics& problems) {
  std::vector<GpuProblem> found = check(gpu);
  check_scheduler(gpu, found);
  for (const GpuProblem& problem : found) {
    const auto origin = origins.find(problem.path);
    const std::string message = problem.path + ": " + problem.message;
    if (origin == origins.end()) {
      problems.add(file, message);
    } else if (origin->second.file == file) {
      problems.add(file, origin->second.mark, message);
    } else {
      problems.add(file, message + " (inherited from " + origin->second.file + ":" +
                             std::to_string(origin->second.mark.line + 1) + ")");
    }
  }
}

FieldSource source_of(const std::string& path, const std::string& value, const Origins& origins) {
  FieldSource source{path, value, SourceStatus::unverified, "", "", 0};
  if (const auto found = origins.find(path); found != origins.end()) {
    source.status = found->second.status;
    source.source = found->second.source;
    source.file = found->second.file;
    source.line = found->second.mark.line + 1;
  }
  return source;
}

std::vector<FieldSource> sources_of(GpuSpec& gpu, const Origins& origins) {
  std::vector<FieldSource> sources;
  for (const GpuField& field : gpu_fields(gpu)) {
    if (field.path == "title" || field.path == "reference_product" ||
        field.path == "compute_capability") {
      continue;  // names, not figures
    }
    sources.push_back(source_of(field.path, field_text(field), origins));
  }
  for (const auto& [name, operation] : gpu.operations) {
    sources.push_back(source_of("operations." + name, operation_text(operation), origins));
  }
  return sources;
}

}  // namespace

LoadedGpu load_gpu(const std::string& name_or_file) {
  const bool is_file = names_a_file(name_or_file);
  const std::string file = is_file ? name_or_file : config_file("gpus", name_or_file);
  Diagnostics problems;
  std::error_code error;
  if (!is_file && !fs::is_regular_file(file, error)) {
    problems.add("", "found unknown GPU '" + name_or_file +
                         "', expected a name that 'smsim gpus' " + "lists, or a file" +
                         did_you_mean(name_or_file, gpu_names()));
    problems.throw_if_any();
  }
  LoadedGpu gpu;
  Origins origins;
  read_gpu_file(file, gpu.spec, origins, problems);
  problems.throw_if_any();
  gpu.spec.name = fs::path(file).stem().string();
  if (gpu.spec.topology.sms > 0) {
    gpu.spec.reference_product.clear();  // inherited, but a product stands for itself
  }
  report(gpu.spec, origins, file, problems);
  problems.throw_if_any();
  gpu.sources = sources_of(gpu.spec, origins);
  return gpu;
}

std::vector<std::string> gpu_names() {
  return config_names("gpus");
}

const char* to_string(SourceStatus status) {
  switch (status) {
    case SourceStatus::verified:
      return "verified";
    case SourceStatus::secondary:
      return "secondary";
    case SourceStatus::derived:
      return "derived";
    case SourceStatus::unverified:
      return "unverified";
  }
  return "";
}

}  // namespace smsim
