// The `sources:` section of a data file: who says so, by path prefix.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/config/yaml_reader.hpp"
#include "smsim/gpu_file.hpp"

namespace smsim {

class SourceTable {
 public:
  struct Entry {
    std::string prefix;
    YAML::Node node;
    SourceStatus status = SourceStatus::unverified;
    std::string text;
    bool used = false;
  };

  /// Reads "path: status, words" pairs.
  SourceTable(ReadContext context, const std::optional<YAML::Node>& section);

  /// The entry with the longest prefix of `path`, or nullptr. Every entry that covers `path` counts
  /// as used.
  const Entry* find(const std::string& path);
  /// Reports entries that cover none of the paths asked for: a typing mistake, most likely.
  void report_unused() const;

 private:
  SourceStatus read_status(const YAML::Node& node) const;

  ReadContext context_;
  std::vector<Entry> entries_;
  std::vector<std::string> asked_;
};

}  // namespace smsim
