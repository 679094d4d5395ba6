// What is wrong with one file, reported at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim {

class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  bool empty() const { return found_.empty(); }
  /// A problem in `line`, or of the file as a whole (line 0).
  void add(int line, const std::string& message) {
    found_.push_back({file_, line, line > 0 ? 1 : 0, message});
  }
  /// Adds the problem and throws with all found.
  [[noreturn]] void fail(int line, const std::string& message) {
    add(line, message);
    throw_all();
  }
  void throw_if_any() const {
    if (!found_.empty()) {
      throw_all();
    }
  }

 private:
  static constexpr std::size_t kShown = 20;  // the rest is counted: a file may be wrong all over

  [[noreturn]] void throw_all() const {
    std::vector<Diagnostic> shown = found_;
    if (found_.size() > kShown) {
      shown.resize(kShown);
      shown.push_back(
          {file_, 0, 0, "and " + std::to_string(found_.size() - kShown) + " more like these"});
    }
    throw InputError(shown);
  }

  std::string file_;
  std::vector<Diagnostic> found_;
};

}  // namespace smsim
