#include "sim/kernel/sass_operands.hpp"

#include <algorithm>
#include <charconv>

namespace smsim::sass {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t;");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t;") - begin + 1);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// A register name at the beginning of a word: its file and number; "RZ", "PT" and the like: none.
struct Named {
  RegisterFile file;
  int number;
  bool predicate;
};

std::optional<Named> named(std::string_view word) {
  Named found{RegisterFile::vector, 0, false};
  std::size_t prefix = 1;
  if (word.substr(0, 2) == "UR" || word.substr(0, 2) == "UP") {
    prefix = 2;
    found.predicate = word[1] == 'P';
    found.file = found.predicate ? RegisterFile::predicate : RegisterFile::uniform;
  } else if (word[0] == 'P') {
    found.predicate = true;
    found.file = RegisterFile::predicate;
  } else if (word[0] != 'R') {
    return std::nullopt;
  }
  const std::string_view digits = word.substr(prefix);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), found.number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  // Uniform predicates share the numbering of the predicates: their dependences are as short.
  const int most = found.file == RegisterFile::vector ? 254 : found.predicate ? 6 : 62;
  if (found.number > most) return std::nullopt;
  return found;
}

bool is_predicate(std::string_view operand) {
  if (!operand.empty() && operand.front() == '!') operand.remove_prefix(1);
  if (operand == "PT" || operand == "UPT") return true;
  const auto found = operand.empty() ? std::nullopt : named(operand);
  return found && found->predicate;
}

bool is_result_register(std::string_view operand) {
  return operand == "RZ" || operand == "URZ" ||
         (!operand.empty() && operand.find_first_of("[]") == std::string_view::npos &&
          named(operand) && !is_predicate(operand));
}

// One or two leading predicates; then, unless there are two (comparisons), the first register and
// the predicates that carry out of it.
std::size_t result_operands(const SassText& text) {
  constexpr std::size_t kOfComparisons = 2;
  const std::vector<std::string>& all = text.operands;
  const auto written = [&all](std::size_t i) {
    return i < all.size() && is_predicate(all[i]) && all[i].front() != '!';
  };
  std::size_t count = 0;
  while (count < kOfComparisons && written(count)) ++count;
  if (count == kOfComparisons || count == all.size() || !is_result_register(all[count])) {
    return count;
  }
  ++count;
  const bool carries = text.mnemonic.rfind("IADD3", 0) == 0 || text.mnemonic.rfind("LEA", 0) == 0;
  while (carries && count + 2 < all.size() && written(count) && all[count] != "PT") ++count;
  return count;
}

void add_registers(std::string_view operand, bool result, int width,
                   std::vector<RegisterUse>& uses) {
  for (std::size_t at = 0; at < operand.size();) {
    if (!is_word(operand[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < operand.size() && is_word(operand[end])) ++end;
    if (const auto found = named(operand.substr(at, end - at))) {
      RegisterUse use{found->file, found->number, 1, result, Role::plain};
      const bool wide = operand.substr(end, 3) == ".64" || operand.substr(0, 4) == "desc";
      const bool inside = operand.find('[') < at;
      if (result && !found->predicate) use.count = width;
      if (!result && wide && !found->predicate) use.count = 2;
      if (inside) use.role = Role::memory;
      uses.push_back(use);
    }
    at = end;
  }
}

}  // namespace

SassText parse_sass_text(std::string_view text) {
  SassText parsed;
  text = trimmed(text);
  if (!text.empty() && text.front() == '@') {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view guard = text.substr(1, end - 1);
    parsed.negated_guard = !guard.empty() && guard.front() == '!';
    if (parsed.negated_guard) guard.remove_prefix(1);
    if (guard != "PT" && guard != "UPT") parsed.guard = std::string(guard);
    text = trimmed(text.substr(end));
  }
  const std::size_t space = std::min(text.find(' '), text.size());
  parsed.mnemonic = std::string(text.substr(0, space));
  std::string_view rest = trimmed(text.substr(space));
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= rest.size(); ++at) {
    if (at < rest.size() && (rest[at] == '[' || rest[at] == '{')) ++depth;
    if (at < rest.size() && (rest[at] == ']' || rest[at] == '}')) --depth;
    if (at == rest.size() || (rest[at] == ',' && depth == 0)) {
      const std::string_view operand = trimmed(rest.substr(begin, at - begin));
      if (!operand.empty()) parsed.operands.emplace_back(operand);
      begin = at + 1;
    }
  }
  return parsed;
}

bool has_modifier(std::string_view mnemonic, std::string_view modifier) {
  for (std::size_t dot = mnemonic.find('.'); dot != std::string_view::npos;) {
    const std::size_t end = std::min(mnemonic.find('.', dot + 1), mnemonic.size());
    if (mnemonic.substr(dot + 1, end - dot - 1) == modifier) return true;
    dot = end == mnemonic.size() ? std::string_view::npos : end;
  }
  return false;
}

int bytes_per_thread(std::string_view mnemonic) {
  if (has_modifier(mnemonic, "128")) return 16;
  if (has_modifier(mnemonic, "64")) return 8;
  if (has_modifier(mnemonic, "U8") || has_modifier(mnemonic, "S8")) return 1;
  if (has_modifier(mnemonic, "U16") || has_modifier(mnemonic, "S16")) return 2;
  return 4;
}

std::optional<std::uint64_t> immediate(std::string_view operand) {
  const bool hex = operand.substr(0, 2) == "0x";
  if (hex) operand.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(operand.data(), operand.data() + operand.size(), value, hex ? 16 : 10);
  if (operand.empty() || error != std::errc() || end != operand.data() + operand.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::uint32_t> code_target(const SassText& text) {
  if (text.operands.empty()) return std::nullopt;
  std::string_view last = text.operands.back();
  // "`(.L_x_1)" has been resolved by the reader; "`(symbol)" of another function has not.
  const auto value = immediate(last);
  if (!value || *value > 0xfffffff0) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::vector<RegisterUse> registers_of(const SassText& text, bool has_result, int width) {
  std::vector<RegisterUse> uses;
  const std::size_t results = has_result ? result_operands(text) : 0;
  for (std::size_t i = 0; i < text.operands.size(); ++i) {
    add_registers(text.operands[i], i < results, width, uses);
  }
  if (!text.guard.empty()) {
    const std::size_t before = uses.size();
    add_registers(text.guard, false, 1, uses);
    for (std::size_t i = before; i < uses.size(); ++i) uses[i].role = Role::guard;
  }
  return uses;
}

}  // namespace smsim::sass
