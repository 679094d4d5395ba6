#include "sim/import/number_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace smsim {

namespace {

constexpr char kSpace = ' ';  // stands for every character that only groups digits

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Spaces of all kinds and apostrophes between digits become kSpace; outer spaces go.
std::string tidy(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kGrouping{
      "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99", "'", "\t"};
  std::string out(text);
  for (const std::string_view from : kGrouping) {
    for (std::size_t at = out.find(from); at != std::string::npos; at = out.find(from, at)) {
      out.replace(at, from.size(), 1, kSpace);
    }
  }
  const std::size_t begin = out.find_first_not_of(kSpace);
  return begin == std::string::npos ? ""
                                    : out.substr(begin, out.find_last_not_of(kSpace) - begin + 1);
}

// A number in parts: sign, digits with separators, exponent.
struct Parts {
  bool valid = false;
  bool negative = false;
  std::string body;
  std::string exponent;  // "e-05" or ""
};

Parts parts_of(std::string_view text) {
  Parts parts;
  std::string tidied = tidy(text);
  std::string_view rest = tidied;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    parts.negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  const std::size_t end = std::min(rest.find_first_not_of("0123456789., "), rest.size());
  parts.body = rest.substr(0, end);
  parts.exponent = rest.substr(end);
  const bool has_digit = std::any_of(parts.body.begin(), parts.body.end(), is_digit);
  bool exponent_fits = parts.exponent.empty();
  if (!exponent_fits && (parts.exponent[0] == 'e' || parts.exponent[0] == 'E')) {
    const std::size_t digits = parts.exponent.find_first_of("+-") == 1 ? 2 : 1;
    exponent_fits = digits < parts.exponent.size() &&
                    std::all_of(parts.exponent.begin() + static_cast<std::ptrdiff_t>(digits),
                                parts.exponent.end(), is_digit);
  }
  parts.valid = has_digit && exponent_fits;
  return parts;
}

// "1,234,567" by groups of three; also without any grouping. Gives the digits, or nothing.
std::optional<std::string> ungrouped(std::string_view whole) {
  std::string digits;
  std::size_t group = 0;
  bool grouped = false;
  for (const char c : whole) {
    if (is_digit(c)) {
      digits += c;
      ++group;
    } else if (grouped ? group == 3 : (group >= 1 && group <= 3)) {
      grouped = true;
      group = 0;
    } else {
      return std::nullopt;
    }
  }
  return !grouped || group == 3 ? std::optional(digits) : std::nullopt;
}

NumberEvidence shows_decimal(char separator) {
  return separator == '.' ? NumberEvidence::decimal_point : NumberEvidence::decimal_comma;
}

NumberEvidence shows_grouping(char separator) {
  return separator == ',' ? NumberEvidence::decimal_point : NumberEvidence::decimal_comma;
}

// The only separator of a number stands between `before` and `after`.
NumberEvidence lone_separator(char separator, std::string_view before, std::string_view after,
                              bool has_exponent) {
  const bool may_group = after.size() == 3 && !before.empty() && before.size() <= 3 &&
                         before[0] != '0' && !has_exponent;
  return may_group ? NumberEvidence::ambiguous : shows_decimal(separator);
}

}  // namespace

NumberEvidence number_evidence(std::string_view text) {
  if (text.find_first_of(".,") == std::string_view::npos) {
    return NumberEvidence::none;
  }
  const Parts parts = parts_of(text);
  const std::string& body = parts.body;
  const std::size_t last = body.find_last_of(".,");
  if (!parts.valid || last == std::string::npos) {
    return NumberEvidence::none;
  }
  const char separator = body[last];
  const auto count = std::count(body.begin(), body.end(), separator);
  const char other = separator == '.' ? ',' : '.';
  if (body.find(other) != std::string::npos || body.find(kSpace) != std::string::npos) {
    return count == 1 ? shows_decimal(separator) : NumberEvidence::none;
  }
  if (count > 1) {
    return ungrouped(body) ? shows_grouping(separator) : NumberEvidence::none;
  }
  const std::string_view view = body;
  return lone_separator(separator, view.substr(0, last), view.substr(last + 1),
                        !parts.exponent.empty());
}

bool is_absent(std::string_view text) {
  static constexpr std::array<std::string_view, 18> kAbsent{
      "",     "-",    "--",  "n/a",  "na",   "no data",  "none", "(none)",   "nan",
      "-nan", "+nan", "inf", "+inf", "-inf", "infinity", "null", "nan(ind)", "-nan(ind)"};
  std::string lower = tidy(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(kAbsent.begin(), kAbsent.end(), lower) != kAbsent.end();
}

std::optional<double> NumberFormat::parse(std::string_view text) const {
  if (text.size() < 16 && std::all_of(text.begin(), text.end(), is_digit)) {  // most are so
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return text.empty() ? std::nullopt : std::optional(static_cast<double>(value));
  }
  const Parts parts = parts_of(text);
  if (!parts.valid) {
    return std::nullopt;
  }
  const std::string_view body = parts.body;
  const std::size_t decimal = body.find(decimal_);
  const std::optional<std::string> whole = ungrouped(body.substr(0, decimal));
  const std::string_view fraction =
      decimal == std::string_view::npos ? "" : body.substr(decimal + 1);
  if (!whole || !std::all_of(fraction.begin(), fraction.end(), is_digit)) {
    return std::nullopt;
  }
  const std::string plain =
      fmt::format("{}{}.{}{}", parts.negative ? "-" : "", whole->empty() ? "0" : *whole,
                  fraction.empty() ? "0" : fraction, parts.exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

void NumberFormatFinder::see(std::string_view text, int line) {
  const auto note = [&](Seen& seen) {
    if (seen.text.empty()) {
      seen = {std::string(text), line};
    }
  };
  switch (number_evidence(text)) {
    case NumberEvidence::none:
      break;
    case NumberEvidence::decimal_point:
      note(point_);
      break;
    case NumberEvidence::decimal_comma:
      note(comma_);
      break;
    case NumberEvidence::ambiguous:
      note(ambiguous_);
      break;
  }
}

NumberFormat NumberFormatFinder::decide(char delimiter) const {
  if (!point_.text.empty() && !comma_.text.empty()) {
    throw InputError(
        {{file_, point_.line, 1, fmt::format("found '{}' with a decimal point", point_.text)},
         {file_, comma_.line, 1,
          fmt::format("found '{}' with a decimal comma, expected one kind of numbers "
                      "in a file",
                      comma_.text)}});
  }
  if (!comma_.text.empty()) {
    return NumberFormat(',');
  }
  if (point_.text.empty() && !ambiguous_.text.empty() && delimiter == ';') {
    throw InputError(
        {{file_, ambiguous_.line, 1,
          fmt::format("found '{}', which may be a thousand or a fraction, and no other "
                      "number that tells; export with LC_ALL=C",
                      ambiguous_.text)}});
  }
  return NumberFormat('.');
}

}  // namespace smsim
