// Comma-separated values: enough of RFC 4180 to pass foreign columns through untouched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsim::cli {

struct CsvCell {
  std::string raw;   // as it stood, quotes included
  std::string text;  // its value
  int column = 1;    // of its first character in the line
};

/// The cells of one line; a quoted cell may hold commas and doubled quotes, not a line break.
std::vector<CsvCell> split_csv_line(std::string_view line);

}  // namespace smsim::cli
