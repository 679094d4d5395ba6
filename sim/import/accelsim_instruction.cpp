#include "sim/import/accelsim_instruction.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <limits>

namespace smsim {

namespace {

constexpr std::uint64_t kAnyAddress = std::numeric_limits<std::uint64_t>::max();

struct RegisterClass {
  std::string_view prefix;
  std::uint16_t first;
  std::uint16_t last_number;
};
constexpr RegisterClass kClasses[] = {{"R", 0, 255},
                                      {"UR", kFirstUniformRegister, 255},
                                      {"P", kFirstPredicate, 7},
                                      {"UP", kFirstUniformPredicate, 7}};

std::uint16_t read_register(AccelsimFields& fields) {
  const std::string_view word = fields.word();
  const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
  for (const RegisterClass& one : kClasses) {
    if (word.substr(0, digits) != one.prefix || word.size() - digits > 3 || digits == word.size()) {
      continue;
    }
    unsigned number = 0;
    for (const char c : word.substr(digits)) {
      number = c >= '0' && c <= '9' ? number * 10 + static_cast<unsigned>(c - '0') : 1000;
    }
    if (number <= one.last_number) {
      return static_cast<std::uint16_t>(one.first + number);
    }
  }
  fields.fail(word, "a register from R0 to R255, UR0 to UR255, P0 to P7 or UP0 to UP7");
}

std::uint8_t read_registers(AccelsimFields& fields, std::size_t first,
                            AccelsimInstruction& instruction, const char* expected) {
  const std::uint64_t count = fields.decimal(expected, instruction.registers.size() - first);
  for (std::size_t i = 0; i < count; ++i) {
    instruction.registers[first + i] = read_register(fields);
  }
  return static_cast<std::uint8_t>(count);
}

// Set bits without a gap between them.
bool is_one_run(std::uint32_t mask) {
  const std::uint32_t shifted = mask >> std::countr_zero(mask);
  return (shifted & (shifted + 1)) == 0;
}

bool is_values(std::string_view word) {
  return word == "NoVal" || word == "Val";
}

bool is_bulk_copy(std::string_view name) {
  constexpr std::string_view kNames[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                         "UBLKCP",  "UBLKPF",  "UBLKRED"};
  const std::string_view family = name.substr(0, name.find('.'));
  return std::find(std::begin(kNames), std::end(kNames), family) != std::end(kNames);
}

bool is_opcode(std::string_view word) {
  constexpr std::size_t kLongest = 120;
  return !word.empty() && word.size() <= kLongest && std::isupper(word[0]) != 0 &&
         std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '_'; });
}

}  // namespace

void AccelsimInstructionReader::read(const AccelsimLines& lines, AccelsimWarp& warp) {
  AccelsimFields fields(lines);
  AccelsimInstruction instruction;
  if (header_.tracer_version < 3) {
    for (int i = 0; i < 4; ++i) {
      fields.decimal("the block and the warp", 0xffffffff);
    }
  }
  if (header_.line_info) {
    fields.decimal("a line of the source", 0xffffffff);
  }
  instruction.pc = static_cast<std::uint32_t>(
      fields.hexadecimal("a program counter in hexadecimal", 0xffffffff));
  instruction.mask = static_cast<std::uint32_t>(
      fields.hexadecimal("a mask of 32 lanes in hexadecimal", 0xffffffff));
  instruction.destinations = read_registers(fields, 0, instruction, "at most 8 destinations");
  instruction.opcode = opcode(fields);
  instruction.sources = read_registers(fields, instruction.destinations, instruction,
                                       "sources, with the destinations at most 8");
  const Tail tail = tails_[instruction.opcode];
  if (tail == Tail::usual) {
    instruction.width_bytes =
        static_cast<std::uint8_t>(fields.decimal("bytes per lane, at most 255", 255));
    if (instruction.width_bytes > 0) {
      read_memory(fields, instruction, warp.addresses);
    }
    read_immediates(fields, instruction);
  } else if (fields.rest().find("0x") != std::string_view::npos && tail == Tail::bulk_copy) {
    warnings_.add("bulk copy", lines.number(),
                  "found the addresses of a bulk copy, which are left out");
  }
  warp.code.push_back(instruction);
}

