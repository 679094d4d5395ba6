// Parameters, launch, and what changes of the launch mean for the work.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

namespace {

constexpr std::int64_t kMostBlocksX = 2147483647;
constexpr std::int64_t kMostBlocksYz = 65535;
constexpr std::int64_t kMostSharedBytes = 1 << 20;
constexpr std::size_t kMostParameters = 1000;
// Two hold the base of local memory, two more ptxas counts without using them.
constexpr std::int64_t kFewestRegisters = 4;

std::string text_of(const Dim3& size) {
  if (size.y == 1 && size.z == 1) {
    return std::to_string(size.x);
  }
  return fmt::format("{} x {} x {}", size.x, size.y, size.z);
}

}  // namespace

// Parameters may use those before them.
void KernelReader::read_params(const YAML::Node& document) {
  static const std::set<std::string> kTaken = {"i",   "j",     "tid",   "tid_y", "tid_z",
                                               "bid", "bid_y", "bid_z", "lane",  "warp"};
  scope_.values = {{"KiB", 1024.0},
                   {"MiB", 1048576.0},
                   {"GiB", 1073741824.0},
                   {"gpu.sms", gpu_.topology.sms},
                   {"gpu.max_warps", gpu_.limits.max_warps},
                   {"gpu.max_blocks", gpu_.limits.max_blocks}};
  parameters_behind_.clear();
  const auto params = value_of(document, "params");
  if (!params || params->IsNull()) {
    return;
  }
  if (!params->IsMap()) {
    error(*params, fmt::format("found {}, expected 'params' as a mapping", describe(*params)));
    return;
  }
  if (params->size() > kMostParameters) {
    error(*params,
          fmt::format("found {} parameters, expected at most {}", params->size(), kMostParameters));
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : *params) {
    const std::optional<std::string> name = new_name(entry.first);
    if (!name) {
      continue;
    }
    if (kTaken.count(*name) > 0 || !seen.insert(*name).second) {
      error(entry.first, fmt::format("found '{}' {}, expected another name", *name,
                                     kTaken.count(*name) > 0 ? "as a parameter, which is an index"
                                                             : "a second time"));
      continue;
    }
    const std::optional<double> value = number(entry.second, -1e15, 1e15);
    scope_.values[*name] = value.value_or(1);
    std::set<std::string>& behind = parameters_behind_[*name];
    behind.insert(*name);
    if (entry.second.IsScalar()) {
      for (const std::string& used : names_in(entry.second.Scalar())) {
        const auto found = parameters_behind_.find(used);
        if (found != parameters_behind_.end()) {
          behind.insert(found->second.begin(), found->second.end());
        }
      }
    }
  }
}

Dim3 KernelReader::dimensions(const YAML::Node& node, std::int64_t most_x, std::int64_t most_yz) {
  Dim3 size;
  if (!node.IsSequence()) {
    size.x = static_cast<std::uint64_t>(whole(node, 1, most_x).value_or(1));
    return size;
  }
  if (node.size() < 1 || node.size() > 3) {
    error(node, fmt::format("found a list of {}, expected one to three numbers", node.size()));
    return size;
  }
  std::uint64_t* const parts[] = {&size.x, &size.y, &size.z};
  for (std::size_t axis = 0; axis < node.size(); ++axis) {
    *parts[axis] =
        static_cast<std::uint64_t>(whole(node[axis], 1, axis == 0 ? most_x : most_yz).value_or(1));
  }
  return size;
}

Dim3 KernelReader::read_dimensions(const YAML::Node& document, const char* key, Dim3 fallback) {
  const auto launch = value_of(document, "launch");
  const auto node = launch ? value_of(*launch, key) : std::nullopt;
  if (!node) {
    return fallback;
  }
  return std::string(key) == "grid" ? dimensions(*node, kMostBlocksX, kMostBlocksYz)
                                    : dimensions(*node, 1024, 1024);
}

