// Whole numbers in options that hold more than a number: "3/4", "0:500", "0.3@1200".
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsim::cli {

/// Nullopt unless all of the text is a number.
inline std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace smsim::cli
