#include "sim/config/yaml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "sim/config/suggest.hpp"

namespace smsim {

namespace {

std::optional<YAML::Node> parse(std::istream& input, const std::string& name,
                                Diagnostics& problems) {
  try {
    std::vector<YAML::Node> documents = YAML::LoadAll(input);
    if (documents.size() > 1) {
      problems.add(name, documents[1].Mark(), "found a second document, expected one");
      return std::nullopt;
    }
    if (documents.empty() || documents[0].IsNull()) {
      problems.add(name, "found an empty file, expected a YAML mapping");
      return std::nullopt;
    }
    return documents[0];
  } catch (const YAML::Exception& error) {
    problems.add(name, error.mark, "found no valid YAML: " + error.msg);
    return std::nullopt;
  }
}

// Plain decimal numbers only (and underscores between digits, as in 65_536): a figure reads the
// same to everyone.
std::string without_underscores(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  return text;
}

constexpr std::size_t kMostNodes = 400000;
constexpr int kMostLevels = 100;

bool small_enough(const YAML::Node& node, int level, std::size_t& nodes) {
  if (++nodes > kMostNodes || level > kMostLevels) {
    return false;
  }
  if (node.IsSequence()) {
    for (const auto& item : node) {
      if (!small_enough(item, level + 1, nodes)) {
        return false;
      }
    }
  } else if (node.IsMap()) {
    for (const auto& entry : node) {
      if (!small_enough(entry.first, level + 1, nodes) ||
          !small_enough(entry.second, level + 1, nodes)) {
        return false;
      }
    }
  }
  return true;
}

template <class T>
bool parse_whole(const std::string& text, T& value) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') {
    ++begin;
  }
  const auto [stop, error] = std::from_chars(begin, end, value);
  return error == std::errc() && stop == end && begin != end;
}

template <class T>
std::string range_text(const char* kind, T min, T max) {
  return min == max ? fmt::format("{}", min) : fmt::format("{} from {} to {}", kind, min, max);
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, Diagnostics& problems) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    problems.add(path, "cannot be read: it is a folder");
    return std::nullopt;
  }
  errno = 0;
  std::ifstream input(path);
  const std::string reason = std::generic_category().message(errno);
  std::ostringstream text;
  if (!input) {
    problems.add(path, "cannot be read: " + reason);
    return std::nullopt;
  }
  if (input.peek() != std::ifstream::traits_type::eof()) {  // nothing to copy would be a failure
    text << input.rdbuf();
  }
  return text.str();
}

std::optional<YAML::Node> load_yaml_file(const std::string& path, Diagnostics& problems) {
  const std::optional<std::string> text = read_file(path, problems);
  return text ? load_yaml_text(*text, path, problems) : std::nullopt;
}

std::optional<YAML::Node> load_yaml_text(const std::string& text, const std::string& name,
                                         Diagnostics& problems) {
  std::istringstream input(text);
  return parse(input, name, problems);
}

bool small_enough(const YAML::Node& node) {
  std::size_t nodes = 0;
  return small_enough(node, 0, nodes);
}

std::optional<YAML::Node> load_small_yaml_text(const std::string& text, const std::string& name,
                                               std::size_t most_bytes, Diagnostics& problems) {
  if (text.size() > most_bytes) {
    problems.add(name, fmt::format("found a file of {} bytes, expected at most {}", text.size(),
                                   most_bytes));
    return std::nullopt;
  }
  std::optional<YAML::Node> document = load_yaml_text(text, name, problems);
  if (document && !small_enough(*document)) {
    problems.add(name, kTooLarge);
    return std::nullopt;
  }
  return document;
}

bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

std::string describe(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Scalar: {
      constexpr std::size_t kLongest = 40;
      const std::string& text = node.Scalar();
      return text.size() <= kLongest ? "'" + text + "'" : "'" + text.substr(0, kLongest) + "...'";
    }
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a mapping";
    default:
      return "nothing";
  }
}

