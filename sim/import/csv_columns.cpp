#include "sim/import/csv_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "sim/config/suggest.hpp"

namespace smsim {

std::string folded(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return "";
  }
  std::string out(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::optional<std::size_t> CsvColumns::find(const std::vector<std::string_view>& names) const {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (folded(names_[i]) == folded(name)) {
        return i;
      }
    }
  }
  return std::nullopt;
}

std::string CsvColumns::near(std::string_view name) const {
  // Columns that share a word with the name, after the one that is spelt most like it.
  std::string text = did_you_mean(name, names_);
  std::vector<std::string> alike;
  const std::string wanted = folded(name);
  const std::string_view word = std::string_view(wanted).substr(wanted.find(' ') + 1);
  for (const std::string& candidate : names_) {
    if (alike.size() < 4 && folded(candidate).find(word) != std::string::npos) {
      alike.push_back("'" + candidate + "'");
    }
  }
  if (!alike.empty()) {
    return text + fmt::format("; alike: {}", fmt::join(alike, ", "));
  }
  if (!text.empty()) {
    return text;
  }
  const std::size_t shown = std::min<std::size_t>(names_.size(), 6);
  return fmt::format(
      "; the columns begin '{}'",
      fmt::join(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(shown), "', '"));
}

}  // namespace smsim
