// What is wrong with an input, and where.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace smsim {

/// One problem in one input. Lines and columns count from 1; 0 means unknown or not a file.
struct Diagnostic {
  std::string file;
  int line = 0;
  int column = 0;
  std::string message;  // lower case, no full stop: "found 7, expected 1 to 5"
};

/// "file:line:col: error: message", without the parts that are unknown.
std::string to_string(const Diagnostic& diagnostic);

/// Thrown when an input cannot be used: carries every problem found, not only the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  explicit InputError(const std::string& message);

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace smsim
