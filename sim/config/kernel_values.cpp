// Numbers, names and problems of kernel files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

namespace {

std::string plain(double value) {
  return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{}", value);
}

// "'n / block' (390625.5)": as written, and what it comes to.
std::string shown(const YAML::Node& node, double value) {
  const std::string text = describe(node);
  const std::string result = plain(value);
  return node.Scalar() == result ? text : fmt::format("{} ({})", text, result);
}

}  // namespace

KernelReader::Keys::Keys(KernelReader& reader, const YAML::Node& node, std::string what)
    : reader_(reader), node_(node), what_(std::move(what)) {
  if (!node.IsMap()) {
    reader_.error(node, fmt::format("found {}, expected {} as a mapping", describe(node), what_));
    node_.reset();
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) {
      reader_.error(entry.first,
                    fmt::format("found {} as a key, expected a name", describe(entry.first)));
    } else if (!seen.insert(entry.first.Scalar()).second) {
      reader_.error(entry.first, fmt::format("found '{}' a second time, expected each key once",
                                             entry.first.Scalar()));
    }
  }
}

std::optional<YAML::Node> KernelReader::Keys::find(const std::string& key) {
  asked_.push_back(key);
  return value_of(node_, key);
}

std::optional<YAML::Node> KernelReader::Keys::require(const std::string& key) {
  std::optional<YAML::Node> value = find(key);
  if (!value && node_.IsMap()) {
    reader_.error(node_, fmt::format("found no '{}' in {}, expected one", key, what_));
  }
  return value;
}

void KernelReader::Keys::finish() {
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) {
      continue;  // reported by the constructor
    }
    const std::string& key = entry.first.Scalar();
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
      reader_.error(entry.first,
                    fmt::format("found unknown key '{}' in {}, expected one of {}{}", key, what_,
                                fmt::join(asked_, ", "), did_you_mean(key, asked_)));
    }
  }
}

void KernelReader::error(const YAML::Node& node, const std::string& message, int column) {
  for (const auto& [changed, text] : overridden_) {
    if (node.IsDefined() && changed.is(node)) {
      problems_.add("", fmt::format("--set {}: {}", text, message));
      return;
    }
  }
  YAML::Mark mark = node.IsDefined() ? node.Mark() : YAML::Mark::null_mark();
  if (mark.is_null()) {
    mark = statement_mark_;  // a value that is not written at all
  }
  mark.column += column;
  if (reported_.insert(fmt::format("{}:{}:{}", mark.line, mark.column, message)).second) {
    problems_.add(file_, mark, message);
  }
}

SourcePosition KernelReader::position(const YAML::Node& node) {
  return {node.Mark().line + 1, node.Mark().column + 1};
}

std::optional<double> KernelReader::number(const YAML::Node& node, double min, double max) {
  const std::string expected =
      fmt::format("expected a number from {} to {}", plain(min), plain(max));
  if (!node.IsScalar()) {
    error(node, fmt::format("found {}, {}", describe(node), expected));
    return std::nullopt;
  }
  ExpressionError problem;
  const std::optional<LinearForm> value = evaluate(node.Scalar(), scope_, problem);
  if (!value) {
    error(node, problem.message, problem.column);
    return std::nullopt;
  }
  if (value->constant < min || value->constant > max) {
    error(node, fmt::format("found {}, {}", shown(node, value->constant), expected));
    return std::nullopt;
  }
  return value->constant;
}

std::optional<std::int64_t> KernelReader::whole(const YAML::Node& node, std::int64_t min,
                                                std::int64_t max) {
  // Doubles hold whole numbers exactly up to here.
  constexpr double kExact = 9007199254740992.0;
  const std::optional<double> value = number(node, -kExact, kExact);
  if (!value) {
    return std::nullopt;
  }
  const std::string expected = fmt::format("expected a whole number from {} to {}", min, max);
  if (*value != std::floor(*value)) {
    error(node, fmt::format("found {}, {}; did you mean ceil({})?", shown(node, *value), expected,
                            node.Scalar()));
    return std::nullopt;
  }
  if (*value < static_cast<double>(min) || *value > static_cast<double>(max)) {
    error(node, fmt::format("found {}, {}", shown(node, *value), expected));
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*value);
}

std::optional<bool> KernelReader::boolean(const YAML::Node& node) {
  if (node.IsScalar()) {
    if (node.Scalar() == "true") {
      return true;
    }
    if (node.Scalar() == "false") {
      return false;
    }
  }
  error(node, fmt::format("found {}, expected true or false", describe(node)));
  return std::nullopt;
}

std::optional<std::string> KernelReader::word(const YAML::Node& node) {
  if (node.IsScalar() && !node.Scalar().empty()) {
    return node.Scalar();
  }
  error(node, fmt::format("found {}, expected a name", describe(node)));
  return std::nullopt;
}

