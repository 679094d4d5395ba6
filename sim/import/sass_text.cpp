#include "sim/import/sass_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace smsim {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_name(char c) {
  return is_hex_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

std::string squeezed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool gap = false;
  for (const char c : text) {
    if (is_space(c)) {
      gap = !out.empty();
      continue;
    }
    if (gap) {
      out += ' ';
      gap = false;
    }
    out += c;
  }
  while (!out.empty() && (out.back() == ';' || out.back() == ' ')) {
    out.pop_back();
  }
  return out;
}

std::string_view predicate_of(std::string_view text) {
  return !text.empty() && text[0] == '@' ? text.substr(0, text.find(' ')) : std::string_view();
}

bool has_code_target(std::string_view text) {
  static constexpr std::array<std::string_view, 15> kTargeted{
      "BRA", "BRX",  "BRXU", "JMP", "JMX",      "JMXU", "CALL", "RET",
      "CAL", "JCAL", "BSSY", "SSY", "WARPSYNC", "LEPC", "PBK"};
  const std::size_t predicate = predicate_of(text).size();
  text.remove_prefix(std::min(text.size(), predicate == 0 ? 0 : predicate + 1));
  const std::string_view name = text.substr(0, text.find_first_of(". "));
  return std::find(kTargeted.begin(), kTargeted.end(), name) != kTargeted.end();
}

std::string with_hex_operands(std::string_view text, const Relocation& relocated) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find("0x"); at != std::string_view::npos;
       at = text.find("0x", at + 2)) {
    if (at > 0 && is_name(text[at - 1])) {
      continue;
    }
    std::size_t end = at + 2;
    while (end < text.size() && is_hex_digit(text[end])) {
      ++end;
    }
    const std::optional<std::uint64_t> value = parse_hex(text.substr(at, end - at));
    const std::optional<std::uint64_t> moved = value ? relocated(*value) : std::nullopt;
    if (moved) {
      out += text.substr(done, at - done);
      out += fmt::format("0x{:x}", *moved);
      done = end;
    }
  }
  return out += text.substr(done);
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  return error == std::errc() && stop == end && !text.empty() ? std::optional(value) : std::nullopt;
}

}  // namespace smsim
