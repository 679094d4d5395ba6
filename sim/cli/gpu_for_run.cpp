#include "sim/cli/gpu_for_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/metrics/arithmetic.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim::cli {
namespace {

// GPU files have them, but nothing in the model reads them: no run leans on them.
constexpr std::string_view kUnread[] = {
    "front_end.icache_l0_instructions", "front_end.icache_l1_instructions",
    "front_end.icache_l1_hit_cycles",   "l1.line_bytes",
    "barrier.nanosleep_cycles",         "clocks.memory_mhz"};

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
    const std::string_view name = mnemonic(text);
    used.insert("operations." + std::string(name.substr(0, name.find('.'))));
  }
  return used;
}

bool is_used(const std::string& path, const std::set<std::string>& used) {
  return (used.count(path) > 0 || used.count(path.substr(0, path.find('.'))) > 0) &&
         std::find(std::begin(kUnread), std::end(kUnread), path) == std::end(kUnread);
}

}  // namespace

GpuForRun load_gpu_for_run(const std::string& name_or_file) {
  GpuForRun loaded{name_or_file, load_gpu(name_or_file), {}};
  const std::string product = loaded.gpu.spec.reference_product;
  if (loaded.gpu.spec.topology.sms == 0 && !product.empty()) {
    const std::string note = fmt::format("{} is a compute capability, no product: simulated as {}",
                                         loaded.gpu.spec.name, product);
    loaded = {product, load_gpu(product), {note}};
  }
  const GpuSpec& asked = loaded.gpu.spec;
  std::vector<Diagnostic> lacking;
  if (asked.topology.sms == 0) {
    lacking.push_back({loaded.name, 0, 0, "found no topology.sms, which a run needs"});
  }
  if (asked.clocks.sm_mhz <= 0) {
    lacking.push_back({loaded.name, 0, 0, "found no clocks.sm_mhz, which a run needs"});
  }
  if (!lacking.empty()) {
    throw InputError(lacking);
  }
  return loaded;
}

std::string unmeasured_note(const GpuForRun& gpu, const KernelSpec& kernel,
                            const Counters& counters) {
  const std::set<std::string> used = used_parts(kernel, counters);
  const auto unmeasured =
      std::count_if(gpu.gpu.sources.begin(), gpu.gpu.sources.end(), [&](const FieldSource& source) {
        return source.status == SourceStatus::unverified && is_used(source.path, used);
      });
  if (unmeasured == 0) {
    return "";
  }
  return fmt::format(
      "this run leans on {} {} of {} that nobody has measured: 'smsim gpus {}' "
      "marks them unverified",
      unmeasured, unmeasured == 1 ? "figure" : "figures", gpu.gpu.spec.name, gpu.name);
}

}  // namespace smsim::cli
