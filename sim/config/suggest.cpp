#include "sim/config/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace smsim {

namespace {

constexpr int kEdit = 2;  // costs are in half edits, so that a wrong case costs 1

int replace_cost(char a, char b) {
  if (a == b) {
    return 0;
  }
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? 1 : kEdit;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> rows((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return rows[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = static_cast<int>(i + j) * kEdit;
        continue;
      }
      at(i, j) = std::min({at(i - 1, j) + kEdit, at(i, j - 1) + kEdit,
                           at(i - 1, j - 1) + replace_cost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + kEdit);
      }
    }
  }
  return at(a.size(), b.size());
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 64;  // nobody mistypes a novel
  if (word.empty() || word.size() > kLongestWord) {
    return "";
  }
  int best_distance = kEdit * static_cast<int>(std::max<std::size_t>(1, word.size() / 3)) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

}  // namespace smsim
