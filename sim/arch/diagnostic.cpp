#include "smsim/diagnostic.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace smsim {

namespace {

// A value that is used in two places is wrong in both: it is told once.
std::vector<Diagnostic> each_once(std::vector<Diagnostic> diagnostics) {
  std::set<std::string> said;
  const auto again = [&said](const Diagnostic& one) { return !said.insert(to_string(one)).second; };
  diagnostics.erase(std::remove_if(diagnostics.begin(), diagnostics.end(), again),
                    diagnostics.end());
  return diagnostics;
}

std::string join(const std::vector<Diagnostic>& diagnostics) {
  constexpr std::size_t kMostShown = 50;
  std::string text;
  const std::size_t shown = std::min(diagnostics.size(), kMostShown);
  for (std::size_t at = 0; at < shown; ++at) {
    text += (at > 0 ? "\n" : "") + to_string(diagnostics[at]);
  }
  if (diagnostics.size() > shown) {
    text += "\nand " + std::to_string(diagnostics.size() - shown) + " more errors";
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
    : std::runtime_error(join(each_once(diagnostics))),
      diagnostics_(each_once(std::move(diagnostics))) {}

InputError::InputError(const std::string& message)
    : InputError(std::vector<Diagnostic>{{"", 0, 0, message}}) {}

}  // namespace smsim
