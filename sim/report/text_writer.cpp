#include "sim/report/text_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/metrics/findings.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

struct Prefix {
  double factor;
  const char* letter;
};
constexpr Prefix kPrefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "K"}};
constexpr Prefix kTimes[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};

}  // namespace

std::string format_number(double value) {
  const bool whole = std::abs(value) < 1e15 && value == std::round(value);
  const std::string digits = with_separators(fmt::format("{:.{}f}", value, whole ? 0 : 2));
  return digits == "-0" ? "0" : digits;
}

Scaled scale(double value, std::string_view unit) {
  if (unit == "ns") {
    for (const Prefix& p : kTimes) {
      if (value >= p.factor) {
        return {value / p.factor, p.letter};
      }
    }
  } else if (unit == "hz" || unit.substr(0, 4) == "byte") {
    for (const Prefix& p : kPrefixes) {
      if (value >= p.factor) {
        return {value / p.factor, p.letter + std::string(unit)};
      }
    }
  }
  return {value, std::string(unit)};
}

std::string bar(double share, std::size_t width) {
  const double exact = std::clamp(share, 0.0, 1.0) * static_cast<double>(width);
  const auto length = static_cast<std::size_t>(std::lround(exact));
  return std::string(share > 0 ? std::max<std::size_t>(length, 1) : length, '#');
}

std::string cut(std::string_view text, std::size_t width) {
  return text.size() <= width ? std::string(text) : std::string(text.substr(0, width - 3)) + "...";
}

void TextWriter::section(std::string_view title) {
  out_ += fmt::format("\n{:-<{}}\n", fmt::format("-- {} ", title), kReportWidth);
}

void TextWriter::row(std::string_view label, std::optional<double> value, std::string_view unit,
                     std::string_view mark) {
  const Scaled scaled = value ? scale(*value, unit) : Scaled{0, std::string(unit)};
  std::string text = fmt::format("  {:<38}{:>18}  {}", label,
                                 value ? format_number(scaled.value) : "n/a", scaled.unit);
  if (!mark.empty()) {
    text = fmt::format("{:<66}{}", text, mark);
  }
  line(text);
}

void TextWriter::paragraph(std::string_view text, std::string_view first, std::string_view rest) {
  std::string current(first);
  bool fresh = true;  // nothing but the prefix so far
  while (!text.empty()) {
    std::size_t end = std::min(text.find(' '), text.size());
    if (text.substr(end, 2) == " %") {  // a number and its percent sign stay together
      end = std::min(text.find(' ', end + 1), text.size());
    }
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!fresh && current.size() + 1 + word.size() > kReportWidth) {
      line(current);
      current = rest;
      fresh = true;
    }
    current += fresh ? std::string(word) : " " + std::string(word);
    fresh = false;
  }
  line(current);
}

void TextWriter::line(std::string_view text) {
  out_ += text.substr(0, text.find_last_not_of(' ') + 1);
  out_ += '\n';
}

}  // namespace smsim
