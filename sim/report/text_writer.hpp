// Building blocks of the text report: rows, bars and paragraphs within 80 columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smsim {

inline constexpr std::size_t kReportWidth = 80;

class TextWriter {
 public:
  /// "-- Occupancy ------..."
  void section(std::string_view title);
  /// Label, right-aligned value, unit; "n/a" without a value. `mark` stands after the unit.
  void row(std::string_view label, std::optional<double> value, std::string_view unit,
           std::string_view mark = "");
  /// Words wrapped at the width; `first` begins the first line, `rest` all others.
  void paragraph(std::string_view text, std::string_view first = "", std::string_view rest = "");
  /// A line as it is.
  void line(std::string_view text = "");

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// `width` characters for a share of 1; anything above 0 shows.
std::string bar(double share, std::size_t width);

/// A value in the unit that reads best: 231520 ns -> "231.52", "us".
struct Scaled {
  double value = 0;
  std::string unit;
};
Scaled scale(double value, std::string_view unit);

/// The text itself, or its beginning and "..." where it is longer.
std::string cut(std::string_view text, std::size_t width);

}  // namespace smsim
