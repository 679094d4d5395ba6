// One SASS instruction as a listing prints it, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/draft.hpp"

namespace smsim::sass {

/// "@!P1 LDG.E.64 R2, desc[UR4][R2.64+0x10]"
struct SassText {
  std::string guard;  // "P1", "UP0" or "" (also for PT, which is always true)
  bool negated_guard = false;
  std::string mnemonic;               // "LDG.E.64"
  std::vector<std::string> operands;  // "R2", "desc[UR4][R2.64+0x10]"
};

SassText parse_sass_text(std::string_view text);

/// "LDG" of "LDG.E.64".
inline std::string_view family_of(std::string_view mnemonic) {
  return mnemonic.substr(0, mnemonic.find('.'));
}

/// Does the mnemonic have this modifier ("64" of "LDG.E.64")?
bool has_modifier(std::string_view mnemonic, std::string_view modifier);

/// Bytes that each thread moves: 1 (.U8 .S8), 2 (.U16 .S16), 8 (.64), 16 (.128), else 4.
int bytes_per_thread(std::string_view mnemonic);

/// An operand that is a number: "0x40" or "64". Nullopt for anything else.
std::optional<std::uint64_t> immediate(std::string_view operand);

/// The last operand of branches, calls and BSSY that is a place in the code: bytes from the start.
std::optional<std::uint32_t> code_target(const SassText& text);

/// One register, or several neighbouring ones, that an instruction reads or writes.
struct RegisterUse {
  RegisterFile file = RegisterFile::vector;
  int first = 0;
  int count = 1;
  bool result = false;
  Role role = Role::plain;
};

/// Registers of an instruction: the leading operands are results, unless it has none (stores,
/// branches). Zero registers and PT are left out. `width`: registers of a vector result.
std::vector<RegisterUse> registers_of(const SassText& text, bool has_result, int width);

}  // namespace smsim::sass
