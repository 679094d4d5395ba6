#include "sim/config/kernel_overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<std::size_t> list_position(const std::string& text, std::size_t size) {
  std::size_t position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || end != text.data() + text.size() || position >= size) {
    return std::nullopt;
  }
  return position;
}

std::vector<std::string> keys_of(const YAML::Node& mapping) {
  std::vector<std::string> keys;
  if (!mapping.IsMap()) {
    return keys;
  }
  for (const auto& entry : mapping) {
    if (entry.first.IsScalar()) {
      keys.push_back(entry.first.Scalar());
    }
  }
  return keys;
}

// One step down; nullopt when there is nothing of that name.
std::optional<YAML::Node> child(const YAML::Node& node, const std::string& name) {
  if (node.IsSequence()) {
    const auto position = list_position(name, node.size());
    return position ? std::optional<YAML::Node>(node[*position]) : std::nullopt;
  }
  return value_of(node, name);
}

void remember(const YAML::Node& node, const std::string& text, OverriddenNodes& overridden) {
  overridden.emplace_back(node, text);
  if (node.IsSequence()) {
    for (const auto& item : node) {
      remember(item, text, overridden);
    }
  } else if (node.IsMap()) {
    for (const auto& entry : node) {
      remember(entry.first, text, overridden);
      remember(entry.second, text, overridden);
    }
  }
}

// A key that the file does not have is not written there either.
void remember_key(const YAML::Node& mapping, const std::string& key, const std::string& text,
                  OverriddenNodes& overridden) {
  for (const auto& entry : mapping) {
    if (entry.first.IsScalar() && entry.first.Scalar() == key) {
      overridden.emplace_back(entry.first, text);
    }
  }
}

}  // namespace

std::vector<Override> parse_overrides(const std::vector<std::string>& texts,
                                      Diagnostics& problems) {
  std::vector<Override> parsed;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      problems.add("", fmt::format("--set: found '{}', expected path=value", text));
      continue;
    }
    parsed.push_back({text, text.substr(0, equals), text.substr(equals + 1)});
  }
  return parsed;
}

void apply_override(const YAML::Node& document, const Override& change, OverriddenNodes& overridden,
                    Diagnostics& problems) {
  YAML::Node value;
  try {
    const std::vector<YAML::Node> values = YAML::LoadAll(change.value);
    if (values.size() != 1 || !small_enough(values[0])) {
      problems.add(
          "", fmt::format("--set {}: {}", change.text,
                          values.size() == 1 ? std::string(kTooLarge)
                                             : fmt::format("found {} documents, expected one value",
                                                           values.size())));
      return;
    }
    value.reset(values[0]);
  } catch (const YAML::Exception& error) {
    problems.add("", fmt::format("--set {}: found no valid YAML: {}", change.text, error.msg));
    return;
  }
  const std::vector<std::string> parts = split_path(change.path);
  YAML::Node at = document;
  for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
    const std::optional<YAML::Node> next = child(at, parts[part]);
    if (!next) {
      // `launch`, `params` and the like may be missing from the file altogether.
      if (part == 0 && at.IsMap() && parts.size() == 2) {
        at[parts[0]] = YAML::Node(YAML::NodeType::Map);
        remember_key(at, parts[0], change.text, overridden);
        at.reset(at[parts[0]]);
        continue;
      }
      problems.add("", fmt::format("--set {}: found no '{}' in the file{}", change.text,
                                   parts[part], did_you_mean(parts[part], keys_of(at))));
      return;
    }
    at.reset(*next);
  }
  remember(value, change.text, overridden);
  const std::string& last = parts.back();
  if (at.IsSequence()) {
    const auto position = list_position(last, at.size());
    if (!position) {
      problems.add("", fmt::format("--set {}: found '{}', expected a place in a list of {}",
                                   change.text, last, at.size()));
      return;
    }
    at[*position] = value;
  } else if (at.IsMap() || at.IsNull()) {
    // Any other name that nobody reads is reported by the reader; a parameter would just be unused.
    if (parts.size() == 2 && parts[0] == "params" && !child(at, last)) {
      problems.add("", fmt::format("--set {}: found no parameter '{}' in the file{}", change.text,
                                   last, did_you_mean(last, keys_of(at))));
      return;
    }
    const bool is_new = !child(at, last);
    at[last] = value;
    if (is_new) {
      remember_key(at, last, change.text, overridden);
    }
  } else {
    problems.add("", fmt::format("--set {}: found a value at '{}', expected a mapping or a list",
                                 change.text, parts.size() > 1 ? parts[parts.size() - 2] : ""));
  }
}

}  // namespace smsim
