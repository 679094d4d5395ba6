// Comma-separated values by RFC 4180, as other people's tools write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsim {

struct CsvRow {
  int line = 0;  // where the row begins, from 1
  std::vector<std::string> cells;
};

struct CsvTable {
  std::string file;
  char delimiter = ',';
  std::vector<CsvRow> rows;  // without blank lines
};

/// Splits `text`; `file` is what messages call it. The delimiter is ',' or ';', whichever the first
/// line with a quoted cell (else the first line) has more of outside quotes. Cells may hold line
/// breaks and doubled quotes; LF, CRLF, a byte order mark and a missing last line break are fine.
/// Throws InputError for a quote that is never closed and for bytes that are no text.
CsvTable parse_csv(const std::string& file, std::string_view text);

}  // namespace smsim
