// What is varied when nobody says: what any kernel has, its block size and its registers.
#include <algorithm>

#include "sim/config/tune_file.hpp"
#include "sim/study/tune_plan.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {
namespace {

constexpr int kBlockSizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
// Below a third of what the program wants, spilling costs more than any occupancy brings.
constexpr int kFewestShare = 3;
constexpr int kFewestRegisters = 16;
constexpr std::size_t kMostLimits = 6;

// The parameter behind the block's size, so that all that depends on it follows.
std::string block_path(const TuneScope& scope) {
  const std::string block = scope.text_at("launch.block");
  const std::vector<std::string> parameters = scope.parameters();
  const bool named = std::find(parameters.begin(), parameters.end(), block) != parameters.end();
  return named ? "params." + block : "launch.block";
}

TuneAxis block_axis(const TuneScope& scope, const GpuSpec& gpu, const KernelSpec& kernel) {
  TuneAxis axis{block_path(scope), {}};
  const auto present = static_cast<int>(kernel.launch.block.count());
  std::vector<int> sizes(std::begin(kBlockSizes), std::end(kBlockSizes));
  if (std::find(sizes.begin(), sizes.end(), present) == sizes.end()) sizes.push_back(present);
  std::sort(sizes.begin(), sizes.end());
  for (const int size : sizes) {
    if (size <= gpu.limits.max_threads_per_block) axis.values.push_back(std::to_string(size));
  }
  return axis;
}

// For every further block that registers alone keep out, the most registers that let it in.
TuneAxis register_axis(const GpuSpec& gpu, const KernelSpec& kernel) {
  TuneAxis axis{"launch.registers", {kTuneDefault}};
  const BlockRequest request = block_request(kernel.launch);
  const int least = std::max(kFewestRegisters, kernel.launch.registers / kFewestShare);
  const int resident = occupancy(gpu, request).blocks_per_sm;
  std::vector<int> limits;
  for (int blocks = resident + 1; blocks <= gpu.limits.max_blocks; ++blocks) {
    const int registers = max_registers_for(gpu, request, blocks);
    if (registers < least) break;
    if (registers >= kernel.launch.registers) continue;
    if (limits.empty() || limits.back() != registers) limits.push_back(registers);
  }
  if (limits.size() > kMostLimits) limits.resize(kMostLimits);
  std::reverse(limits.begin(), limits.end());
  for (const int registers : limits) axis.values.push_back(std::to_string(registers));
  return axis;
}

}  // namespace

std::vector<TuneAxis> default_axes(const TuneScope& scope, const GpuSpec& gpu,
                                   const KernelSpec& kernel) {
  std::vector<TuneAxis> axes;
  const Dim3& block = kernel.launch.block;
  // The shape of a block of several dimensions means something to the program.
  if (block.y == 1 && block.z == 1) axes.push_back(block_axis(scope, gpu, kernel));
  TuneAxis registers = register_axis(gpu, kernel);
  if (registers.values.size() > 1) axes.push_back(std::move(registers));
  return axes;
}

}  // namespace smsim
