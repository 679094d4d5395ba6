// Memory operations: array, index, pattern, hit rates, contention.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

std::optional<AccessSource> KernelReader::access(Keys& keys, const std::string& family,
                                                 const YAML::Node& node) {
  AccessSource made;
  made.index.at = position(node);
  const auto array = keys.require("array");
  if (!array) {
    return std::nullopt;
  }
  made.array = word(*array).value_or("");
  made.array_at = position(*array);
  const ArraySource* found = find_array(*array);
  const bool shared = found != nullptr && found->space == Space::shared;
  const bool on_chip_family =
      family == "LDS" || family == "STS" || family == "ATOMS" || family == "LDSM" || family == "LD";
  if (found != nullptr && shared != on_chip_family) {
    error(*array, fmt::format("found '{}', which is {}, expected a {} array for {}", made.array,
                              shared ? "shared" : "global", shared ? "global" : "shared", family));
  }
  if (const auto where = keys.find("index")) {
    made.index = index(*where);
  } else {
    made.index.terms.push_back({shared ? "tid" : "i", 1});
  }
  if (const auto bytes = keys.find("bytes")) {
    const std::int64_t size = whole(*bytes, 1, 16).value_or(4);
    if ((size & (size - 1)) != 0) {
      error(*bytes, fmt::format("found {} bytes per thread, expected 1, 2, 4, 8 or 16", size));
    }
    made.bytes = static_cast<int>(size);
  }
  read_pattern(keys, made.pattern);
  if (const auto rate = keys.find("l1_hit")) {
    made.l1_hit = number(*rate, 0, 1);
  }
  if (const auto rate = keys.find("l2_hit")) {
    made.l2_hit = number(*rate, 0, 1);
  }
  if (family == "ATOMG" || family == "ATOMS" || family == "RED") {
    read_atomic(keys, made);
  }
  if (family == "LDGSTS" || family == "UBLKCP") {
    read_copy(keys, family, made);
  }
  return made;
}

const ArraySource* KernelReader::find_array(const YAML::Node& node) {
  std::vector<std::string> names;
  names.reserve(kernel_.arrays.size());
  for (const ArraySource& array : kernel_.arrays) {
    names.push_back(array.array.name);
    if (node.IsScalar() && array.array.name == node.Scalar()) {
      return &array;
    }
  }
  error(node, fmt::format("found unknown array {}, expected one of 'arrays:'{}", describe(node),
                          node.IsScalar() ? did_you_mean(node.Scalar(), names) : ""));
  return nullptr;
}

// What the lanes of a warp touch together.
void KernelReader::read_pattern(Keys& keys, PatternSource& pattern) {
  using Kind = PatternSource::Kind;
  constexpr std::int64_t kFar = std::int64_t{1} << 32U;
  const auto stride = keys.find("stride");
  const auto rows = keys.find("rows");
  const auto columns = keys.find("columns");
  if (stride) {
    pattern.kind = Kind::strided;
    pattern.stride = whole_or(stride, 0, kFar, std::uint64_t{1});
  }
  if (rows || columns) {
    pattern.kind = Kind::tile;
    pattern.rows = whole_or(rows, 1, 32, std::uint64_t{1});
    pattern.columns = whole_or(columns, 1, 32, std::uint64_t{32} / pattern.rows);
    if (pattern.rows * pattern.columns > 32) {
      error(rows.value_or(*columns),
            fmt::format("found a tile of {} x {}, expected at most 32 lanes", pattern.rows,
                        pattern.columns));
    }
  }
  if (const auto pitch = keys.find("pitch")) {
    pattern.pitch = whole_or(pitch, 1, kFar, std::uint64_t{1});
  }
  if (const auto node = keys.find("pattern")) {
    static const std::vector<std::string> kNames = {"coalesced", "strided", "broadcast", "random",
                                                    "tile"};
    if (const auto name = choice(*node, kNames)) {
      const auto kind =
          static_cast<Kind>(std::find(kNames.begin(), kNames.end(), *name) - kNames.begin());
      if ((kind == Kind::strided && !stride) || (kind == Kind::tile && !rows && !columns)) {
        error(*node, fmt::format("found pattern '{}' alone, expected {}", *name,
                                 kind == Kind::strided ? "a 'stride'" : "'rows' and 'columns'"));
      }
      pattern.kind = kind;
    }
  }
  if (const auto conflict = keys.find("conflict")) {
    pattern.conflict = whole_or(conflict, 1, 32, std::uint64_t{1});
  }
  if (const auto lines = keys.find("lines")) {
    pattern.lines = whole_or(lines, 1, 64, std::uint64_t{1});
  }
  if (const auto sectors = keys.find("sectors")) {
    pattern.sectors = whole_or(sectors, 1, 128, std::uint64_t{4});
  }
}

void KernelReader::read_atomic(Keys& keys, AccessSource& access) {
  access.addresses = whole_or(keys.find("addresses"), 0, 4294967295, std::uint32_t{0});
  if (const auto lanes = keys.find("lanes_per_address")) {
    access.lanes_per_address = whole_or(lanes, 1, 32, std::uint64_t{1});
  }
  if (const auto aggregated = keys.find("aggregated")) {
    access.aggregated = boolean(*aggregated).value_or(false);
  }
}

void KernelReader::read_copy(Keys& keys, const std::string& family, AccessSource& access) {
  if (const auto to = keys.require("to")) {
    access.to = word(*to).value_or("");
    const ArraySource* target = find_array(*to);
    if (target != nullptr && target->space != Space::shared) {
      error(*to, fmt::format("found '{}', which is global, expected a shared array", access.to));
    }
  }
  if (family != "UBLKCP") {
    return;
  }
  if (const auto bytes = keys.require("copy_bytes")) {
    access.copy_bytes = whole_or(bytes, 16, 1 << 20, std::uint64_t{16});
  }
  if (const auto barrier = keys.require("mbarrier")) {
    access.mbarrier = word(*barrier).value_or("");
    std::vector<std::string> names;
    names.reserve(kernel_.mbarriers.size());
    for (const Mbarrier& other : kernel_.mbarriers) {
      names.push_back(other.name);
    }
    if (std::find(names.begin(), names.end(), access.mbarrier) == names.end()) {
      error(*barrier, fmt::format("found unknown mbarrier '{}', expected one of 'mbarriers:'{}",
                                  access.mbarrier, did_you_mean(access.mbarrier, names)));
    }
  }
}

// "i", "k * 1024 + i + 1": a sum of constant x name, names being values and indices.
IndexSource KernelReader::index(const YAML::Node& node) {
  constexpr double kLargest = 1099511627776.0;  // 2^40 elements
  IndexSource made;
  made.at = position(node);
  if (!node.IsScalar()) {
    error(node,
          fmt::format("found {}, expected an index such as 'i' or '4 * i + 1'", describe(node)));
    return made;
  }
  ExpressionScope scope = scope_;
  scope.open = true;
  ExpressionError problem;
  const std::optional<LinearForm> form = evaluate(node.Scalar(), scope, problem);
  if (!form) {
    error(node, problem.message, problem.column);
    return made;
  }
  const auto element = [&](double number) {
    if (number != std::floor(number) || std::abs(number) > kLargest) {
      error(node, fmt::format("found {} in an index, expected whole numbers up to 2^40", number));
      return std::int64_t{0};
    }
    return static_cast<std::int64_t>(number);
  };
  made.offset = element(form->constant);
  for (const auto& [name, factor] : form->terms) {
    if (factor != 0) {
      made.terms.push_back({expand(name), element(factor)});
    }
  }
  return made;
}

}  // namespace smsim
