// Control codes of known sequences against what ptxas 13.0 writes for sm_90 (decoded from cubins).
// "FFMA:4" is a stall count of 4; w0 sets scoreboard, ?0 waits for one. Scoreboard numbers differ
// and are left out.
#include <fmt/format.h>

#include "tests/catch.hpp"
#include "tests/kernel/hazard_checker.hpp"
#include "tests/kernel/source_builder.hpp"
#include "tests/kernel/test_gpu.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

// Instructions from the first one with the given mnemonic on.
std::string schedule_from(const std::string& first, Body body) {
  KernelSource source = kernel_source();
  source.body = std::move(body);
  std::vector<SourceProblem> problems;
  const auto assembly = assemble(source, sm90(), problems);
  REQUIRE(assembly);
  CHECK(find_hazard(*assembly, sm90(), 1, 1) == "");
  std::string schedule;
  bool started = false;
  for (const sass::Draft& draft : assembly->drafts.code) {
    const std::string name = draft.mnemonic.substr(0, draft.mnemonic.find('.'));
    started = started || name == first;
    if (started && !draft.is_label()) {
      schedule += fmt::format("{}{}:{}{}{}", schedule.empty() ? "" : " ", name, draft.stall,
                              draft.write_scoreboard != kNoScoreboard ? "w" : "",
                              draft.wait_mask != 0 ? "?" : "");
    }
  }
  return schedule;
}

// A load, the given operations on its result x, and a store of x.
std::string chain(std::vector<Statement> operations) {
  Body body{load("x", "LDG", "A", "i")};
  body.insert(body.end(), operations.begin(), operations.end());
  body.push_back(store("STG", "A", "i", "x"));
  return schedule_from("LDG", body);
}

}  // namespace

TEST_CASE("a chain of FFMA: 4 cycles each, 5 to a store") {
  // ptxas: LDG:2w FFMA:4? FFMA:4 FFMA:4 FFMA:5 STG:1 EXIT:5
  CHECK(chain({op("x", "FFMA", {"x", "a", "x"}), op("x", "FFMA", {"x", "a", "x"}),
               op("x", "FFMA", {"x", "a", "x"}), op("x", "FFMA", {"x", "a", "x"})}) ==
        "LDG:2w FFMA:4? FFMA:4 FFMA:4 FFMA:5 STG:1 EXIT:5");
}

TEST_CASE("FFMA and IADD3 in turns: 5 cycles from pipe to pipe") {
  // ptxas: LDG:2w FFMA:5? IADD3:5 FFMA:5 IADD3:5 STG:1 EXIT:5
  CHECK(chain({op("x", "FFMA", {"x", "a", "x"}), op("x", "IADD3", {"x", "1"}),
               op("x", "FFMA", {"x", "a", "x"}), op("x", "IADD3", {"x", "1"})}) ==
        "LDG:2w FFMA:5? IADD3:5 FFMA:5 IADD3:5 STG:1 EXIT:5");
}

TEST_CASE("a chain of DFMA: 8 cycles each, 7 to a store") {
  // ptxas: LDG:2w DFMA:8? DFMA:8 DFMA:7 STG:1 EXIT:5
  Body body{load("x", "LDG", "A", "i", 8)};
  for (int step = 0; step < 3; ++step) {
    body.push_back(op("x", "DFMA", {"x", "x", "x"}));
  }
  body.push_back(store("STG", "A", "i", "x", 8));
  CHECK(schedule_from("LDG", body) == "LDG:2w DFMA:8? DFMA:8 DFMA:7 STG:1 EXIT:5");
}

TEST_CASE("a chain of HMMA: waits above 15 cycles continue in NOPs") {
  // ptxas: HMMA:15 NOP:9 HMMA:15 NOP:8 STG:1 EXIT:5
  Body body{load("x", "LDG", "A", "i", 16)};
  body.push_back(op("x", "HMMA.16816.F32", {"x", "x", "x"}));
  body.push_back(op("x", "HMMA.16816.F32", {"x", "x", "x"}));
  body.push_back(store("STG", "A", "i", "x", 16));
  CHECK(schedule_from("LDG", body) == "LDG:2w HMMA:15? NOP:9 HMMA:15 NOP:8 STG:1 EXIT:5");
}

TEST_CASE("a chain of MUFU: issue interval of 8, a scoreboard each") {
  // ptxas: LDG:2w MUFU:8w? MUFU:8w? MUFU:2w? STG:1? EXIT:5
  CHECK(chain({op("x", "MUFU.EX2", {"x"}), op("x", "MUFU.EX2", {"x"}),
               op("x", "MUFU.EX2", {"x"})}) == "LDG:2w MUFU:8w? MUFU:8w? MUFU:2w? STG:1? EXIT:5");
}

TEST_CASE("a comparison: 4 cycles to a select, 13 to a guard") {
  // ptxas: ISETP:4 SEL:5 IMAD:5 STG, and ISETP:13 @P IMAD:5
  CHECK(chain({op("p", "ISETP", {"x", "a"}), op("x", "SEL", {"x", "b", "p"}),
               op("x", "IMAD", {"x", "x", "x"})}) == "LDG:2w ISETP:4? SEL:5 IMAD:5 STG:1 EXIT:5");
  Statement guarded = op("x", "IMAD", {"x", "x", "x"});
  std::get<OperationStatement>(guarded.what).when = ValueSource{"p", {}};
  CHECK(chain({op("p", "ISETP", {"x", "a"}), guarded}) == "LDG:2w ISETP:13? IMAD:5 STG:1 EXIT:5");
}

