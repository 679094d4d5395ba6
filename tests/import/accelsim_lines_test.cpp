// Instruction lines: tracer versions, address modes, registers, immediates.
#include "tests/import/accelsim_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

using Addresses = std::vector<std::uint64_t>;

// Of version 5, with one active lane for each bit of `mask`.
AccelsimTrace load(const std::string& mask, const std::string& from_width_on) {
  return read_accelsim_line(5, "0070 " + mask + " 1 R11 LDG.E 1 R2 " + from_width_on);
}

std::string load_problem(const std::string& mask, const std::string& from_width_on) {
  return message_of([&] { load(mask, from_width_on); });
}

}  // namespace

TEST_CASE("the fields of an instruction") {
  const AccelsimTrace trace =
      read_accelsim_line(5, "01b0 0000ffff 1 R7 IMAD.WIDE 3 R6 R4 R255 0 -8");
  const AccelsimInstruction& one = trace.first();
  CHECK(one.pc == 0x1b0);
  CHECK(one.mask == 0xffff);
  CHECK(trace.opcodes.at(one.opcode) == "IMAD.WIDE");
  CHECK(one.destinations == 1);
  CHECK(one.sources == 3);
  CHECK(one.registers == std::array<std::uint16_t, 8>{7, 6, 4, 255});
  CHECK(one.width_bytes == 0);
  CHECK(one.addresses == 0);
  CHECK(one.immediate == -8);
}

TEST_CASE("before version 3 the block and the warp lead a line") {
  const AccelsimTrace trace = read_accelsim_line(2, "1 0 0 1 0010 ffffffff 1 R6 S2R 0 0");
  CHECK(trace.first().pc == 0x10);
  CHECK(trace.opcodes == std::vector<std::string>{"S2R"});
}

TEST_CASE("version 3 has no immediate, 4 and 5 have one that may be missing") {
  CHECK(read_accelsim_line(3, "0010 ffffffff 1 R6 S2R 0 0").first().immediate == 0);
  CHECK(read_accelsim_line(4, "0010 ffffffff 0 DEPBAR 0 0 3").first().immediate == 3);
  CHECK(read_accelsim_line(5, "0010 ffffffff 0 DEPBAR 0 0").first().immediate == 0);
}

TEST_CASE("version 6 has two immediates, of which the first is kept, and values, which are not") {
  const AccelsimInstruction lop =
      read_accelsim_line(6, "00e0 ffffffff 1 R0 LOP3.LUT 2 R5 R255 0 3 192 NoVal ").first();
  CHECK(lop.immediate == 3);
  CHECK(lop.sources == 2);
  CHECK(read_accelsim_line(6, "0000 1 1 R1 LDC 0 0 -1 0 Val 1 0x5").first().immediate == -1);
  CHECK(read_accelsim_line(6, "0000 1 1 R1 LDC 0 0 7 NoVal").first().immediate == 7);
  const AccelsimTrace trace =
      read_accelsim_line(6, "0130 ffffffff 1 R11 LDG.E 1 R2 4 1 0x7f7b7dc40800 4 9 0 NoVal ");
  CHECK(trace.addresses().size() == 32);
  CHECK(trace.addresses()[31] == 0x7f7b7dc40800 + 124);
  CHECK(trace.first().immediate == 9);
}

TEST_CASE("uniform registers and predicates have numbers of their own") {
  const AccelsimInstruction one =
      read_accelsim_line(6, "00c0 1 1 UR4 UMOV 4 UR63 R0 P6 UP1 0 0 0 NoVal").first();
  CHECK(one.registers == std::array<std::uint16_t, 8>{260, 319, 0, 518, 521});
}

TEST_CASE("line numbers of the source lead a line where the header says so") {
  const AccelsimTrace trace = read_accelsim(accelsim_header(4, "-enable lineinfo = 1\n") +
                                            accelsim_grid({"12 00a0 ffffffff 0 EXIT 0 0 0"}));
  CHECK(trace.header.line_info);
  CHECK(trace.first().pc == 0xa0);
}

TEST_CASE("mode 0 lists the addresses of the active lanes") {
  const AccelsimTrace trace = load("00000005", "4 0 0x00007f0000000010 0x00007f0000000400 6");
  CHECK(trace.addresses() == Addresses{0x7f0000000010, 0x7f0000000400});
  CHECK(trace.first().width_bytes == 4);
  CHECK(trace.first().immediate == 6);
}

TEST_CASE("mode 1 is a base and a stride over one run of lanes") {
  CHECK(load("00000038", "4 1 0x1000 -8 0").addresses() == Addresses{0x1000, 0xff8, 0xff0});
  CHECK(load("80000000", "4 1 0x1000 4 0").addresses() == Addresses{0x1000});
  CHECK(load("f0000000", "16 1 0x0 16 0").addresses() == Addresses{0, 16, 32, 48});
  has(load_problem("00000005", "4 1 0x1000 4 0"),
      "found '1', expected an address mode of 0 or 2, as the active lanes have gaps");
}

