#include "sim/kernel/register_banks.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace smsim::sass {

namespace {

// "R12", "-R12.reuse", "|R12|": 12; -1 for anything else.
int register_number(std::string_view operand) {
  const std::size_t begin = operand.find_first_not_of("-|~!");
  if (begin == std::string_view::npos || operand[begin] != 'R') return -1;
  int number = -1;
  const std::string_view digits = operand.substr(begin + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

bool is_double(const SassText& text) {
  const std::string_view family = family_of(text.mnemonic);
  return family == "DFMA" || family == "DADD" || family == "DMUL" || family == "DSETP" ||
         family == "DMNMX";
}

// The sum of IMAD.WIDE is two registers wide, its factors are not.
bool is_wide(const SassText& text, std::size_t operand) {
  return is_double(text) ||
         (has_modifier(text.mnemonic, "WIDE") && operand + 1 == text.operands.size());
}

bool is_predicate(std::string_view operand) {
  return !operand.empty() && (operand.front() == 'P' || operand.substr(0, 2) == "!P");
}

// The first operand that is no predicate is the result, except in comparisons into predicates.
std::size_t first_source(const SassText& text) {
  std::size_t first = 0;
  while (first < text.operands.size() && is_predicate(text.operands[first])) ++first;
  const bool compares = text.mnemonic.find("SETP") != std::string::npos;
  return compares ? first : first + 1;
}

std::set<int> sources(const SassText& text, bool kept_only) {
  std::set<int> registers;
  for (std::size_t i = first_source(text); i < text.operands.size(); ++i) {
    const std::string& operand = text.operands[i];
    const int number = register_number(operand);
    if (number < 0 || (kept_only && operand.find(".reuse") == std::string::npos)) continue;
    registers.insert(number);
    if (is_wide(text, i)) registers.insert(number + 1);
  }
  return registers;
}

}  // namespace

std::array<std::uint8_t, 2> bank_reads(const SassText& text, const SassText* before) {
  std::set<int> kept;
  if (before != nullptr) kept = sources(*before, true);
  std::array<std::uint8_t, 2> reads{};
  for (const int number : sources(text, false)) {
    if (kept.count(number) == 0) ++reads[static_cast<std::size_t>(number % 2)];
  }
  return reads;
}

}  // namespace smsim::sass