TEST_CASE("a chain of shuffles: a scoreboard each way") {
  // ptxas: LDG:4w SHFL:2w? IADD3:5? SHFL:2w IADD3:5? STG:1
  CHECK(chain({op("y", "SHFL.BFLY", {"x", "16"}), op("x", "IADD3", {"x", "y"}),
               op("y", "SHFL.BFLY", {"x", "16"}), op("x", "IADD3", {"x", "y"})}) ==
        "LDG:4w SHFL:2w? IADD3:5? SHFL:2w IADD3:5? STG:1 EXIT:5");
}

TEST_CASE("independent operations: the issue interval of their pipe, none across pipes") {
  // ptxas: FFMA:1 FFMA:1; IADD3:2 IADD3:2; LOP3:1 IMAD:1 in turns; MUFU:8 MUFU:8
  const Body none;
  CHECK(schedule_from("FFMA", {op("u", "FFMA", {"1", "2", "3"}), op("v", "FFMA", {"1", "2", "3"}),
                               op("w", "FFMA", {"1", "2", "3"})}) == "FFMA:1 FFMA:1 FFMA:1 EXIT:5");
  CHECK(schedule_from("IADD3", {op("u", "IADD3", {"1", "2"}), op("v", "IADD3", {"1", "2"}),
                                op("w", "IADD3", {"1", "2"})}) == "IADD3:2 IADD3:2 IADD3:1 EXIT:5");
  CHECK(schedule_from("LOP3", {op("u", "LOP3", {"1", "2"}), op("v", "IMAD", {"1", "2", "3"}),
                               op("w", "LOP3", {"1", "2"}), op("z", "IMAD", {"1", "2", "3"})}) ==
        "LOP3:1 IMAD:1 LOP3:1 IMAD:1 EXIT:5");
  CHECK(schedule_from("MUFU", {op("u", "MUFU.EX2", {"1"}), op("v", "MUFU.EX2", {"1"})}) ==
        "MUFU:8 MUFU:1 EXIT:5");
}

TEST_CASE("loads from shared memory: 4 cycles apart, one scoreboard for one consumer") {
  // ptxas: LDS:4 LDS:4 LDS:4 LDS:4w ... all awaited by the same instruction share a scoreboard
  const std::string schedule =
      schedule_from("LDS", {load("u", "LDS", "s", "tid"), load("v", "LDS", "s", "tid"),
                            op("w", "FADD", {"u", "v"}), store("STS", "s", "tid", "w")});
  CHECK(schedule == "LDS:4w LDS:2w FADD:5? STS:1 EXIT:5");
}

TEST_CASE("more loads in flight than scoreboards share them, and every consumer waits") {
  KernelSource source = kernel_source();
  for (int number = 0; number < 12; ++number) {
    source.body.push_back(load("x" + std::to_string(number), "LDG", "A", "i"));
  }
  for (int number = 0; number < 12; ++number) {
    const std::string name = "x" + std::to_string(number);
    source.body.push_back(op(name, "FADD", {name, name}));
    source.body.push_back(store("STG", "B", "i", name));
  }
  std::vector<SourceProblem> problems;
  const auto assembly = assemble(source, sm90(), problems);
  REQUIRE(assembly);
  CHECK(find_hazard(*assembly, sm90(), 2, 1) == "");
}

TEST_CASE("what a loop leaves in flight is awaited when it comes round again") {
  KernelSource source = kernel_source();
  source.body = {load("next", "LDG", "A", "i"), op("sum", "MOV", {"0"}),
                 loop(100, 1,
                      {op("now", "MOV", {"next"}), load("next", "LDG", "A", "i"),
                       op("sum", "FADD", {"sum", "now"})}),
                 store("STG", "B", "i", "sum")};
  std::vector<SourceProblem> problems;
  const auto assembly = assemble(source, sm90(), problems);
  REQUIRE(assembly);
  CHECK(find_hazard(*assembly, sm90(), 4, 1) == "");
}

TEST_CASE("the hazard checker sees a stall count that is too small and a wait that is missing") {
  KernelSource source = kernel_source();
  source.body = {load("x", "LDG", "A", "i"), op("x", "FFMA", {"x", "a", "x"}),
                 op("x", "FFMA", {"x", "a", "x"}), store("STG", "A", "i", "x")};
  std::vector<SourceProblem> problems;
  const auto right = assemble(source, sm90(), problems);
  REQUIRE(right);
  int caught = 0;
  int tried = 0;
  for (std::size_t at = 0; at < right->kernel.program.code.size(); ++at) {
    Assembly wrong = *right;
    Instruction& code = wrong.kernel.program.code[at];
    if (code.wait_mask != 0) {
      ++tried;
      code.wait_mask = 0;
      caught += find_hazard(wrong, sm90(), 1, 1).empty() ? 0 : 1;
    } else if (code.stall_cycles >= 4 && code.flow == Flow::next) {
      ++tried;
      code.stall_cycles = 1;
      caught += find_hazard(wrong, sm90(), 1, 1).empty() ? 0 : 1;
    }
  }
  CHECK(tried >= 4);
  CHECK(caught >= tried - 2);  // some stalls only keep ptxas' distance between constant loads
}
