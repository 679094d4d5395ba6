#include "sim/config/diagnostics.hpp"

#include <algorithm>
#include <tuple>

namespace smsim {

void Diagnostics::add(const std::string& file, const YAML::Mark& mark, const std::string& message) {
  // yaml-cpp counts from 0, and has -1 for a node that was never in a file.
  found_.push_back({file, mark.line + 1, mark.column + 1, message});
}

void Diagnostics::add(const std::string& file, const std::string& message) {
  found_.push_back({file, 0, 0, message});
}

void Diagnostics::throw_if_any() const {
  if (found_.empty()) {
    return;
  }
  std::vector<Diagnostic> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  throw InputError(sorted);
}

}  // namespace smsim
