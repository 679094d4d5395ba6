// The control code that the compiler puts into every instruction from Volta on (bits 105 to 125 of
// the 128-bit encoding).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "smsim/program.hpp"

namespace smsim::sass {

struct ControlCode {
  std::uint8_t stall_cycles = 1;  // 0..15
  bool yield = false;
  std::uint8_t write_scoreboard = kNoScoreboard;
  std::uint8_t read_scoreboard = kNoScoreboard;
  std::uint8_t wait_mask = 0;  // bit per scoreboard
  std::uint8_t reuse = 0;      // bit per operand slot: kept in the operand cache

  friend bool operator==(const ControlCode&, const ControlCode&) = default;
};

/// From the high 64 bits of an encoding.
ControlCode decode_control_code(std::uint64_t high);

/// "B-1----:R-:W2:Y:S04": waits for scoreboard 1, sets 2 when written, yields, stalls 4 cycles.
std::string to_string(const ControlCode& code);

/// The reverse of to_string; nullopt for anything else. The reuse flags are not part of it.
std::optional<ControlCode> parse_control_code(std::string_view text);

}  // namespace smsim::sass
