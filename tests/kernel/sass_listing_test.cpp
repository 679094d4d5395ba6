// SASS listings: control codes, operands, and programs made of them.
#include "sim/kernel/control_code.hpp"
#include "sim/kernel/sass_operands.hpp"
#include "sim/kernel/sass_operation.hpp"
#include "sim/kernel/sass_program.hpp"
#include "tests/catch.hpp"
#include "tests/kernel/test_gpu.hpp"

using namespace smsim;
using namespace smsim::sass;

namespace {

SassLine line(std::uint32_t offset, const std::string& text, const char* code = "") {
  SassLine made;
  made.offset = offset;
  made.text = text;
  made.code = parse_control_code(code);
  made.line = static_cast<int>(offset / 16) + 1;
  return made;
}

SassAssembly assembled(const std::vector<SassLine>& lines) {
  std::vector<SourceProblem> problems;
  SassAssembly made = assemble_sass(lines, test::sm90(), problems);
  for (const SourceProblem& problem : problems) UNSCOPED_INFO(problem.message);
  REQUIRE(problems.empty());
  return made;
}

}  // namespace

TEST_CASE("control codes of real encodings") {
  // LDC, S2R and FFMA of a saxpy for sm_90.
  CHECK(to_string(decode_control_code(0x000fe20000000800)) == "B------:R-:W-:-:S01");
  CHECK(to_string(decode_control_code(0x000e2e0000002100)) == "B------:R-:W0:-:S07");
  CHECK(to_string(decode_control_code(0x004fca0008000007)) == "B--2---:R-:W-:Y:S05");
}

TEST_CASE("control codes read back as they are written") {
  for (std::uint64_t bits = 0; bits < (1U << 17U); bits += 37) {
    const ControlCode code = decode_control_code(bits << 41U);
    if (code.write_scoreboard == 6 || code.read_scoreboard == 6) continue;  // there are six, 0 to 5
    ControlCode without_reuse = code;
    without_reuse.reuse = 0;
    CHECK(parse_control_code(to_string(code)) == without_reuse);
  }
}

TEST_CASE("what is no control code is refused") {
  for (const char* text : {"", "B------", "B------:R-:W-:-:S16", "B1-----:R-:W-:-:S01",
                           "B------:R6:W-:-:S01", "B------:R-:W-:X:S01", "B------:R-:W-:-:S0a",
                           "b------:R-:W-:-:S01", "B------:R-:W-:-:S011"}) {
    INFO(text);
    CHECK(!parse_control_code(text));
  }
}

TEST_CASE("instructions are taken apart") {
  const SassText text = parse_sass_text("@!P1 LDG.E.64 R2, desc[UR4][R6.64+0x10] ;");
  CHECK(text.guard == "P1");
  CHECK(text.negated_guard);
  CHECK(text.mnemonic == "LDG.E.64");
  CHECK(text.operands == std::vector<std::string>{"R2", "desc[UR4][R6.64+0x10]"});
  CHECK(bytes_per_thread(text.mnemonic) == 8);
  CHECK(bytes_per_thread("LDG.E.U8") == 1);
  CHECK(bytes_per_thread("STS.U16") == 2);
  CHECK(bytes_per_thread("LDS.128") == 16);
  CHECK(bytes_per_thread("LDG.E.CONSTANT") == 4);
  CHECK(code_target(parse_sass_text("@P0 BRA 0x1d0")) == 0x1d0U);
  CHECK(!code_target(parse_sass_text("BRX R2 -0x40")));
}

TEST_CASE("registers that are read and written") {
  const auto uses = [](const char* text, bool result = true, int width = 1) {
    std::string found;
    for (const RegisterUse& use : registers_of(parse_sass_text(text), result, width)) {
      const char* const file = use.file == RegisterFile::vector    ? "R"
                               : use.file == RegisterFile::uniform ? "UR"
                                                                   : "P";
      found += (found.empty() ? "" : " ") + std::string(use.result ? ">" : "") + file +
               std::to_string(use.first) + (use.count > 1 ? "+" + std::to_string(use.count) : "");
    }
    return found;
  };
  CHECK(uses("FFMA R7, R2, UR6, R7") == ">R7 R2 UR6 R7");
  CHECK(uses("ISETP.GE.AND P0, PT, R7, UR4, PT") == ">P0 R7 UR4");
  CHECK(uses("IADD3 R15, P2, R15, 0x80, RZ") == ">R15 >P2 R15");
  CHECK(uses("SEL R3, R1, R2, P0") == ">R3 R1 R2 P0");
  CHECK(uses("LDG.E.64 R2, desc[UR4][R6.64]", true, 2) == ">R2+2 UR4+2 R6+2");
  CHECK(uses("STG.E desc[UR4][R4.64], R7", false) == "UR4+2 R4+2 R7");
  CHECK(uses("@!P1 FMUL R16, R16, 16777216") == ">R16 R16 P1");
}

