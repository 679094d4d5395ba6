#include "sim/import/sass_listing.hpp"

#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

// As cuobjdump -sass prints it.
const std::string kHead =
    "\tcode for sm_90\n\t\tFunction : _Z1kPf\n\t.headerflags\t@\"EF_CUDA_SM90\"\n";
const std::string kCode =
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;     /* 0x00000a00ff017b82 */\n"
    "                                                              /* 0x000fe20000000800 */\n"
    "        /*0010*/              @!P0 BRA 0x0;                   /* 0x000000000000794d */\n"
    "                                                              /* 0x000fea0003800000 */\n"
    "\t\t..........\n\n";

// As nvdisasm prints it, without encodings.
const std::string kDisassembly =
    "\t.target\tsm_90a\n"
    "//--------------------- .nv.info                  --------------------------\n"
    "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n"
    "\t.byte\t0x04, 0x2f\n"
    "//--------------------- .text._Z1kPf              --------------------------\n"
    "\t.section\t.text._Z1kPf,\"ax\",@progbits\n"
    "\t.sectioninfo\t@\"SHI_REGISTERS=12\"\n"
    "\t.align\t128\n"
    "        .global         _Z1kPf\n"
    "        .size           _Z1kPf,(.L_x_3 - _Z1kPf)\n"
    "_Z1kPf:\n"
    ".text._Z1kPf:\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
    ".L_x_1:\n"
    "        /*0010*/                   S2R R0, SR_TID.X ;\n"
    "        /*0020*/               @P0 BRA `(.L_x_1) ;\n"
    "        /*0030*/                   CALL.REL.NOINC `($slow) ;\n"
    "        /*0040*/                   EXIT ;\n"
    "        .weak           $slow\n"
    "$slow:\n"
    "        /*0050*/                   RET.REL.NODEC R4 `(_Z1kPf) ;\n"
    ".L_x_2:\n"
    "        /*0060*/                   BRA `(.L_x_2);\n"
    ".L_x_3:\n"
    "\t.section\t.nv.constant0._Z1kPf,\"a\",@progbits\n"
    "\t.zero\t552\n";

std::vector<SassFunction> parse(const std::string& text) {
  return parse_sass("f", text);
}

std::string problem(const std::string& text) {
  return message_of([&] { parse(text); });
}

}  // namespace

TEST_CASE("cuobjdump: text and both halves of the encoding") {
  const auto functions = parse(kHead + kCode);
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].mangled_name == "_Z1kPf");
  CHECK(functions[0].sm == 90);
  CHECK(functions[0].line == 2);
  CHECK(functions[0].registers == -1);
  REQUIRE(functions[0].code.size() == 2);
  const SassInstruction& first = functions[0].code[0];
  CHECK(first.offset == 0);
  CHECK(first.text == "LDC R1, c[0x0][0x28]");
  CHECK(first.has_encoding);
  CHECK(first.low == 0x00000a00ff017b82);
  CHECK(first.high == 0x000fe20000000800);
  CHECK(first.line == 4);
  CHECK(functions[0].code[1].text == "@!P0 BRA 0x0");
  CHECK(functions[0].code[1].offset == 16);
}

TEST_CASE("nvdisasm: labels become offsets, registers are told, no encoding") {
  const auto functions = parse(kDisassembly);
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].mangled_name == "_Z1kPf");
  CHECK(functions[0].sm == 90);
  CHECK(functions[0].registers == 12);
  const auto& code = functions[0].code;
  REQUIRE(code.size() == 7);
  CHECK(!code[0].has_encoding);
  CHECK(code[2].text == "@P0 BRA 0x10");
  CHECK(code[3].text == "CALL.REL.NOINC 0x50");
  CHECK(code[5].text == "RET.REL.NODEC R4 0x0");
  CHECK(code[6].text == "BRA 0x60");
}

TEST_CASE("nvdisasm -hex has encodings as cuobjdump has them") {
  std::string text = kDisassembly.substr(0, kDisassembly.find("        /*0000*/")) + kCode;
  const auto functions = parse(text);
  CHECK(functions[0].registers == 12);
  CHECK(functions[0].code[1].low == 0x000000000000794d);
  CHECK(functions[0].code[1].has_encoding);
}

TEST_CASE("listing: CRLF and a missing last line break") {
  std::string text;
  for (const char c : kHead + kCode.substr(0, kCode.find("\t\t..."))) {
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  text.resize(text.size() - 2);
  CHECK(parse(text)[0].code.size() == 2);
  CHECK(parse(text)[0].code[1].has_encoding);
}

TEST_CASE("several architectures, PTX and code too old to be simulated") {
  const std::string old =
      "Fatbin elf code:\n================\narch = sm_60\n\tcode for sm_60\n\t\tFunction : _Z1kPf\n"
      "                                                   /* 0x001c4400fe0007f6 */\n"
      "        /*0008*/     MOV R1, c[0x0][0x20] ;        /* 0x4c98078000870001 */\n"
      "        /*0010*/     EXIT ;                        /* 0xe30000000007000f */\n";
  const std::string ptx =
      "Fatbin ptx code:\n================\narch = sm_90\nptxasOptions = \n//\n.version 8.7\n"
      ".target sm_52\n.visible .entry _Z1kPf(\n)\n{\n$L__BB0_1:\n\tret;\n}\n";
  std::string newer = kHead;
  newer.replace(newer.find("sm_90"), 5, "sm_80");
  newer.replace(newer.find("SM90"), 4, "SM80");
  const auto functions = parse(old + ptx + "Fatbin elf code:\narch = sm_80\n" + newer + kCode +
                               "Fatbin elf code:\narch = sm_90\n" + kHead + kCode + ptx);
  REQUIRE(functions.size() == 2);
  CHECK(functions[0].sm == 80);
  CHECK(functions[1].sm == 90);
  CHECK(functions[1].code.size() == 2);
  has(problem(old), "f:5:1: error: found code for sm_60 only, expected sm_70 or later");
  has(problem(ptx), "f: error: found PTX and no machine code, expected a listing by 'cuobjdump");
}

TEST_CASE("what is no machine code") {
  has(problem(""), "f: error: found an empty file, expected a listing by 'cuobjdump -sass' or");
  has(problem("hello\nworld\n"), "f: error: found no function, expected a listing");
  has(problem(std::string("\x01\0\x02", 3)), "f: error: found binary data, expected a listing");
  has(problem("\x50\xed\x55\xba\x01"), "found a fatbin, expected a cubin or a listing; extract");
  has(problem(kHead), "f:2:1: error: found no instruction of function '_Z1kPf'");
}

TEST_CASE("listing: every broken line is reported") {
  const std::string found = problem(
      kHead +
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;     /* 0x00000a00ff017b82 */\n"
      "        /*0010*/                   NOP ;                      /* 0x00000a00ff017bxx */\n"
      "        /*0030*/                   NOP ;\n"
      "        /*0040*/                   NOP\n"
      "        /*0050*/                   ;\n"
      "        /*0060*/                   BRA `(.L_9) ;\n");
  has(found, "f:4:1: error: found half an encoding, expected the other half in the next line");
  has(found, "f:5:1: error: found encoding '0x00000a00ff017bxx', expected 16 hexadecimal digits");
  has(found, "f:6:1: error: found offset 0x30, expected 0x20: lines are missing or out of order");
  has(found, "f:7:1: error: found 'NOP', expected an instruction and a ';'");
  has(found, "f:8:1: error: found ';', expected an instruction and a ';'");
  has(found, "f:9:1: error: found label '.L_9', expected one that is defined");
}
