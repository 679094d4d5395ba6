#include "sim/cli/csv.hpp"

namespace smsim::cli {

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return "";
  }
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::string unquoted(std::string_view raw) {
  std::string text = trimmed(raw);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
    return text;
  }
  std::string value;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    value += text[i];
    if (text[i] == '"' && text[i + 1] == '"') {
      ++i;
    }
  }
  return value;
}

}  // namespace

std::vector<CsvCell> split_csv_line(std::string_view line) {
  std::vector<CsvCell> cells;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') {
      quoted = !quoted;
    }
    if (i == line.size() || (line[i] == ',' && !quoted)) {
      const std::string_view raw = line.substr(begin, i - begin);
      cells.push_back({std::string(raw), unquoted(raw), static_cast<int>(begin) + 1});
      begin = i + 1;
    }
  }
  return cells;
}

}  // namespace smsim::cli
