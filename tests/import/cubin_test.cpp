// A cubin is taken apart by hand here: the smallest ELF file that has what the reader looks at.
#include "sim/import/sass_listing.hpp"
#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

void put(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t width) {
  bytes.resize(std::max(bytes.size(), at + width));
  for (std::size_t i = 0; i < width; ++i) {
    bytes[at + i] = static_cast<char>((value >> (8 * i)) & 0xff);
  }
}

constexpr std::size_t kCode = 64;
constexpr std::size_t kNames = 96;
constexpr std::size_t kTable = 128;

void put_section(std::string& bytes, std::size_t index, std::uint64_t name, std::uint64_t offset,
                 std::uint64_t size, std::uint64_t info) {
  const std::size_t at = kTable + 64 * index;
  put(bytes, at, name, 4);
  put(bytes, at + 24, offset, 8);
  put(bytes, at + 32, size, 8);
  put(bytes, at + 44, info, 4);
  put(bytes, at + 63, 0, 1);
}

// Two instructions of kernel "k" with 24 registers.
std::string cubin(std::uint64_t flags, std::uint64_t machine = 190) {
  std::string bytes = std::string(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  put(bytes, 18, machine, 2);
  put(bytes, 40, kTable, 8);
  put(bytes, 48, flags, 4);
  put(bytes, 60, 3, 2);
  put(bytes, 62, 2, 2);
  put(bytes, kCode, 0x00000a00ff017b82, 8);
  put(bytes, kCode + 8, 0x000fe20000000800, 8);
  put(bytes, kCode + 16, 0x000000000000794d, 8);
  put(bytes, kCode + 24, 0x000fea0003800000, 8);
  put(bytes, kNames, 0, 1);
  bytes += ".text.k";
  bytes.resize(kTable);
  put_section(bytes, 0, 0, 0, 0, 0);
  put_section(bytes, 1, 1, kCode, 32, 24U << 24);
  put_section(bytes, 2, 0, kNames, 32, 0);
  return bytes;
}

std::string problem(const std::string& bytes) {
  return message_of([&] { parse_sass("f", bytes); });
}

}  // namespace

TEST_CASE("a cubin gives encodings, registers and the architecture") {
  const auto functions = parse_sass("f", cubin(0x0600045a));
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].mangled_name == "k");
  CHECK(functions[0].sm == 90);
  CHECK(functions[0].registers == 24);
  REQUIRE(functions[0].code.size() == 2);
  CHECK(functions[0].code[0].text.empty());
  CHECK(functions[0].code[0].has_encoding);
  CHECK(functions[0].code[0].high == 0x000fe20000000800);
  CHECK(functions[0].code[1].offset == 16);
  CHECK(functions[0].code[1].low == 0x000000000000794d);
}

TEST_CASE("the architecture stands one byte higher from Blackwell on") {
  CHECK(parse_sass("f", cubin(0x0600044b))[0].sm == 75);
  CHECK(parse_sass("f", cubin(0x06006402))[0].sm == 100);
  CHECK(parse_sass("f", cubin(0x06007902))[0].sm == 121);
  has(problem(cubin(0x003c053c)), "f: error: found code for sm_60 only, expected sm_70 or later");
}

TEST_CASE("registers stand in .nv.info when the section header has none") {
  std::string bytes = cubin(0x0600045a);
  put(bytes, kTable + 64 + 44, 8, 4);
  CHECK(parse_sass("f", bytes)[0].registers == -1);
  // A fourth section with the attribute, a fifth with the symbol that it names.
  put(bytes, 60, 5, 2);
  const std::size_t info = kTable + 5 * 64;
  const std::size_t symbols = info + 16;
  put_section(bytes, 3, 9, info, 16, 0);
  put_section(bytes, 4, 0, symbols, 48, 0);
  put(bytes, kTable + 4 * 64 + 4, 2, 4);
  put(bytes, info, 0x0103, 4);  // another attribute, without more bytes
  put(bytes, info + 4, 0x00082f04, 4);
  put(bytes, info + 8, 1, 4);    // the symbol
  put(bytes, info + 12, 40, 4);  // registers
  put(bytes, symbols + 24 + 6, 1, 2);
  put(bytes, symbols + 47, 0, 1);
  bytes.replace(kNames + 9, 8, ".nv.info");
  CHECK(parse_sass("f", bytes)[0].registers == 40);
}

TEST_CASE("ELF files of other machines") {
  has(problem(cubin(0, 62)),
      "f: error: found an ELF file for machine 62 (x86-64), expected a cubin");
  std::string narrow = cubin(0x0600045a);
  narrow[4] = 1;
  has(problem(narrow), "found an ELF file that is not 64-bit little-endian");
}

TEST_CASE("a cubin that is cut off, wherever, is refused and never read beyond its end") {
  const std::string whole = cubin(0x0600045a);
  has(problem(whole.substr(0, 40)), "found 40 bytes, expected an ELF header of 64");
  has(problem(whole.substr(0, 200)), "found 200 bytes, expected a table of 3 sections at byte 128");
  for (std::size_t size = 4; size < whole.size(); ++size) {
    INFO(size);
    CHECK(!problem(whole.substr(0, size)).empty());
  }
}

TEST_CASE("sections that lie outside of the file or hold half an instruction") {
  std::string outside = cubin(0x0600045a);
  put(outside, kTable + 64 + 32, 1U << 30, 8);
  has(problem(outside), "found 1073741824 bytes of code at byte 64 for section .text.k, expected");
  std::string half = cubin(0x0600045a);
  put(half, kTable + 64 + 32, 24, 8);
  has(problem(half), "found 24 bytes of code at byte 64");
  std::string none = cubin(0x0600045a);
  none.replace(kNames + 1, 5, ".data");
  has(problem(none), "f: error: found no function");
}
