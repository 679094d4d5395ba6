// Spelling of SASS instructions, common to profiles and listings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace smsim {

/// One space between words, none outside, no ';' at the end.
std::string squeezed(std::string_view text);

/// "@!P1" of "@!P1 BRA 0x40", or "".
std::string_view predicate_of(std::string_view text);

/// True when an operand of the instruction is a place in the code: branches, calls, BSSY, ...
bool has_code_target(std::string_view text);

/// Replaces each hexadecimal operand for which `relocated` has a new value.
using Relocation = std::function<std::optional<std::uint64_t>(std::uint64_t)>;
std::string with_hex_operands(std::string_view text, const Relocation& relocated);

/// A hexadecimal number with or without "0x"; nothing when there is anything else in `text`.
std::optional<std::uint64_t> parse_hex(std::string_view text);

}  // namespace smsim