std::uint16_t AccelsimInstructionReader::opcode(AccelsimFields& fields) {
  const std::string_view name = fields.word();
  const auto found = known_.find(name);
  if (found != known_.end()) {
    return found->second;
  }
  if (!is_opcode(name)) {
    fields.fail(name, "an opcode such as LDG.E");
  }
  if (opcodes_.size() > std::numeric_limits<std::uint16_t>::max()) {
    fields.fail(name, "at most 65536 different opcodes");
  }
  const auto index = static_cast<std::uint16_t>(opcodes_.size());
  opcodes_.emplace_back(name);
  tails_.push_back(is_bulk_copy(name)                            ? Tail::bulk_copy
                   : name.find("GMMA") != std::string_view::npos ? Tail::tensor_group
                                                                 : Tail::usual);
  known_.emplace(name, index);
  return index;
}

void AccelsimInstructionReader::read_memory(AccelsimFields& fields,
                                            AccelsimInstruction& instruction,
                                            std::vector<std::uint64_t>& addresses) {
  if (instruction.mask == 0) {
    skip_masked(fields);
    return;
  }
  const int lanes = std::popcount(instruction.mask);
  instruction.first_address = static_cast<std::uint32_t>(addresses.size());
  instruction.addresses = static_cast<std::uint8_t>(lanes);
  const std::uint64_t mode = fields.decimal("an address mode of 0, 1 or 2", 2);
  std::uint64_t address = fields.hexadecimal("an address in hexadecimal", kAnyAddress);
  addresses.push_back(address);
  if (mode == 0) {
    for (int i = 1; i < lanes; ++i) {
      addresses.push_back(fields.hexadecimal("an address for each active lane", kAnyAddress));
    }
  } else if (mode == 1) {
    const auto stride = static_cast<std::uint64_t>(fields.signed_decimal("a stride in bytes"));
    if (!is_one_run(instruction.mask)) {
      fields.fail("1", "an address mode of 0 or 2, as the active lanes have gaps");
    }
    for (int i = 1; i < lanes; ++i) {
      addresses.push_back(address += stride);
    }
  } else {
    for (int i = 1; i < lanes; ++i) {
      address += static_cast<std::uint64_t>(
          fields.signed_decimal("the distance to the address of the next active lane"));
      addresses.push_back(address);
    }
  }
}

// Of a line without active lanes: tracers write nothing, a mode, or a mode with a base of 0 (and a
// stride of 0).
void AccelsimInstructionReader::skip_masked(AccelsimFields& fields) const {
  AccelsimFields ahead = fields;
  const std::string_view mode = ahead.word();
  const std::string_view base = ahead.peek();
  if (base.substr(0, 2) == "0x") {
    fields.decimal("an address mode of 0, 1 or 2", 2);
    fields.hexadecimal("an address in hexadecimal", kAnyAddress);
    if (mode == "1") {
      fields.signed_decimal("a stride in bytes");
    }
    return;
  }
  int left = mode.empty() || is_values(mode) ? 0 : 1;
  while (left > 0 && !ahead.done() && !is_values(ahead.word())) {
    ++left;
  }
  if (left > immediates() || (left == 1 && header_.tracer_version <= 3)) {
    fields.decimal("an address mode of 0, 1 or 2", 2);
  }
}

// Any of them may be missing: Accel-Sim's own reader takes the immediate of some lines for a
// distance, and not every tracer writes one.
void AccelsimInstructionReader::read_immediates(AccelsimFields& fields,
                                                AccelsimInstruction& instruction) const {
  for (int i = 0; i < immediates() && !fields.done() && !is_values(fields.peek()); ++i) {
    const std::int64_t value = fields.signed_decimal("an immediate");
    instruction.immediate = i == 0 ? value : instruction.immediate;
  }
  if (header_.tracer_version >= 6 && is_values(fields.peek())) {
    fields.rest();  // what the registers held is not needed
  }
  if (!fields.done()) {
    fields.fail(fields.word(), "the end of the line");
  }
}

}  // namespace smsim
