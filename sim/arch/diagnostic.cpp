#include "smsim/diagnostic.hpp"

#include <utility>

namespace smsim {

namespace {

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) {
      text += '\n';
    }
    text += to_string(diagnostic);
  }
  return text;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) {
    text += diagnostic.file + ":";
    if (diagnostic.line > 0) {
      text += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ":";
    }
    text += ' ';
  }
  return text + "error: " + diagnostic.message;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(const std::string& message)
    : InputError(std::vector<Diagnostic>{{"", 0, 0, message}}) {}

}  // namespace smsim
