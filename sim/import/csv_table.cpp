#include "sim/import/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "smsim/diagnostic.hpp"

namespace smsim {

namespace {

[[noreturn]] void fail(const std::string& file, int line, int column, const std::string& message) {
  throw InputError(std::vector<Diagnostic>{{file, line, column, message}});
}

std::string_view without_byte_order_mark(std::string_view text) {
  return text.substr(0, 3) == "\xef\xbb\xbf" ? text.substr(3) : text;
}

void refuse_binary(const std::string& file, std::string_view text) {
  if (text.substr(0, 3) == "NVR") {
    fail(file, 0, 0,
         "found a report of Nsight Compute, expected what it exports; try "
         "'ncu --import REPORT --page raw --csv' (or '--page source')");
  }
  if (text.find('\0') != std::string_view::npos) {
    fail(file, 0, 0, "found binary data, expected comma-separated values");
  }
}

// Of the first line that has a quote (a header of Nsight Compute), or else of the first line.
char delimiter_of(std::string_view text) {
  std::size_t begin = text.find('"');
  begin = begin == std::string_view::npos ? 0 : text.substr(0, begin).rfind('\n') + 1;
  int commas = 0;
  int semicolons = 0;
  bool quoted = false;
  for (const char c : text.substr(begin)) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '\n' && !quoted) {
      break;
    } else if (!quoted) {
      commas += c == ',' ? 1 : 0;
      semicolons += c == ';' ? 1 : 0;
    }
  }
  return semicolons > commas ? ';' : ',';
}

// Walks the text once, character by character.
class Splitter {
 public:
  Splitter(const std::string& file, std::string_view text)
      : text_(text), delimiter_(delimiter_of(text)) {
    table_.file = file;
    table_.delimiter = delimiter_;
  }

  CsvTable split() {
    while (at_ < text_.size()) {
      row_.line = line_;
      read_row();
      const bool blank = row_.cells.size() == 1 && row_.cells[0].empty();
      if (!blank) {
        table_.rows.push_back(std::move(row_));
      }
      row_ = {};
    }
    return std::move(table_);
  }

 private:
  void read_row() {
    do {
      if (at_ < text_.size() && text_[at_] == '"') {
        read_quoted();
      } else {
        const std::size_t end = std::min(text_.find_first_of(stops_, at_), text_.size());
        row_.cells.emplace_back(text_.substr(at_, end - at_));
        at_ = end;
      }
    } while (take(delimiter_));
    end_line();
  }

  void read_quoted() {
    const int opened = line_;
    const auto column = static_cast<int>(at_ - line_begin_) + 1;
    std::string cell;
    for (++at_;; ++at_) {
      if (at_ >= text_.size()) {
        fail(table_.file, opened, column, "found the end of the file, expected the closing \"");
      }
      if (text_[at_] == '"') {
        if (text_.substr(at_ + 1, 1) != "\"") {
          break;
        }
        ++at_;
      } else if (text_[at_] == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
      }
      cell += text_[at_];
    }
    ++at_;
    // Characters behind the closing quote belong to the cell: lenient, as most readers are.
    const std::size_t end = std::min(text_.find_first_of(stops_, at_), text_.size());
    cell += text_.substr(at_, end - at_);
    at_ = end;
    row_.cells.push_back(std::move(cell));
  }

  bool take(char c) {
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  void end_line() {
    take('\r');  // a lone one ends a line as well
    take('\n');
    ++line_;
    line_begin_ = at_;
  }

  std::string_view text_;
  char delimiter_;
  std::string stops_{delimiter_, '\r', '\n'};
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  int line_ = 1;
  CsvRow row_;
  CsvTable table_;
};

}  // namespace

CsvTable parse_csv(const std::string& file, std::string_view text) {
  refuse_binary(file, text);
  return Splitter(file, without_byte_order_mark(text)).split();
}

}  // namespace smsim