std::optional<std::string> KernelReader::choice(const YAML::Node& node,
                                                const std::vector<std::string>& choices) {
  if (node.IsScalar() &&
      std::find(choices.begin(), choices.end(), node.Scalar()) != choices.end()) {
    return node.Scalar();
  }
  const std::string hint = node.IsScalar() ? did_you_mean(node.Scalar(), choices) : "";
  error(node, fmt::format("found {}, expected one of {}{}", describe(node),
                          fmt::join(choices, ", "), hint));
  return std::nullopt;
}

// A name that the file gives to something: letters, digits and underscores.
std::optional<std::string> KernelReader::new_name(const YAML::Node& node) {
  std::optional<std::string> name = word(node);
  if (name && (!is_name(*name) || name->find('.') != std::string::npos)) {
    error(node, fmt::format("found {}, expected a name of letters, digits and underscores",
                            describe(node)));
    return std::nullopt;
  }
  return name;
}

// "3" or "0..7", both ends included.
std::optional<KernelReader::Range> KernelReader::range(const YAML::Node& node) {
  if (!node.IsScalar()) {
    error(node, fmt::format("found {}, expected a number or a range such as 0..7", describe(node)));
    return std::nullopt;
  }
  const std::string& text = node.Scalar();
  const std::size_t dots = text.find("..");
  const auto end_of_range = [&](const std::string& part) -> std::optional<std::uint64_t> {
    ExpressionError problem;
    const std::optional<LinearForm> value = evaluate(part, scope_, problem);
    if (!value || value->constant < 0 || value->constant > 1e15 ||
        value->constant != std::floor(value->constant)) {
      error(node, value ? fmt::format("found {}, expected whole numbers from 0 on, such as 0..7",
                                      describe(node))
                        : problem.message);
      return std::nullopt;
    }
    return static_cast<std::uint64_t>(value->constant);
  };
  const std::optional<std::uint64_t> first = end_of_range(text.substr(0, dots));
  const std::optional<std::uint64_t> last =
      dots == std::string::npos ? first : end_of_range(text.substr(dots + 2));
  if (!first || !last) {
    return std::nullopt;
  }
  if (*last < *first) {
    error(node, fmt::format("found {}, expected the smaller number first", describe(node)));
    return std::nullopt;
  }
  return Range{*first, *last + 1};
}

// {distribution: pareto, mean: 40, shape: 1.3, min: 1, max: 5000}; a plain number is constant.
Distribution KernelReader::distribution(const YAML::Node& node) {
  constexpr double kMost = 4294967295.0;
  Distribution made;
  if (node.IsScalar()) {
    made.mean = number(node, 0, kMost).value_or(0);
    return made;
  }
  Keys keys(*this, node, "a distribution");
  const auto read = [&](const char* key, double min, double& into, bool needed) {
    if (const auto value = needed ? keys.require(key) : keys.find(key)) {
      into = number(*value, min, kMost).value_or(into);
    }
  };
  using Kind = Distribution::Kind;
  static const std::vector<std::pair<std::string, Kind>> kKinds = {
      {"constant", Kind::constant},       {"uniform", Kind::uniform},     {"normal", Kind::normal},
      {"exponential", Kind::exponential}, {"lognormal", Kind::lognormal}, {"pareto", Kind::pareto},
      {"bimodal", Kind::bimodal}};
  std::vector<std::string> names;
  names.reserve(kKinds.size());
  for (const auto& [name, kind] : kKinds) {
    names.push_back(name);
  }
  if (const auto kind_node = keys.require("distribution")) {
    if (const auto name = choice(*kind_node, names)) {
      made.kind = kKinds[static_cast<std::size_t>(std::find(names.begin(), names.end(), *name) -
                                                  names.begin())]
                      .second;
    }
  }
  const bool uniform = made.kind == Kind::uniform;
  read("min", 0, made.minimum, uniform);
  read("max", 0, made.maximum, uniform);
  switch (made.kind) {
    case Kind::uniform:
      made.mean = (made.minimum + made.maximum) / 2;
      break;
    case Kind::bimodal:
      read("common", 0, made.mean, true);
      read("rare", 0, made.spread, true);
      if (const auto share = keys.require("share")) {
        made.share = number(*share, 0, 1).value_or(0);
      }
      break;
    case Kind::normal:
    case Kind::lognormal:
      read("mean", 0, made.mean, true);
      read("deviation", 0, made.spread, true);
      break;
    case Kind::pareto:
      read("mean", 0, made.mean, true);
      made.spread = 2;
      read("shape", 1.01, made.spread, true);
      break;
    default:
      read("mean", 0, made.mean, true);
      break;
  }
  if (made.maximum < made.minimum) {
    error(node, "found a 'max' below 'min', expected it above");
  }
  keys.finish();
  return made;
}

}  // namespace smsim
