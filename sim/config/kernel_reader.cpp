#include "sim/config/kernel_reader.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "sim/config/yaml_reader.hpp"

namespace smsim {

namespace {

// Does the program share a fixed amount of work: grid-stride loops, tasks?
bool shares_work(const YAML::Node& node) {
  if (node.IsSequence()) {
    for (const auto& item : node) {
      if (shares_work(item)) {
        return true;
      }
    }
  } else if (node.IsMap()) {
    for (const auto& entry : node) {
      const bool named = entry.first.IsScalar() &&
                         (entry.first.Scalar() == "grid_stride" || entry.first.Scalar() == "tasks");
      if (named || shares_work(entry.second)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

KernelReader::KernelReader(std::string file, const GpuSpec& gpu, Diagnostics& problems)
    : file_(std::move(file)), gpu_(gpu), problems_(problems) {
  kernel_.name = std::filesystem::path(file_).stem().string();
}

// Parameters first, then the launch (whose changes may set parameters), then all that uses them.
KernelSource KernelReader::read(const YAML::Node& document,
                                const std::vector<Override>& overrides) {
  if (!document.IsMap()) {
    error(document, fmt::format("found {}, expected a kernel file as a mapping with 'launch' and "
                                "'program'",
                                describe(document)));
    return kernel_;
  }
  for (const Override& change : overrides) {
    if (change.path != "launch.grid" && change.path != "launch.block") {
      apply_override(document, change, overridden_, problems_);
    }
  }
  if (!overrides.empty() && !small_enough(document)) {
    problems_.add("", fmt::format("--set: {}", kTooLarge));
    return kernel_;
  }
  const YAML::Node program = document["program"];
  shares_work_ = program.IsDefined() && shares_work(program);
  read_params(document);
  read_launch(document, overrides);
  read_declarations(document);
  return std::move(kernel_);
}

}  // namespace smsim
