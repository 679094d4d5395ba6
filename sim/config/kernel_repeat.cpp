// Repeats: bodies written out, with numbers for their indices.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/kernel/lowering.hpp"

namespace smsim {

namespace {

constexpr std::size_t kMostIndices = 16;

}  // namespace

// repeat: {r: 4, c: 4, body: [...]}: the body written out for every combination of the indices,
// which are numbers in its expressions and in its names ("acc.r.c").
void KernelReader::repeat(const YAML::Node& node, Body& into) {
  std::vector<std::pair<std::string, int>> indices;
  std::optional<YAML::Node> statements_node;
  if (!node.IsMap()) {
    error(node, fmt::format("found {}, expected indices with counts, and a body", describe(node)));
    return;
  }
  double combinations = 1;
  for (const auto& entry : node) {
    if (entry.first.IsScalar() && entry.first.Scalar() == "body") {
      statements_node.emplace(entry.second);
      continue;
    }
    const std::optional<std::string> name = new_name(entry.first);
    if (name && (scope_.values.count(*name) > 0 || sass::is_builtin_name(*name))) {
      error(entry.first, fmt::format("found '{}' as the index of a repeat, expected another name: "
                                     "it is taken",
                                     *name));
      continue;
    }
    const auto count = whole(entry.second, 0, static_cast<std::int64_t>(kMostWritten));
    if (name && count) {
      indices.emplace_back(*name, static_cast<int>(*count));
      combinations *= static_cast<double>(*count);
    }
  }
  if (indices.empty() || !statements_node || !statements_node->IsSequence() ||
      statements_node->size() == 0) {
    error(node, fmt::format("found no {} in repeat, expected such as {{r: 4, body: [...]}}",
                            indices.empty() ? "index" : "statements"));
  } else if (indices.size() > kMostIndices) {
    error(node, fmt::format("found {} indices, expected at most {}", indices.size(), kMostIndices));
  } else if (combinations > static_cast<double>(kMostWritten)) {
    error(node,
          fmt::format("found {:.0f} repetitions, expected at most {}", combinations, kMostWritten));
  } else if (++depth_ > kMostNested) {
    error(node,
          fmt::format("found statements nested more than {} deep, expected fewer", kMostNested));
    --depth_;
  } else if (combinations == 0) {
    --depth_;  // found out only at the innermost index otherwise
  } else {
    write_out(*statements_node, indices, 0, into);
    --depth_;
  }
}

void KernelReader::write_out(const YAML::Node& node,
                             const std::vector<std::pair<std::string, int>>& indices,
                             std::size_t level, Body& into) {
  if (level == indices.size()) {
    statements(node, into);
    return;
  }
  const auto& [name, count] = indices[level];
  repeat_indices_.insert(name);
  for (int index = 0; index < count && written_ <= kMostWritten; ++index) {
    scope_.values[name] = index;
    write_out(node, indices, level + 1, into);
  }
  scope_.values.erase(name);
  repeat_indices_.erase(name);
}

// "acc.r.c" inside repeats over r and c: "acc.3.5".
std::string KernelReader::expand(const std::string& name) const {
  std::string expanded;
  std::size_t begin = 0;
  while (begin <= name.size()) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    const bool replace = begin > 0 && repeat_indices_.count(part) > 0;
    expanded +=
        (begin > 0 ? "." : "") + (replace ? fmt::format("{:.0f}", scope_.values.at(part)) : part);
    begin = end + 1;
  }
  return expanded;
}

}  // namespace smsim
