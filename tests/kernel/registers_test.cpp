// Registers: how many a program needs, and what happens when there are fewer.
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/kernel/hazard_checker.hpp"
#include "tests/kernel/source_builder.hpp"
#include "tests/kernel/test_gpu.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

// `count` values loaded first and stored last, so that all are alive at once.
KernelSource alive(int count, int bytes = 4) {
  KernelSource source = kernel_source();
  for (int number = 0; number < count; ++number) {
    source.body.push_back(load("v" + std::to_string(number), "LDG", "A", "i", bytes));
  }
  source.body.push_back(statement(BarrierStatement{}));
  for (int number = 0; number < count; ++number) {
    source.body.push_back(store("STG", "B", "i", "v" + std::to_string(number), bytes));
  }
  return source;
}

Assembly assembled(const KernelSource& source) {
  std::vector<SourceProblem> problems;
  const auto made = assemble(source, sm90(), problems);
  INFO((problems.empty() ? "" : problems.front().message));
  REQUIRE(made);
  CHECK(find_hazard(*made, sm90(), 1, 1) == "");
  return *made;
}

int count_of(const Assembly& assembly, const std::string& mnemonic) {
  return static_cast<int>(std::count_if(
      assembly.drafts.code.begin(), assembly.drafts.code.end(),
      [&mnemonic](const sass::Draft& draft) { return draft.mnemonic.rfind(mnemonic, 0) == 0; }));
}

}  // namespace

TEST_CASE("every live value takes a register, wide ones as many as they are wide") {
  const int few = assembled(alive(20)).registers_needed;
  CHECK(assembled(alive(30)).registers_needed == few + 10);
  CHECK(assembled(alive(30)).kernel.launch.registers == few + 10);
  const int wide = assembled(alive(10, 16)).registers_needed;
  CHECK(assembled(alive(12, 16)).registers_needed == wide + 8);
  CHECK(wide >= few + 20);
}

TEST_CASE("groups of registers start where the hardware wants them") {
  const Assembly assembly = assembled(alive(9, 16));
  for (sass::ValueId value = 0; value < assembly.drafts.values.size(); ++value) {
    const int width = assembly.drafts.values[value].width;
    const int first = assembly.allocation.first[value];
    if (first >= 0 && width > 1) {
      CHECK(first % std::min(width, 4) == 0);
    }
  }
}

TEST_CASE("no two live values share a register; R1 stays the stack pointer") {
  const Assembly assembly = assembled(alive(40));
  std::vector<int> of_loads;
  for (const sass::Draft& draft : assembly.drafts.code) {
    if (draft.mnemonic == "LDG.E") {
      of_loads.push_back(assembly.allocation.first[draft.results[0].value]);
    }
  }
  std::sort(of_loads.begin(), of_loads.end());
  CHECK(of_loads.size() == 40);
  CHECK(std::adjacent_find(of_loads.begin(), of_loads.end()) == of_loads.end());
  CHECK(std::find(of_loads.begin(), of_loads.end(), 1) == of_loads.end());
}

TEST_CASE("fewer registers than needed: the more are missing, the more is spilled") {
  int spilled = 0;
  for (const int registers : {50, 40, 30, 20}) {
    KernelSource source = alive(40);
    source.registers = registers;
    const Assembly assembly = assembled(source);
    CHECK(assembly.allocation.vector_used <= registers - 2);
    const int stores = count_of(assembly, "STL");
    CHECK(stores >= spilled);
    spilled = stores;
  }
  CHECK(spilled > 15);
}

TEST_CASE("a spill inside a loop is paid for in every trip, so others are preferred") {
  KernelSource source = kernel_source();
  for (int number = 0; number < 12; ++number) {
    source.body.push_back(load("cold" + std::to_string(number), "LDG", "A", "i"));
  }
  source.body.push_back(op("hot", "MOV", {"0"}));
  source.body.push_back(loop(100, 1, {op("hot", "FFMA", {"hot", "a", "hot"})}));
  for (int number = 0; number < 12; ++number) {
    source.body.push_back(store("STG", "B", "i", "cold" + std::to_string(number)));
  }
  source.body.push_back(store("STG", "B", "i", "hot"));
  source.registers = 16;
  const Assembly assembly = assembled(source);
  CHECK(count_of(assembly, "STL") > 0);
  const Loop& inner = assembly.kernel.program.loops.at(0);
  for (std::uint32_t pc = inner.begin_pc; pc < inner.end_pc; ++pc) {
    CHECK(assembly.kernel.program.text[pc].find("LDL") == std::string::npos);
    CHECK(assembly.kernel.program.text[pc].find("STL") == std::string::npos);
  }
}

TEST_CASE("constants are computed again instead of spilled") {
  KernelSource source = kernel_source();
  for (int number = 0; number < 30; ++number) {
    source.body.push_back(op("c" + std::to_string(number), "MOV", {std::to_string(number)}));
  }
  source.body.push_back(statement(BarrierStatement{}));
  for (int number = 0; number < 30; ++number) {
    source.body.push_back(store("STG", "B", "i", "c" + std::to_string(number)));
  }
  source.registers = 20;
  const Assembly assembly = assembled(source);
  CHECK(count_of(assembly, "STL") == 0);
  CHECK(count_of(assembly, "MOV") == 30);
}

TEST_CASE("registers that cannot do are a problem, not a crash") {
  KernelSource source = alive(4, 16);
  source.registers = 6;
  std::vector<SourceProblem> problems;
  CHECK(!assemble(source, sm90(), problems));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message.find("registers per thread, expected at most 6") != std::string::npos);
}

TEST_CASE("without a number, a block of 1024 threads gets at most 64 registers") {
  KernelSource source = alive(90);
  source.launch.block.x = 1024;
  const Assembly assembly = assembled(source);
  CHECK(assembly.kernel.launch.registers <= 64);
  CHECK(count_of(assembly, "STL") > 0);
}
