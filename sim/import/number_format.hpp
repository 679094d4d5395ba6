// How a profile writes its numbers: "1,234,567.5", "1.234.567,5" or "1 234 567,5".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "smsim/diagnostic.hpp"

namespace smsim {

/// What one number shows about its file.
enum class NumberEvidence { none, decimal_point, decimal_comma, ambiguous };

/// "0.5" and "1,234,567" show a decimal point, "0,5" and "1.234.567" a decimal comma; "1,234" and
/// "1.234" may be either; "12" and words show nothing.
NumberEvidence number_evidence(std::string_view text);

/// No number: empty, "-", "n/a", "no data", "nan", "inf" and their like.
bool is_absent(std::string_view text);

class NumberFormat {
 public:
  /// `decimal` is '.' or ','; the other one, spaces and apostrophes group digits.
  explicit NumberFormat(char decimal = '.') : decimal_(decimal) {}

  char decimal() const { return decimal_; }
  /// The number; nothing when `text` is none, or not finite.
  std::optional<double> parse(std::string_view text) const;

 private:
  char decimal_;
};

/// Finds the format from all numbers of a file: every one is shown to it, then it decides.
class NumberFormatFinder {
 public:
  explicit NumberFormatFinder(std::string file) : file_(std::move(file)) {}

  void see(std::string_view text, int line);
  /// Without evidence a decimal point where cells are separated by commas. Throws InputError when
  /// numbers of both kinds were seen, or only ambiguous ones in a file separated by semicolons.
  NumberFormat decide(char delimiter) const;

 private:
  struct Seen {
    std::string text;  // the first of its kind; "" when there was none
    int line = 0;
  };
  std::string file_;
  Seen point_, comma_, ambiguous_;
};

}  // namespace smsim
