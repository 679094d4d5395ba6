#include "sim/kernel/control_code.hpp"

#include <fmt/format.h>

namespace smsim::sass {

namespace {

constexpr std::size_t kLength = 19;  // of "B------:R-:W-:-:S01"

std::uint8_t field(std::uint64_t high, int first_bit, int bits) {
  return static_cast<std::uint8_t>((high >> first_bit) & ((1U << bits) - 1U));
}

char scoreboard_letter(std::uint8_t scoreboard) {
  return scoreboard < kScoreboards ? static_cast<char>('0' + scoreboard) : '-';
}

std::optional<std::uint8_t> scoreboard_of(char letter) {
  if (letter == '-') return kNoScoreboard;
  if (letter < '0' || letter >= '0' + kScoreboards) return std::nullopt;
  return static_cast<std::uint8_t>(letter - '0');
}

}  // namespace

ControlCode decode_control_code(std::uint64_t high) {
  ControlCode code;
  code.stall_cycles = field(high, 41, 4);
  code.yield = field(high, 45, 1) == 0;
  code.write_scoreboard = field(high, 46, 3);
  code.read_scoreboard = field(high, 49, 3);
  code.wait_mask = field(high, 52, 6);
  code.reuse = field(high, 58, 4);
  return code;
}

std::string to_string(const ControlCode& code) {
  std::string waits = "------";
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if ((code.wait_mask >> i & 1) != 0) waits[i] = static_cast<char>('0' + i);
  }
  return fmt::format("B{}:R{}:W{}:{}:S{:02}", waits, scoreboard_letter(code.read_scoreboard),
                     scoreboard_letter(code.write_scoreboard), code.yield ? 'Y' : '-',
                     code.stall_cycles);
}

std::optional<ControlCode> parse_control_code(std::string_view text) {
  constexpr std::string_view kForm = "B......:R.:W.:.:S..";
  if (text.size() != kLength) return std::nullopt;
  for (std::size_t i = 0; i < kLength; ++i) {
    if (kForm[i] != '.' && kForm[i] != text[i]) return std::nullopt;
  }
  ControlCode code;
  for (std::size_t i = 0; i < kScoreboards; ++i) {
    const char letter = text[1 + i];
    if (letter == '-') continue;
    if (letter != static_cast<char>('0' + i)) return std::nullopt;
    code.wait_mask |= static_cast<std::uint8_t>(1U << i);
  }
  const auto read = scoreboard_of(text[9]);
  const auto write = scoreboard_of(text[12]);
  const bool digits = text[17] >= '0' && text[17] <= '1' && text[18] >= '0' && text[18] <= '9';
  if (!read || !write || !digits || (text[14] != 'Y' && text[14] != '-')) return std::nullopt;
  code.read_scoreboard = *read;
  code.write_scoreboard = *write;
  code.yield = text[14] == 'Y';
  code.stall_cycles = static_cast<std::uint8_t>((text[17] - '0') * 10 + (text[18] - '0'));
  if (code.stall_cycles > 15) return std::nullopt;
  return code;
}

}  // namespace smsim::sass