std::optional<YAML::Node> value_of(const YAML::Node& mapping, const std::string& key) {
  if (mapping.IsMap()) {
    for (const auto& entry : mapping) {
      if (entry.first.IsScalar() && entry.first.Scalar() == key) {
        return entry.second;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> read_integer(const ReadContext& context, const YAML::Node& node,
                                         std::int64_t min, std::int64_t max) {
  std::int64_t value = 0;
  if (node.IsScalar() && parse_whole(without_underscores(node.Scalar()), value) && value >= min &&
      value <= max) {
    return value;
  }
  context.error(node, fmt::format("found {}, expected {}", describe(node),
                                  range_text("an integer", min, max)));
  return std::nullopt;
}

std::optional<double> read_number(const ReadContext& context, const YAML::Node& node, double min,
                                  double max) {
  double value = 0;
  if (node.IsScalar() && parse_whole(without_underscores(node.Scalar()), value) &&
      std::isfinite(value) && value >= min && value <= max) {
    return value;
  }
  context.error(
      node, fmt::format("found {}, expected {}", describe(node), range_text("a number", min, max)));
  return std::nullopt;
}

std::optional<bool> read_bool(const ReadContext& context, const YAML::Node& node) {
  if (node.IsScalar()) {
    const std::string& text = node.Scalar();
    if (text == "true" || text == "yes" || text == "on") {
      return true;
    }
    if (text == "false" || text == "no" || text == "off") {
      return false;
    }
  }
  context.error(node, fmt::format("found {}, expected true or false", describe(node)));
  return std::nullopt;
}

std::optional<std::string> read_text(const ReadContext& context, const YAML::Node& node) {
  if (node.IsScalar()) {
    return node.Scalar();
  }
  context.error(node, fmt::format("found {}, expected text", describe(node)));
  return std::nullopt;
}

std::optional<std::string> read_choice(const ReadContext& context, const YAML::Node& node,
                                       const std::vector<std::string>& choices) {
  if (node.IsScalar() &&
      std::find(choices.begin(), choices.end(), node.Scalar()) != choices.end()) {
    return node.Scalar();
  }
  const std::string hint = node.IsScalar() ? did_you_mean(node.Scalar(), choices) : "";
  context.error(node, fmt::format("found {}, expected one of {}{}", describe(node),
                                  fmt::join(choices, ", "), hint));
  return std::nullopt;
}

MappingReader::MappingReader(ReadContext context, const YAML::Node& node)
    : context_(std::move(context)), node_(node) {
  if (!node.IsMap()) {
    if (!node.IsNull()) {
      context_.error(node, fmt::format("found {}, expected a mapping", describe(node)));
    }
    node_.reset();  // assigning would change the document itself
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) {
      context_.error(entry.first,
                     fmt::format("found {} as a key, expected a name", describe(entry.first)));
    } else if (!seen.insert(entry.first.Scalar()).second) {
      context_.error(entry.first, fmt::format("found '{}' a second time, expected each key once",
                                              entry.first.Scalar()));
    }
  }
}

std::optional<YAML::Node> MappingReader::find(const std::string& key) {
  asked_.push_back(key);
  std::optional<YAML::Node> value = value_of(node_, key);
  return value && value->IsNull() ? std::nullopt : value;
}

std::optional<YAML::Node> MappingReader::require(const std::string& key) {
  std::optional<YAML::Node> value = find(key);
  if (!value) {
    context_.error(node_, fmt::format("found no '{}', expected one", key));
  }
  return value;
}

void MappingReader::finish() {
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) {
      continue;  // reported by the constructor
    }
    const std::string& key = entry.first.Scalar();
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
      context_.error(entry.first, fmt::format("found unknown key '{}', expected one of {}{}", key,
                                              fmt::join(asked_, ", "), did_you_mean(key, asked_)));
    }
  }
}

}  // namespace smsim
