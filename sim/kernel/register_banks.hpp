// Which registers an instruction reads from which bank of the register file. Registers with even
// and with odd numbers lie in different banks; each delivers one register a cycle to a
// sub-partition. What the instruction before kept in the operand cache (".reuse") is not read
// again.
#pragma once

#include <array>
#include <cstdint>

#include "sim/kernel/sass_operands.hpp"

namespace smsim::sass {

/// Registers read from the even and from the odd bank. `before`: the instruction before in the
/// code, or null where another may come before.
std::array<std::uint8_t, 2> bank_reads(const SassText& text, const SassText* before);

}  // namespace smsim::sass
