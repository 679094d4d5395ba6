// Collects the problems of an input, so that all of them are reported at once.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim {

class Diagnostics {
 public:
  /// A problem at a YAML node of `file`.
  void add(const std::string& file, const YAML::Mark& mark, const std::string& message);
  /// A problem of the file as a whole, or of something that is not a file (then `file` is "").
  void add(const std::string& file, const std::string& message);

  bool empty() const { return found_.empty(); }
  const std::vector<Diagnostic>& all() const { return found_; }
  /// Throws InputError with everything found, if anything was; in order of file position.
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> found_;
};

}  // namespace smsim
