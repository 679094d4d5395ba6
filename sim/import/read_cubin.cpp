// A cubin is an ELF64 file whose sections .text.<kernel> hold 16 bytes per instruction. Registers
// per thread stand in the attributes of .nv.info, and in the section header of older files.
#include <fmt/format.h>

#include <map>

#include "sim/import/sass_readers.hpp"

namespace smsim {

namespace {

constexpr std::uint64_t kMachineCuda = 190;
constexpr std::uint64_t kSectionHeaderBytes = 64;
constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::string_view kTextPrefix = ".text.";

// The bytes of a file, read little-endian; nothing beyond the end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t size() const { return bytes_.size(); }
  bool holds(std::uint64_t begin, std::uint64_t count) const {
    return begin <= bytes_.size() && count <= bytes_.size() - begin;
  }
  std::uint64_t number(std::uint64_t at, unsigned width) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width && holds(at + i, 1); ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes_[at + i])} << (8 * i);
    }
    return value;
  }
  /// Up to the next NUL.
  std::string name(std::uint64_t at) const {
    if (!holds(at, 1)) {
      return "";
    }
    const std::string_view rest = bytes_.substr(at);
    return std::string(rest.substr(0, rest.find('\0')));
  }

 private:
  std::string_view bytes_;
};

struct Section {
  std::string name;
  std::uint64_t type = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t info = 0;
};

const char* machine_name(std::uint64_t machine) {
  switch (machine) {
    case 3:
      return " (x86)";
    case 62:
      return " (x86-64)";
    case 183:
      return " (AArch64)";
    case 224:
      return " (AMD GPU)";
    default:
      return "";
  }
}

void check_header(const Bytes& bytes, Problems& problems) {
  if (bytes.size() < 64) {
    problems.fail(0, fmt::format("found {} bytes, expected an ELF header of 64: the cubin is cut "
                                 "off",
                                 bytes.size()));
  }
  if (bytes.number(4, 1) != 2 || bytes.number(5, 1) != 1) {
    problems.fail(0, "found an ELF file that is not 64-bit little-endian, expected a cubin");
  }
  const std::uint64_t machine = bytes.number(18, 2);
  if (machine != kMachineCuda) {
    problems.fail(0, fmt::format("found an ELF file for machine {}{}, expected a cubin (machine "
                                 "{}); extract it with 'cuobjdump -xelf all FILE'",
                                 machine, machine_name(machine), kMachineCuda));
  }
}

// In the low byte up to Hopper, one byte higher from Blackwell on.
int sm_of(const Bytes& bytes) {
  constexpr std::uint64_t kOldestPlausible = 20;
  const std::uint64_t flags = bytes.number(48, 4);
  const std::uint64_t low = flags & 0xff;
  return static_cast<int>(low >= kOldestPlausible ? low : (flags >> 8) & 0xff);
}

Section read_section(const Bytes& bytes, std::uint64_t header, std::uint64_t names) {
  Section section;
  section.name = bytes.name(names + bytes.number(header, 4));
  section.type = bytes.number(header + 4, 4);
  section.offset = bytes.number(header + 24, 8);
  section.size = bytes.number(header + 32, 8);
  section.info = bytes.number(header + 44, 4);
  return section;
}

std::vector<Section> all_sections(const Bytes& bytes, Problems& problems) {
  const std::uint64_t table = bytes.number(40, 8);
  const std::uint64_t count = bytes.number(60, 2);
  const std::uint64_t names_index = bytes.number(62, 2);
  if (!bytes.holds(table, count * kSectionHeaderBytes) || names_index >= count) {
    problems.fail(0, fmt::format("found {} bytes, expected a table of {} sections at byte {}: the "
                                 "cubin is cut off",
                                 bytes.size(), count, table));
  }
  const std::uint64_t names = bytes.number(table + names_index * kSectionHeaderBytes + 24, 8);
  std::vector<Section> sections;
  for (std::uint64_t i = 0; i < count; ++i) {
    sections.push_back(read_section(bytes, table + i * kSectionHeaderBytes, names));
  }
  return sections;
}

// The section that a symbol lies in; 0 when it cannot be told.
std::uint64_t section_of_symbol(const Bytes& bytes, const std::vector<Section>& sections,
                                std::uint64_t symbol) {
  constexpr std::uint64_t kSymbolTable = 2;
  constexpr std::uint64_t kSymbolBytes = 24;
  for (const Section& section : sections) {
    if (section.type == kSymbolTable && symbol < section.size / kSymbolBytes) {
      return bytes.number(section.offset + symbol * kSymbolBytes + 6, 2);
    }
  }
  return 0;
}

// Registers per thread by the number of the code section. An attribute is a format, a kind and a
// 16-bit value; format 4 has that many bytes behind it.
std::map<std::uint64_t, int> registers_by_section(const Bytes& bytes,
                                                  const std::vector<Section>& sections) {
  constexpr std::uint64_t kHasPayload = 4;
  constexpr std::uint64_t kRegisterCount = 0x2f;
  std::map<std::uint64_t, int> registers;
  for (const Section& section : sections) {
    if (section.name != ".nv.info" || !bytes.holds(section.offset, section.size)) {
      continue;
    }
    const std::uint64_t end = section.offset + section.size;
    for (std::uint64_t at = section.offset; at + 4 <= end;) {
      const std::uint64_t payload =
          bytes.number(at, 1) == kHasPayload ? bytes.number(at + 2, 2) : 0;
      if (payload >= 8 && bytes.number(at + 1, 1) == kRegisterCount) {
        const std::uint64_t code = section_of_symbol(bytes, sections, bytes.number(at + 4, 4));
        registers[code] = static_cast<int>(bytes.number(at + 8, 4) & 0xffff);
      }
      at += 4 + payload;
    }
  }
  return registers;
}

int registers_of(const Section& section, std::uint64_t index,
                 const std::map<std::uint64_t, int>& registers) {
  if (const auto found = registers.find(index); found != registers.end()) {
    return found->second;
  }
  const auto in_header = static_cast<int>(section.info >> 24);
  return in_header > 0 ? in_header : -1;
}

}  // namespace

std::vector<SassFunction> read_cubin(std::string_view file, Problems& problems) {
  const Bytes bytes(file);
  check_header(bytes, problems);
  const int sm = sm_of(bytes);
  std::vector<SassFunction> functions;
  const std::vector<Section> sections = all_sections(bytes, problems);
  const std::map<std::uint64_t, int> registers = registers_by_section(bytes, sections);
  for (std::uint64_t index = 0; index < sections.size(); ++index) {
    const Section& section = sections[index];
    if (section.name.rfind(kTextPrefix, 0) != 0) {
      continue;
    }
    if (!bytes.holds(section.offset, section.size) || section.size % kInstructionBytes != 0) {
      problems.add(0, fmt::format("found {} bytes of code at byte {} for section {}, expected "
                                  "whole instructions of 16 bytes inside the file",
                                  section.size, section.offset, section.name));
      continue;
    }
    SassFunction function;
    function.mangled_name = section.name.substr(kTextPrefix.size());
    function.sm = sm;
    function.registers = registers_of(section, index, registers);
    for (std::uint64_t at = 0; at < section.size; at += kInstructionBytes) {
      SassInstruction instruction;
      instruction.offset = static_cast<std::uint32_t>(at);
      instruction.low = bytes.number(section.offset + at, 8);
      instruction.high = bytes.number(section.offset + at + 8, 8);
      instruction.has_encoding = true;
      function.code.push_back(std::move(instruction));
    }
    functions.push_back(std::move(function));
  }
  return functions;
}

}  // namespace smsim