// Grid and block as the file has them; then the changes: a new block keeps the total number of
// threads, a new grid keeps the work of each block.
void KernelReader::read_launch(const YAML::Node& document, const std::vector<Override>& overrides) {
  static const std::set<std::string> kResources = {"launch.block", "launch.registers",
                                                   "launch.smem_static", "launch.smem_dynamic",
                                                   "launch.cluster"};
  for (const Override& change : overrides) {
    resources_changed_ = resources_changed_ || kResources.count(change.path) > 0;
    split_given_ = split_given_ || change.path == "launch.smem_config";
  }
  kernel_.launch.block = read_dimensions(document, "block", Dim3{32, 1, 1});
  kernel_.launch.grid = read_dimensions(document, "grid", Dim3{1, 1, 1});
  for (const Override& change : overrides) {
    if (change.path == "launch.block") {
      override_block(document, change);
    }
  }
  for (const Override& change : overrides) {
    if (change.path == "launch.grid") {
      override_grid(document, change);
    }
  }
  const auto launch = value_of(document, "launch");
  if (kernel_.launch.block.count() > 1024) {
    error(launch.value_or(document),
          fmt::format("found a block of {} threads, expected at most 1024",
                      kernel_.launch.block.count()));
  }
  if (kernel_.launch.grid.count() > (std::uint64_t{1} << 40U)) {
    error(launch.value_or(document), "found a grid of more than 2^40 blocks, expected fewer");
    kernel_.launch.grid = {};
  }
  read_resources(document);
  publish_launch();
}

// A launch size that is just a parameter sets that parameter, so that what depends on it follows.
void KernelReader::set_parameter_behind(const YAML::Node& document, const char* key,
                                        const Override& change) {
  const auto launch = value_of(document, "launch");
  const auto node = launch ? value_of(*launch, key) : std::nullopt;
  if (!node || !node->IsScalar() || parameters_behind_.count(node->Scalar()) == 0) {
    return;
  }
  coupled_ = node->Scalar();
  apply_override(document, {change.text, "params." + coupled_, change.value}, overridden_,
                 problems_);
  const auto value = value_of(*value_of(document, "params"), coupled_);
  if (!value->IsScalar()) {
    error(*value, fmt::format("found {}, expected one number: launch.{} is the parameter '{}' in "
                              "the file",
                              describe(*value), key, coupled_));
    return;
  }
  read_params(document);
}

void KernelReader::override_block(const YAML::Node& document, const Override& change) {
  const Dim3 old_block = kernel_.launch.block;
  const Dim3 old_grid = kernel_.launch.grid;
  set_parameter_behind(document, "block", change);
  apply_override(document, change, overridden_, problems_);
  const Dim3 block = read_dimensions(document, "block", old_block);
  Dim3 grid = old_grid;  // what the file makes of the new block does not count: the total stays
  const double threads =
      static_cast<double>(old_grid.count()) * static_cast<double>(old_block.count());
  const double per_row = static_cast<double>(block.count()) * static_cast<double>(grid.y * grid.z);
  grid.x = static_cast<std::uint64_t>(
      std::clamp(std::ceil(threads / per_row), 1.0, static_cast<double>(kMostBlocksX)));
  note(
      fmt::format("launch.block set to {}: the total number of threads stays, so the grid is {} "
                  "instead of {} blocks",
                  text_of(block), text_of(grid), text_of(old_grid)));
  kernel_.launch.block = block;
  kernel_.launch.grid = grid;
}

void KernelReader::override_grid(const YAML::Node& document, const Override& change) {
  const Dim3 old_grid = kernel_.launch.grid;
  set_parameter_behind(document, "grid", change);
  apply_override(document, change, overridden_, problems_);
  const Dim3 grid = read_dimensions(document, "grid", old_grid);
  kernel_.launch.grid = grid;
  if (shares_work_) {
    note(
        fmt::format("launch.grid set to {}: the total work stays (a grid-stride loop or tasks), "
                    "shared by {} instead of {} blocks",
                    text_of(grid), grid.count(), old_grid.count()));
    return;
  }
  grid_scale_ = static_cast<double>(grid.count()) /
                static_cast<double>(std::max<std::uint64_t>(1, old_grid.count()));
  note(
      fmt::format("launch.grid set to {}: every block does the same work as one of the {} in the "
                  "file; guards and streamed arrays grow or shrink with the grid",
                  text_of(grid), text_of(old_grid)));
}