TEST_CASE("Hopper's instructions are known, others are named") {
  const GpuSpec gpu = test::sm90();
  for (const char* known :
       {"HGMMA.64x128x16.F32", "WARPGROUP.DEPBAR.LE", "UTMALDG.2D", "SYNCS.ARRIVE.TRANS64",
        "UCGABAR_ARV", "LDGSTS.E.BYPASS.128", "ELECT", "STSM.16.M88.4", "REDUX.SUM", "R2UR",
        "BSYNC.RECONVERGENT", "CCTL.IVALL", "MEMBAR.SC.GPU", "ATOMG.E.ADD", "VOTEU.ALL"}) {
    INFO(known);
    CHECK(sass_operation(gpu, known).known);
  }
  CHECK(!sass_operation(gpu, "FROBNICATE.X").known);
  const SassAssembly made = assembled({line(0, "FROBNICATE.X R1, R2", "B------:R-:W-:-:S01"),
                                       line(16, "EXIT", "B------:R-:W-:-:S05")});
  REQUIRE(made.notes.size() == 1);
  CHECK(made.notes[0].find("unknown instruction FROBNICATE.X (1 times)") == 0);
}

TEST_CASE("control codes are taken as they are") {
  const SassAssembly made = assembled({line(0, "LDG.E R2, desc[UR4][R2.64]", "B-1----:R-:W2:-:S02"),
                                       line(16, "EXIT", "B--2---:R-:W-:Y:S05")});
  const Program& program = made.program;
  REQUIRE(program.code.size() == 2);
  CHECK(program.code[0].write_scoreboard == 2);
  CHECK(program.code[0].wait_mask == 2);
  CHECK(program.code[0].stall_cycles == 2);
  CHECK(program.code[0].action == Action::memory);
  CHECK(program.code[1].wait_mask == 4);
  CHECK(program.code[1].yield);
  CHECK(program.code[1].flow == Flow::exit);
}

TEST_CASE("without control codes consumers wait for their producers, and nothing is added") {
  const SassAssembly made = assembled({line(0, "LDG.E R2, desc[UR4][R8.64]"),
                                       line(16, "FADD R3, R2, R2"), line(32, "FADD R4, R3, R3"),
                                       line(48, "STG.E desc[UR4][R8.64], R4"), line(64, "EXIT")});
  const std::vector<Instruction>& code = made.program.code;
  REQUIRE(code.size() == 5);
  REQUIRE(code[0].write_scoreboard < kScoreboards);
  CHECK(code[1].wait_mask == 1U << code[0].write_scoreboard);
  CHECK(code[1].stall_cycles >= 4);
  CHECK(code[2].stall_cycles >= 4);
  CHECK(made.registers == 10);
}

TEST_CASE("a conditional branch without numbers never jumps, and says so") {
  const SassAssembly made =
      assembled({line(0, "@P0 BRA 0x0", "B------:R-:W-:-:S05"), line(16, "EXIT")});
  REQUIRE(made.program.routes.size() == 1);
  CHECK(made.program.routes[0].taken == 0);
  CHECK(made.notes.front().find("conditional branches have no numbers") != std::string::npos);
}

TEST_CASE("a jump to nowhere is an error with its line") {
  std::vector<SourceProblem> problems;
  assemble_sass({line(0, "NOP"), line(16, "BRA 0x8"), line(32, "EXIT")}, test::sm90(), problems);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].at.line == 2);
  CHECK(problems[0].message.find("found a jump to 0x8") == 0);
  problems.clear();
  assemble_sass({}, test::sm90(), problems);
  CHECK(problems.size() == 1);
}

TEST_CASE("barriers, fences and copies of a listing") {
  const SassAssembly made =
      assembled({line(0, "BAR.SYNC.DEFER_BLOCKING 0x1, 0x80"), line(16, "BAR.ARV 0x2, 0x40"),
                 line(32, "MEMBAR.SC.GPU"), line(48, "DEPBAR.LE SB3, 0x0", "B------:R-:W-:-:S01"),
                 line(64, "DEPBAR.LE SB3, 0x1", "B------:R-:W-:-:S01"), line(80, "EXIT")});
  const Program& program = made.program;
  CHECK(program.barriers.at(0).id == 1);
  CHECK(program.barriers.at(0).expected_warps == 4);
  CHECK(program.barriers.at(0).wait);
  CHECK(!program.barriers.at(1).wait);
  CHECK(program.code[2].action == Action::fence);
  CHECK(made.barriers == 3);
}
