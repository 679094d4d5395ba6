#include "sim/cli/gpu_for_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace smsim::cli {
namespace {

// "FFMA" of "@P0 FFMA.FTZ R1, R2 ;": operations are listed by family.
std::string family_of(const std::string& text) {
  std::size_t begin = text.find_first_not_of(" {");
  if (begin != std::string::npos && text[begin] == '@') {
    begin = text.find_first_not_of(' ', text.find(' ', begin));
  }
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_first_of(" .;", begin) - begin);
}

// Parts of the GPU file, by the prefix of their paths, that a run uses.
std::set<std::string> used_parts(const KernelSpec& kernel, const Counters& counters) {
  std::set<std::string> used = {"front_end", "dispatch", "dependence"};
  std::uint64_t shared = 0;
  std::uint64_t global = 0;
  for (const SmCounters& sm : counters.sm) {
    shared += sm.shared_wavefronts;
    global += sm.l1_load_sectors + sm.l1_store_sectors;
  }
  if (shared > 0) used.insert("shared_memory");
  if (global > 0) used.insert({"l1", "l2"});
  if (shared + global > 0) used.insert("mio");
  if (counters.memory.dram_read_bytes + counters.memory.dram_write_bytes > 0) used.insert("dram");
  if (counters.memory.l2_atomic_operations > 0) used.insert("atomic");
  for (const Instruction& code : kernel.program.code) {
    if (code.action == Action::barrier || code.action == Action::fence) used.insert("barrier");
  }
  for (const std::string& text : kernel.program.text) {
    used.insert("operations." + family_of(text));
  }
  return used;
}

bool is_used(const std::string& path, const std::set<std::string>& used) {
  return used.count(path) > 0 || used.count(path.substr(0, path.find('.'))) > 0;
}

}  // namespace

GpuForRun load_gpu_for_run(const std::string& name_or_file) {
  GpuForRun loaded{load_gpu(name_or_file), {}};
  const GpuSpec& asked = loaded.gpu.spec;
  if (asked.topology.sms > 0 || asked.reference_product.empty()) {
    return loaded;
  }
  const std::string note = fmt::format("{} is a compute capability, no product: simulated as {}",
                                       asked.name, asked.reference_product);
  return {load_gpu(asked.reference_product), {note}};
}

std::string unmeasured_note(const LoadedGpu& gpu, const KernelSpec& kernel,
                            const Counters& counters) {
  const std::set<std::string> used = used_parts(kernel, counters);
  std::vector<std::string> paths;
  for (const FieldSource& source : gpu.sources) {
    if (source.status == SourceStatus::unverified && is_used(source.path, used)) {
      paths.push_back(source.path);
    }
  }
  if (paths.empty()) {
    return "";
  }
  return fmt::format("figures of {} that nobody has measured and this run leans on: {}",
                     gpu.spec.name, fmt::join(paths, ", "));
}

}  // namespace smsim::cli
