#include "sim/study/points.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>

#include "sim/arch/gpu_fields.hpp"
#include "sim/config/kernel_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/import/trace_kernel.hpp"
#include "smsim/simulate.hpp"
#include "smsim/version.hpp"

namespace smsim {
namespace {

constexpr const char* kDefaultGpu = "h200";
constexpr std::string_view kGpuPrefix = "gpu.";

// FNV-1a: the same on every machine.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) mix_in(static_cast<unsigned char>(c));
    mix_in(0x1f);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", value_); }

 private:
  void mix_in(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

// Of the bytes of the trace file that a kernel names; "" where it names none.
std::string hash_of_trace(const std::string& path, const std::string& text) {
  Diagnostics ignored;
  const auto document = load_yaml_text(text, path, ignored);
  const auto trace = document ? value_of(*document, "trace") : std::nullopt;
  if (!trace || !trace->IsScalar()) return "";
  std::ifstream file(std::filesystem::path(path).parent_path() / trace->Scalar(), std::ios::binary);
  Hash hash;
  std::string part(1 << 20, '\0');
  while (file) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    hash.add(std::string_view(part).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  return hash.text();
}

bool is_gpu_path(const std::string& name) {
  return name.rfind(kGpuPrefix, 0) == 0;
}

// Names that are no path into the kernel file.
bool is_special(const std::string& name) {
  return name == kKernelAxis || name == kGpuAxis || name == kSchedulerAxis || name == kSeedAxis;
}

std::vector<std::string> overrides_of(const StudyPoint& point) {
  std::vector<std::string> overrides;
  for (const auto* list : {&point.fixed, &point.inputs}) {
    for (const auto& [name, value] : *list) {
      if (!is_special(name) && !is_gpu_path(name)) overrides.push_back(name + "=" + value);
    }
  }
  return overrides;
}

// Each message once: a value that is used twice is wrong in both places.
std::string in_one_line(const std::vector<Diagnostic>& problems) {
  std::string text;
  std::set<std::string> said;
  for (const Diagnostic& one : problems) {
    if (!said.insert(one.message).second) continue;
    text += (text.empty() ? "" : "; ") + one.message;
  }
  return text;
}

}  // namespace

PointLoader::PointLoader(const std::vector<StudyPoint>& points) {
  Diagnostics problems;
  std::vector<Diagnostic> bad_gpus;
  for (const StudyPoint& point : points) {
    const std::string kernel = point.value_of(kKernelAxis);
    if (kernels_.count(kernel) == 0) {
      const std::string path = kernel_path(kernel, problems);
      const std::string text = path.empty() ? "" : read_file(path, problems).value_or("");
      kernels_[kernel] = {path, text, hash_of_trace(path, text)};
    }
    std::string gpu = point.value_of(kGpuAxis);
    if (gpu.empty()) gpu = kDefaultGpu;
    if (gpus_.count(gpu) > 0) continue;
    LoadedGpu& loaded = gpus_[gpu];
    try {
      loaded = load_gpu(gpu);
      if (loaded.spec.topology.sms == 0 && !loaded.spec.reference_product.empty()) {
        loaded = load_gpu(loaded.spec.reference_product);
      }
    } catch (const InputError& error) {
      bad_gpus.insert(bad_gpus.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  problems.throw_if_any();
  if (!bad_gpus.empty()) throw InputError(bad_gpus);
}

const PointLoader::ChangedGpu& PointLoader::gpu_of(const StudyPoint& point) {
  std::string name = point.value_of(kGpuAxis);
  if (name.empty()) name = kDefaultGpu;
  std::string key = name;
  std::vector<std::string> changes;
  for (const auto* list : {&point.fixed, &point.inputs}) {
    for (const auto& [path, value] : *list) {
      if (!is_gpu_path(path)) continue;
      changes.push_back(path.substr(kGpuPrefix.size()) + "=" + value);
      key += "\n" + changes.back();
    }
  }
  const std::lock_guard guard(lock_);
  const auto [known, is_new] = changed_gpus_.try_emplace(key);
  if (!is_new) return known->second;
  auto changed = std::make_shared<LoadedGpu>(gpus_.at(name));
  std::string& refusal = known->second.refusal;
  for (const std::string& change : changes) {
    const std::string wrong = change_field(changed->spec, change);
    if (!wrong.empty()) refusal += (refusal.empty() ? "" : "; ") + wrong;
  }
  Hash hash;
  for (const GpuField& field : gpu_fields(changed->spec)) hash.add(field_text(field));
  for (const auto& [operation, figures] : changed->spec.operations) {
    hash.add(operation + operation_text(figures));
  }
  known->second.figures = hash.text();
  known->second.gpu = std::move(changed);
  return known->second;
}

PreparedPoint PointLoader::prepare(const StudyPoint& point) {
  PreparedPoint out;
  const ChangedGpu& gpu = gpu_of(point);
  out.gpu = gpu.gpu;
  out.refusal = gpu.refusal;
  out.scheduler = point.value_of(kSchedulerAxis);
  if (!out.refusal.empty()) return out;
  const KernelFile& file = kernels_.at(point.value_of(kKernelAxis));
  Diagnostics problems;
  auto kernel =
      load_kernel_text(file.text, file.path, overrides_of(point), out.gpu->spec, problems);
  if (!kernel) {
    out.refusal = in_one_line(problems.all());
    return out;
  }
  try {
    attach_trace_file(*kernel, out.gpu->spec);
  } catch (const InputError& error) {
    out.refusal = in_one_line(error.diagnostics());
    return out;
  }
  out.kernel = std::move(*kernel);
  const std::string seed = point.value_of(kSeedAxis);
  if (seed.empty()) return out;
  const char* end = seed.data() + seed.size();
  const auto [stop, error] = std::from_chars(seed.data(), end, out.kernel.launch.seed);
  if (error != std::errc() || stop != end) {
    out.refusal = fmt::format("{}: found '{}', expected a whole number from 0", kSeedAxis, seed);
  }
  return out;
}

std::string PointLoader::fingerprint(const StudyPoint& point, const StudySpec& study) {
  const KernelFile& kernel = kernels_.at(point.value_of(kKernelAxis));
  Hash hash;
  hash.add(version());
  hash.add(kernel.text);
  hash.add(kernel.trace);
  hash.add(gpu_of(point).figures);
  for (const std::string& change : overrides_of(point)) hash.add(change);
  hash.add(point.value_of(kSchedulerAxis));
  hash.add(point.value_of(kSeedAxis));
  hash.add(std::to_string(study.max_cycles));
  for (const std::string& metric : study.keep) hash.add(metric);
  return hash.text();
}

std::string reason_of(const Result& result) {
  if (result.launch_failure) return result.launch_failure->explanation;
  if (result.deadlock) return result.deadlock->explanation;
  return "";
}

Result run_point(const PreparedPoint& point, std::uint64_t max_cycles,
                 const std::atomic<bool>* interrupt) {
  SimulateOptions how;
  how.scheduler = point.scheduler;
  how.count_instructions = true;  // the verdict needs them
  how.max_cycles = max_cycles;
  how.interrupt = interrupt;
  return make_result(point.gpu->spec, point.kernel, simulate(point.gpu->spec, point.kernel, how));
}

}  // namespace smsim