// Factor on a guard's bound or an array's size under a changed grid; 1 where the file's own
// expression has followed already.
double KernelReader::scale_of(const YAML::Node& node) const {
  if (coupled_.empty() || !node.IsScalar()) {
    return grid_scale_;
  }
  for (const std::string& name : names_in(node.Scalar())) {
    const auto found = parameters_behind_.find(name);
    if (found != parameters_behind_.end() && found->second.count(coupled_) > 0) {
      return 1;
    }
  }
  return grid_scale_;
}

// What the program's expressions may use.
void KernelReader::publish_launch() {
  scope_.values["launch.grid"] = static_cast<double>(kernel_.launch.grid.count());
  scope_.values["launch.block"] = static_cast<double>(kernel_.launch.block.count());
  scope_.values["launch.cluster"] = kernel_.launch.cluster;
}

// One of the sizes that this GPU can give to shared memory.
std::optional<int> KernelReader::shared_memory_split(const YAML::Node& node) {
  std::vector<int> splits = gpu_.limits.smem_splits_kb;
  for (int& split : splits) {
    split *= 1024;
  }
  const std::optional<std::int64_t> bytes = whole(node, 0, kMostSharedBytes);
  if (bytes && !splits.empty() && std::find(splits.begin(), splits.end(), *bytes) == splits.end()) {
    error(node, fmt::format("found {}, expected a split of L1 and shared memory of {}: {}",
                            describe(node), gpu_.name, fmt::join(splits, ", ")));
  }
  return bytes ? std::optional<int>(static_cast<int>(*bytes)) : std::nullopt;
}

// The split in the file of a profiled kernel is what the driver chose for that launch on that GPU.
bool KernelReader::profiled_split_holds(const YAML::Node& document, const YAML::Node& node) {
  if (!value_of(document, "sass") || split_given_) {
    return true;
  }
  const std::vector<int>& splits = gpu_.limits.smem_splits_kb;
  const auto bytes = whole(node, 0, kMostSharedBytes);
  const bool known = bytes && std::any_of(splits.begin(), splits.end(), [&bytes](int split) {
                       return std::int64_t{split} * 1024 == *bytes;
                     });
  if (known && !resources_changed_) {
    return true;
  }
  note("launch.smem_config of the profile is left out, as the launch or the GPU is another one");
  return false;
}

void KernelReader::read_resources(const YAML::Node& document) {
  const auto node = value_of(document, "launch");
  if (!node) {
    error(document, "found no 'launch', expected one with 'grid' and 'block'");
    return;
  }
  Keys keys(*this, *node, "launch");
  keys.require("grid");
  keys.require("block");
  LaunchSpec& launch = kernel_.launch;
  if (const auto value = keys.find("registers")) {
    if (const auto registers = whole(*value, kFewestRegisters, 255)) {
      kernel_.registers = static_cast<int>(*registers);
    }
  }
  launch.smem_static_bytes = whole_or(keys.find("smem_static"), 0, kMostSharedBytes, 0);
  launch.smem_dynamic_bytes = whole_or(keys.find("smem_dynamic"), 0, kMostSharedBytes, 0);
  if (const auto value = keys.find("smem_config")) {
    if (profiled_split_holds(document, *value)) {
      launch.smem_config_bytes = shared_memory_split(*value);
    }
  }
  launch.cluster = whole_or(keys.find("cluster"), 1, 64, 1);
  launch.seed = whole_or(keys.find("seed"), 0, std::int64_t{1} << 53U, launch.seed);
  if (const auto value = keys.find("cooperative")) {
    launch.cooperative = boolean(*value).value_or(false);
  }
  if (const auto value = keys.find("caches")) {
    launch.warm_caches = choice(*value, {"cold", "warm"}) == "warm";
  }
  keys.finish();
}

}  // namespace smsim
