// Reading YAML with a schema: typed scalars with ranges, unknown and repeated keys rejected, every
// problem placed.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/diagnostics.hpp"

namespace smsim {

/// Where values come from (`file`, for messages) and where problems go.
struct ReadContext {
  std::string file;
  Diagnostics& problems;

  void error(const YAML::Node& node, const std::string& message) const {
    problems.add(file, node.Mark(), message);
  }
};

/// The text of a file; nullopt (and a problem that says why) if it cannot be read.
std::optional<std::string> read_file(const std::string& path, Diagnostics& problems);

/// The one YAML document of a file or a text; nullopt (and a problem reported) if there is none.
std::optional<YAML::Node> load_yaml_file(const std::string& path, Diagnostics& problems);
std::optional<YAML::Node> load_yaml_text(const std::string& text, const std::string& name,
                                         Diagnostics& problems);

/// Aliases make a tree of a few lines as large as one likes, or endless: is it one that can be
/// walked?
bool small_enough(const YAML::Node& node);
inline constexpr const char* kTooLarge =
    "found aliases or nesting beyond all measure, expected a smaller document";

/// load_yaml_text for files that people write: refuses texts of more than `most_bytes`, and what is
/// not small_enough.
std::optional<YAML::Node> load_small_yaml_text(const std::string& text, const std::string& name,
                                               std::size_t most_bytes, Diagnostics& problems);

/// Escape sequences and the like, which would reach a terminal as they stand.
bool has_control_character(const std::string& text);

/// "the number 7", "a list", "'abc'": how a node is named in messages.
std::string describe(const YAML::Node& node);

/// What stands under `key` of a mapping; nullopt when it has no such key, or is no mapping.
std::optional<YAML::Node> value_of(const YAML::Node& mapping, const std::string& key);

// Each reads one scalar; on a problem it reports "found ..., expected ..." and returns nullopt.
std::optional<std::int64_t> read_integer(const ReadContext& context, const YAML::Node& node,
                                         std::int64_t min, std::int64_t max);
std::optional<double> read_number(const ReadContext& context, const YAML::Node& node, double min,
                                  double max);
std::optional<bool> read_bool(const ReadContext& context, const YAML::Node& node);
std::optional<std::string> read_text(const ReadContext& context, const YAML::Node& node);
/// One of `choices`; anything else is a problem, with the nearest choice suggested.
std::optional<std::string> read_choice(const ReadContext& context, const YAML::Node& node,
                                       const std::vector<std::string>& choices);

/// One mapping. Take each key that the schema knows with find(); finish() then reports the rest.
class MappingReader {
 public:
  /// Reports a problem if `node` is not a mapping (or null, which is an empty one), or repeats a
  /// key.
  MappingReader(ReadContext context, const YAML::Node& node);

  /// The value of `key`, or nullopt when it is absent or null.
  std::optional<YAML::Node> find(const std::string& key);
  /// Same, but reports a problem when it is absent.
  std::optional<YAML::Node> require(const std::string& key);
  /// Reports keys that nobody asked for.
  void finish();

 private:
  ReadContext context_;
  YAML::Node node_;
  std::vector<std::string> asked_;
};

}  // namespace smsim
