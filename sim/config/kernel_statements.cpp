// The statements of a program, one after the other: operations and keywords.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/kernel/operations.hpp"

namespace smsim {

namespace {

constexpr double kLargestConstant = 1e300;

const std::vector<std::string>& keywords() {
  static const std::vector<std::string> kWords = {
      "guard", "for",      "repeat",        "if",          "barrier",
      "fence", "syncwarp", "grid_sync",     "signal",      "wait",
      "cas",   "ticket",   "commit_copies", "wait_copies", "arrive",
      "await", "cluster",  "set_registers", "sleep"};
  return kWords;
}

// Sources of the arithmetic that has always as many; 0 where they vary.
std::size_t source_count(std::string_view family) {
  static const std::map<std::string_view, std::size_t> kCounts = {
      {"FFMA", 3}, {"FADD", 2},  {"FMUL", 2},  {"DFMA", 3}, {"DADD", 2},
      {"DMUL", 2}, {"HFMA2", 3}, {"HADD2", 2}, {"HMUL2", 2}};
  const auto found = kCounts.find(family);
  return found == kCounts.end() ? 0 : found->second;
}

bool is_keyword(const std::string& word) {
  return std::find(keywords().begin(), keywords().end(), word) != keywords().end();
}

}  // namespace

Body KernelReader::body(const YAML::Node& node) {
  Body made;
  if (!node.IsSequence() || node.size() == 0) {
    error(node, fmt::format("found {}, expected a list of statements",
                            node.IsSequence() ? "an empty list" : describe(node)));
    return made;
  }
  if (++depth_ > kMostNested) {
    error(node,
          fmt::format("found statements nested more than {} deep, expected fewer", kMostNested));
  } else {
    statements(node, made);
  }
  --depth_;
  return made;
}

void KernelReader::statements(const YAML::Node& node, Body& into) {
  for (const auto& item : node) {
    if (++written_ > kMostWritten) {
      error(node, fmt::format("found more than {} statements, expected fewer: repeat less",
                              kMostWritten));
      return;
    }
    if (item.IsMap() && item.size() == 1 && item.begin()->first.IsScalar() &&
        item.begin()->first.Scalar() == "repeat") {
      repeat(item.begin()->second, into);
    } else if (std::optional<Statement> read = statement(item)) {
      into.push_back(std::move(*read));
    }
  }
}

// `barrier`, `guard: i < n`, `x: {op: ...}`, or `{op: ...}`.
std::optional<Statement> KernelReader::statement(const YAML::Node& node) {
  statement_mark_ = node.Mark();
  if (node.IsScalar()) {
    return keyword(node.Scalar(), node, YAML::Node());
  }
  if (!node.IsMap() || node.size() == 0) {
    error(node, fmt::format("found {}, expected a statement", describe(node)));
    return std::nullopt;
  }
  std::optional<Statement::What> what;
  if (node["op"].IsDefined()) {
    what = operation("", node, node);
  } else if (node.size() > 1) {
    error(node, fmt::format("found a statement of {} keys, expected one: start each statement with "
                            "its own '-'",
                            node.size()));
  } else {
    const YAML::Node key = node.begin()->first;
    const YAML::Node value = node.begin()->second;
    const std::optional<std::string> name = word(key);
    if (!name) {
      return std::nullopt;
    }
    if (is_keyword(*name) || !value.IsMap() || !value["op"].IsDefined()) {
      return keyword(*name, key, value);
    }
    what = operation(*name, key, value);
  }
  if (!what) {
    return std::nullopt;
  }
  return Statement{position(node), std::move(*what)};
}

std::optional<Statement> KernelReader::keyword(const std::string& name, const YAML::Node& key,
                                               const YAML::Node& node) {
  std::optional<Statement::What> what;
  const auto count = [&](std::int64_t min, std::int64_t max) {
    return static_cast<int>(whole(node, min, max).value_or(min));
  };
  if (name == "guard") {
    what = GuardStatement{comparison(node)};
  } else if (name == "for") {
    what = for_statement(node);
  } else if (name == "if") {
    what = if_statement(node);
  } else if (name == "barrier") {
    what = barrier_statement(node);
  } else if (name == "fence") {
    const std::string scope =
        node.IsNull() ? "gpu" : choice(node, {"cta", "gpu", "system"}).value_or("gpu");
    what = FenceStatement{scope == "cta"   ? FenceScope::cta
                          : scope == "gpu" ? FenceScope::gpu
                                           : FenceScope::system};
  } else if (name == "syncwarp") {
    what = SyncWarpStatement{};
  } else if (name == "grid_sync") {
    what = GridSyncStatement{};
  } else if (name == "signal" || name == "wait") {
    what = flag_statement(node, name == "signal");
  } else if (name == "cas") {
    what = cas_statement(node);
  } else if (name == "ticket") {
    what = ticket_statement(node);
  } else if (name == "commit_copies") {
    what = CommitStatement{};
  } else if (name == "wait_copies") {
    what = WaitCopiesStatement{node.IsNull() ? 0 : count(0, 4)};
  } else if (name == "arrive" || name == "await") {
    what = MbarrierStatement{word(node).value_or(""), name == "await"};
  } else if (name == "cluster") {
    what = cluster_statement(node);
  } else if (name == "set_registers") {
    what = SetRegistersStatement{count(24, 240)};
  } else if (name == "sleep") {
    what = SleepStatement{static_cast<std::uint32_t>(count(1, 60000))};
  } else {
    error(key, fmt::format("found unknown statement '{}', expected a value with an 'op', or one of "
                           "{}{}",
                           name, fmt::join(keywords(), ", "), did_you_mean(name, keywords())));
  }
  if (!what) {
    return std::nullopt;
  }
  return Statement{position(key), std::move(*what)};
}

// A name of the program, or an expression, which is a number: parameters stand for their values.
std::optional<ValueSource> KernelReader::value(const YAML::Node& node) {
  const std::optional<std::string> text = word(node);
  if (!text) {
    return std::nullopt;
  }
  if (is_name(*text) && scope_.values.count(*text) == 0) {
    return ValueSource{expand(*text), position(node)};
  }
  const std::optional<double> constant = number(node, -kLargestConstant, kLargestConstant);
  return ValueSource{fmt::format("{}", constant.value_or(0)), position(node)};
}

std::vector<ValueSource> KernelReader::values(const YAML::Node& node) {
  constexpr std::size_t kMostSources = 8;
  std::vector<ValueSource> made;
  if (!node.IsSequence()) {
    if (const auto single = value(node)) {
      made.push_back(*single);
    }
    return made;
  }
  if (node.size() > kMostSources) {
    error(node, fmt::format("found {} sources, expected at most {}", node.size(), kMostSources));
    return made;
  }
  for (const auto& item : node) {
    if (const auto single = value(item)) {
      made.push_back(*single);
    }
  }
  return made;
}

std::optional<Statement::What> KernelReader::operation(const std::string& result,
                                                       const YAML::Node& key,
                                                       const YAML::Node& node) {
  OperationStatement made;
  Keys keys(*this, node, "an operation");
  const auto op = keys.require("op");
  const std::optional<std::string> name = op ? word(*op) : std::nullopt;
  if (!name) {
    return std::nullopt;
  }
  const sass::OperationInfo* info = sass::find_operation(*name);
  if (info == nullptr || info->kind == sass::OperationKind::control) {
    error(*op,
          fmt::format("found unknown operation '{}', expected a SASS operation such as FFMA, "
                      "IADD3 or LDG{}",
                      *name,
                      did_you_mean(name->substr(0, name->find('.')), sass::operation_families())));
    return std::nullopt;
  }
  made.op = *name;
  if (!result.empty()) {
    if (!is_name(result) || result.back() == '.') {
      error(key, fmt::format("found '{}' as the name of a result, expected letters, digits and "
                             "underscores",
                             result));
    }
    made.result = ValueSource{expand(result), position(key)};
  }
  if (const auto sources = keys.find("src")) {
    made.sources = values(*sources);
    const std::size_t found = sources->IsSequence() ? sources->size() : 1;
    const std::size_t expected = source_count(info->family);
    if (expected > 0 && found != expected) {
      error(*sources, fmt::format("found {} {} of {}, expected {}", found,
                                  found == 1 ? "source" : "sources", info->family, expected));
    }
  }
  if (const auto when = keys.find("when")) {
    made.when = value(*when);
  }
  made.registers = whole_or(keys.find("registers"), 1, 128, 0);
  const bool memory =
      info->kind != sass::OperationKind::compute && info->kind != sass::OperationKind::exchange;
  if (memory) {
    made.access = access(keys, std::string(info->family), node);
  }
  if (!result.empty() && info->result_width == 0) {
    error(key, fmt::format("found a result of {}, which returns nothing: expected '- {{op: {}, "
                           "...}}'",
                           info->family, info->family));
  }
  if (info->kind == sass::OperationKind::store && made.sources.empty()) {
    error(node, fmt::format("found no 'src' of {}, expected the value to store", info->family));
  }
  keys.finish();
  return made;
}

}  // namespace smsim