TEST_CASE("mode 2 is a base and the distance from each active lane to the next") {
  CHECK(load("00000111", "8 2 0x1000 -16 32 5").addresses() == Addresses{0x1000, 0xff0, 0x1010});
  CHECK(load("00000111", "8 2 0x1000 -16 32 5").first().immediate == 5);
  // Accel-Sim's reader takes the immediate for one more distance, so that some traces have none.
  CHECK(load("00000111", "8 2 0x1000 -16 32").first().immediate == 0);
  CHECK(load("00000001", "8 2 0x1000").addresses() == Addresses{0x1000});
  CHECK(load("00000001", "8 2 0x1000 5").first().immediate == 5);
  has(load_problem("00000111", "8 2 0x1000 -16"),
      "found the end of the line, expected the distance to the address of the next active lane");
}

TEST_CASE("addresses of several instructions follow each other") {
  const AccelsimTrace trace =
      read_accelsim(accelsim_header(5) + accelsim_grid({"0 3 1 R1 LDG 1 R2 4 1 0x100 4 0",
                                                        "10 1 1 R1 LDG 1 R2 4 2 0x900 0"}));
  const AccelsimWarp& warp = trace.blocks.at(1).warps.at(1);
  CHECK(warp.addresses == Addresses{0x100, 0x104, 0x900});
  CHECK(warp.code.at(1).first_address == 2);
  CHECK(warp.code.at(1).addresses == 1);
}

TEST_CASE("a line without active lanes has no addresses, whatever stands for them") {
  for (const std::string tail : {"4 1 0x0 0 7", "4 2 0x0 7", "4 0 7", "4 7"}) {
    const AccelsimTrace trace = load("00000000", tail);
    CHECK(trace.addresses().empty());
    CHECK(trace.first().width_bytes == 4);
    CHECK(trace.first().immediate == 7);
  }
  CHECK(read_accelsim_line(3, "0 0 1 R1 LDG 1 R2 4 1").first().immediate == 0);
  for (const std::string tail : {"4 1 0x0 0 7 8 NoVal", "4 0 7 8 NoVal", "4 7 8 NoVal"}) {
    CHECK(read_accelsim_line(6, "0 0 1 R1 LDG 1 R2 " + tail).first().immediate == 7);
  }
}

TEST_CASE("bulk copies and warp-group tensor instructions are read up to their sources") {
  const AccelsimTrace copy =
      read_accelsim_line(6, "0 1 0 UTMALDG.2D 2 UR4 UR8 16 0x10 0 4096 0 4 0x7f00 2 32 0 0 NoVal");
  CHECK(copy.first().sources == 2);
  CHECK(copy.first().width_bytes == 0);
  has(copy.all_warnings(), "found the addresses of a bulk copy, which are left out (4 lines)");
  const AccelsimTrace group =
      read_accelsim_line(6, "0 1 1 R24 HGMMA.64x64x16.F32 2 R24 UR4 1 0 0 0 NoVal");
  CHECK(group.first().sources == 2);
  CHECK(group.warnings.empty());
}

TEST_CASE("blanks may be many, tabs, or behind the line") {
  const AccelsimTrace trace = read_accelsim_line(5, "  0010\tffffffff  1 R6 S2R 0 0  0 \r");
  CHECK(trace.first().registers[0] == 6);
}

TEST_CASE("what is wrong in a line is reported with its column") {
  has(accelsim_line_problem(5, "0010 fffffffff 0 EXIT 0 0 0"),
      ":23:6: error: found 'fffffffff', expected a mask of 32 lanes in hexadecimal");
  has(accelsim_line_problem(5, "0g10 ffffffff 0 EXIT 0 0 0"), ":23:1: error: found '0g10'");
  has(accelsim_line_problem(5, "0010"), ":23:5: error: found the end of the line, expected a mask");
  has(accelsim_line_problem(5, "0010 1 9 R0 MOV 0 0 0"), "found '9', expected at most 8 dest");
  has(accelsim_line_problem(5, "0010 1 4 R0 R1 R2 R3 MOV 5 R1 R1 R1 R1 R1 0 0"),
      "found '5', expected sources, with the destinations at most 8");
  for (const std::string name : {"R256", "X1", "R", "R-1", "UR256", "P8", "R0001", "R1x"}) {
    has(accelsim_line_problem(5, "0 1 1 " + name + " MOV 0 0 0"),
        "found '" + name + "', expected a register from R0 to R255");
  }
  has(accelsim_line_problem(5, "0 1 0 1D 0 0 0"), "found '1D', expected an opcode");
  has(accelsim_line_problem(5, "0 1 0 " + std::string(121, 'A') + " 0 0 0"), "expected an opcode");
  has(accelsim_line_problem(5, "0 1 0 LDG 0 256 0"), "found '256', expected bytes per lane");
  has(load_problem("00000001", "4 3 0x1000 0"), "found '3', expected an address mode of 0, 1 or 2");
  has(load_problem("00000003", "4 0 0x1000 z"), "found 'z', expected an address for each active");
  has(load_problem("00000001", "4 0 0x10000000000000000 0"), "expected an address in hexadecimal");
  has(load_problem("00000003", "4 1 0x1000 0x4"), "found '0x4', expected a stride in bytes");
  has(accelsim_line_problem(5, "0 1 0 EXIT 0 0 0 0"), "found '0', expected the end of the line");
  has(accelsim_line_problem(5, "0 1 0 EXIT 0 0 0 NoVal"), "found 'NoVal', expected the end of");
  has(accelsim_line_problem(5, "0 1 0 EXIT 0 0 99999999999999999999"), "expected an immediate");
  has(accelsim_line_problem(2, "0010 ffffffff 1 R6 S2R 0 0"), "expected the block and the warp");
}
