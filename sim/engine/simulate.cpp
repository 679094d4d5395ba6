#include "smsim/simulate.hpp"

#include <stdexcept>

#include "sim/engine/deadlock.hpp"
#include "sim/engine/gpu.hpp"
#include "sim/engine/policy/policy_list.hpp"
#include "sim/engine/program_check.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {
namespace {

template <class... Ps>
std::vector<PolicyInfo> describe(std::tuple<Ps...>* /*list*/) {
  return {{Ps::kName, Ps::kSummary}...};
}

// The split in force decides how many blocks share the SM, and what is left for L1.
int smem_pool(const GpuSpec& gpu, const LaunchSpec& launch, std::vector<std::string>& notes) {
  const NsightOccupancy occupancy =
      nsight_occupancy(gpu, block_request(launch), launch.smem_config_bytes);
  if (!occupancy.smem_config_known) {
    notes.push_back("shared-memory split of " + std::to_string(occupancy.smem_config_bytes / 1024) +
                    " KB: a model of the driver's choice (launch.smem_config sets it)");
  }
  return occupancy.smem_config_bytes;
}

}  // namespace

const std::vector<PolicyInfo>& policies() {
  engine::Policies* list = nullptr;
  static const std::vector<PolicyInfo> kInfos = describe(list);
  return kInfos;
}

std::vector<std::string> scheduler_names() {
  std::vector<std::string> names;
  for (const PolicyInfo& policy : policies()) names.push_back(policy.name);
  return names;
}

SimulationResult simulate(const GpuSpec& gpu, const KernelSpec& kernel,
                          const SimulateOptions& options) {
  engine::check_program(kernel);
  SimulateOptions resolved = options;
  if (resolved.scheduler.empty()) resolved.scheduler = gpu.scheduler;
  SimulationResult result;
  result.scheduler = resolved.scheduler;
  static_cast<void>(engine::advance_for(resolved.scheduler));
  result.launch_failure = launch_failure(gpu, kernel.launch);
  if (result.launch_failure) {
    result.status = Status::launch_failure;
    return result;
  }
  const Machine machine(gpu);
  engine::Gpu model(machine, kernel, resolved, smem_pool(gpu, kernel.launch, result.notes));
  result.window_cycles = model.window_cycles();
  result.status = model.run();
  if (result.status == Status::deadlock) result.deadlock = engine::diagnose(model);
  result.counters = model.close();
  if (auto timeline = model.take_timeline(result.counters)) {
    result.timeline = std::make_shared<const Timeline>(*std::move(timeline));
  }
  return result;
}

}  // namespace smsim
