#include "sim/import/ncu_select.hpp"

#include <filesystem>

#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

NcuLaunch launch(int id, const std::string& kernel, const std::string& capability = "9.0") {
  NcuLaunch out;
  out.id = id;
  out.kernel_name = kernel;
  out.compute_capability = capability;
  return out;
}

NcuSourceBlock block(int line, const std::string& kernel, double executed,
                     const std::vector<std::string>& code = {"NOP", "EXIT"}) {
  NcuSourceBlock out;
  out.line = line;
  out.kernel_name = kernel;
  for (const std::string& text : code) {
    NcuSourceRow row;
    const std::size_t predicate = text[0] == '@' ? text.find(' ') + 1 : 0;
    row.predicate = text.substr(0, predicate == 0 ? 0 : predicate - 1);
    row.text = text.substr(predicate);
    row.address = 16 * out.rows.size();
    row.executed = executed;
    out.rows.push_back(row);
  }
  return out;
}

SassFunction function(const std::string& name, int sm,
                      const std::vector<std::string>& code = {"NOP", "EXIT"}) {
  SassFunction out;
  out.mangled_name = name;
  out.sm = sm;
  for (const std::string& text : code) {
    SassInstruction instruction;
    instruction.text = text;
    out.code.push_back(instruction);
  }
  return out;
}

NcuProfile profile(std::vector<NcuLaunch> launches, std::vector<NcuSourceBlock> blocks,
                   std::vector<SassFunction> functions = {}) {
  return {"raw", "source", "sass", std::move(launches), std::move(blocks), std::move(functions)};
}

LaunchChoice by_id(int id) {
  return {id, ""};
}

LaunchChoice by_kernel(const std::string& name) {
  return {std::nullopt, name};
}

std::string problem(const NcuProfile& from, const LaunchChoice& choice = {}) {
  return message_of([&] { select_launches(from, choice); });
}

const NcuProfile kTwoKernels =
    profile({launch(0, "a(int)"), launch(1, "b(int)"), launch(4, "a(int)")},
            {block(1, "a(int)", 1), block(9, "b(int)", 2), block(17, "a(int)", 3)},
            {function("_Z1bi", 90), function("_Z1ai", 90)});

}  // namespace

TEST_CASE("without a choice every launch comes with its block and function") {
  const auto selected = select_launches(kTwoKernels, {});
  REQUIRE(selected.size() == 3);
  CHECK(selected[0].launch == 0);
  CHECK(selected[0].block == 0);
  CHECK(selected[0].function == 1);
  CHECK(selected[1].block == 1);
  CHECK(selected[1].function == 0);
  CHECK(selected[2].block == 2);  // the second launch of a, the second block of a
}

TEST_CASE("a choice by ID or by name") {
  CHECK(select_one_launch(kTwoKernels, by_id(4)).launch == 2);
  CHECK(select_one_launch(kTwoKernels, by_kernel("b")).launch == 1);
  CHECK(select_one_launch(kTwoKernels, by_kernel("b(int)")).launch == 1);
  CHECK(select_launches(kTwoKernels, by_kernel("a")).size() == 2);
  CHECK(select_one_launch(kTwoKernels, {4, "a"}).launch == 2);
  CHECK(select_raw_launch("raw", kTwoKernels.launches, by_id(1)) == 1);
}

TEST_CASE("a launch may have several equal blocks") {
  const NcuProfile twice = profile(
      {launch(0, "a(int)"), launch(1, "a(int)")},
      {block(1, "a(int)", 1), block(2, "a(int)", 1), block(3, "a(int)", 7), block(4, "a(int)", 7)});
  CHECK(select_one_launch(twice, by_id(0)).block == 0);
  CHECK(select_one_launch(twice, by_id(1)).block == 2);
  CHECK(!select_one_launch(twice, by_id(1)).function);
}

TEST_CASE("the source page writes casts, the raw page does not") {
  const NcuProfile templates =
      profile({launch(0, "void s<256>(int)"), launch(1, "void s<512>(int)")},
              {block(1, "void s<(int)512>(int)", 1), block(2, "void s<(int)256>(int)", 1)},
              {function("_Z1sILi512EEvi", 90), function("_Z1sILi256EEvi", 90)});
  CHECK(select_one_launch(templates, by_id(0)).block == 1);
  CHECK(select_one_launch(templates, by_id(0)).function == 1);
  CHECK(select_one_launch(templates, by_id(1)).block == 0);
}

TEST_CASE("several launches and no choice of one is an error with the list") {
  const std::string found = message_of([] { select_one_launch(kTwoKernels, {}); });
  has(found, "raw: error: found 3 launches, expected a choice of one\n");
  has(found, "\n  --launch 4: a(int), grid 1x1x1, block 1x1x1");
}

TEST_CASE("a choice that fits nothing is an error with the list") {
  has(problem(kTwoKernels, by_id(3)),
      "raw: error: found no launch with ID 3, expected one of\n"
      "  --launch 0: a(int)");
  const std::string name = problem(kTwoKernels, by_kernel("c(int)"));
  has(name,
      "raw: error: found no launch of kernel 'c(int)', expected one of\n  --launch 0: a(int)");
  has(name, "did you mean");
  has(problem(kTwoKernels, {1, "a"}),
      "found no launch of kernel 'a', expected one of\n  --launch 1");
  has(problem(profile({launch(0, "a"), launch(0, "a")}, {}), by_id(0)),
      "found 2 launches with ID 0, expected one: are these several exports");
}

TEST_CASE("blocks that cannot be given to launches are never guessed at") {
  const NcuProfile none = profile({launch(0, "a(int)")}, {block(5, "b(int)", 1)});
  has(problem(none), "source: error: found no block of kernel 'a(int)'");
  has(problem(none), "\n  line 5: b(int), 2 instructions");
  const NcuProfile uneven =
      profile({launch(0, "a(int)"), launch(1, "a(int)")},
              {block(1, "a(int)", 1), block(5, "a(int)", 1), block(9, "a(int)", 1)});
  has(problem(uneven), "source: error: found 3 blocks of kernel 'a(int)' for 2 launches in raw");
  has(problem(uneven), "\n  line 9: a(int)");
  const NcuProfile fewer =
      profile({launch(0, "a(int)"), launch(1, "a(int)")}, {block(1, "a(int)", 1)});
  has(problem(fewer), "found 1 blocks of kernel 'a(int)' for 2 launches");
  const NcuProfile differing =
      profile({launch(0, "a(int)")}, {block(1, "a(int)", 1), block(5, "a(int)", 2)});
  has(problem(differing), "those of one launch differ, expected equal ones");
}

TEST_CASE("a thousand launches are selected at once") {
  NcuProfile many;
  for (int i = 0; i < 1000; ++i) {
    const std::string kernel = "void k<" + std::to_string(i % 20) + ">(const float *, int)";
    many.launches.push_back(launch(i, kernel));
    many.blocks.push_back(block(i + 1, kernel, i));
  }
  const auto selected = select_launches(many, {});
  REQUIRE(selected.size() == 1000);
  CHECK(selected[777].block == 777);
}

TEST_CASE("machine code is taken for the architecture it ran on") {
  const auto with = [](const std::string& capability, std::vector<SassFunction> functions) {
    return profile({launch(0, "a(int)", capability)}, {block(1, "a(int)", 1)},
                   std::move(functions));
  };
  const std::vector<SassFunction> several{function("_Z1ai", 80), function("_Z1ai", 90),
                                          function("_Z1ai", 86), function("_Z1ai", 100)};
  CHECK(select_launches(with("9.0", several), {})[0].function == 1);
  CHECK(select_launches(with("8.0", several), {})[0].function == 0);
  CHECK(select_launches(with("8.9", several), {})[0].function == 2);  // sm_86 runs there
  CHECK(select_launches(with("10.3", several), {})[0].function == 3);
  const std::string found = problem(with("12.0", several));
  has(found, "sass: error: found no code of kernel 'a(int)' for sm_120, which it ran on\n");
  has(found, "\n  a(int), sm_86, 2 instructions");
  has(problem(with("9.0", {function("_Z1bi", 90)})),
      "sass: error: found no function of kernel 'a(int)', expected one of these to be it\n  "
      "b(int)");
}

TEST_CASE("code that is not what was profiled is refused") {
  const auto with = [](std::vector<SassFunction> functions) {
    return profile({launch(0, "a(int)")}, {block(3, "a(int)", 1, {"@P0 FADD R1, R2, R3", "EXIT"})},
                   std::move(functions));
  };
  const SassFunction good =
      function("_Z1ai", 90, {"@P0 FADD R1, R2.reuse, R3", "EXIT", "BRA 0x20"});
  const SassFunction other = function("_Z1ai", 90, {"@P0 FMUL R1, R2, R3", "EXIT"});
  CHECK(select_launches(with({good}), {})[0].function == 0);
  CHECK(select_launches(with({other, good}), {})[0].function == 1);
  CHECK(select_launches(with({good, good}), {})[0].function == 0);  // a listing joined twice
  const std::string found = problem(with({other}));
  has(found, "sass: error: found '@P0 FMUL R1, R2, R3' instead of '@P0 FADD");
  has(found, "expected the code of source line 3: is this the binary that was profiled?");
  has(problem(with({function("_Z1ai", 90, {"@P0 FADD R1, R2, R3"})})),
      "found 1 instructions instead of 2");
  const SassFunction scheduled = function("_Z1ai", 90, {"@P0 FADD R1, R2, R3", "EXIT", "NOP"});
  has(problem(with({good, scheduled})), "found 2 functions of kernel 'a(int)', expected one\n");
}

TEST_CASE("the problems of all files of a profile are reported at once") {
  const std::string found =
      message_of([] { read_ncu_profile("/nowhere/raw", "/nowhere/source", "/nowhere/sass"); });
  has(found, "/nowhere/raw: error: ");
  has(found, "/nowhere/source: error: ");
  has(found, "/nowhere/sass: error: ");
}

#ifdef SMSIM_HAVE_ZLIB
TEST_CASE("every measured profile reads and selects without help") {
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(reference(""))) {
    if (!entry.is_directory()) {
      continue;
    }
    const std::string folder = entry.path().string();
    INFO(folder);
    const NcuProfile found = read_ncu_profile(folder + "/raw.csv.gz", folder + "/source.csv.gz",
                                              folder + "/kernel.sass.gz");
    const SelectedLaunch selected = select_one_launch(found, {});
    const NcuLaunch& of = found.launches[selected.launch];
    const NcuSourceBlock& listing = found.blocks[selected.block];
    REQUIRE(selected.function);
    const SassFunction& code = found.functions[*selected.function];
    CHECK(code.sm == 90);
    CHECK(code.code.size() == listing.rows.size());
    CHECK(of.device == "NVIDIA H200");
    CHECK(of.number("launch__block_size") == static_cast<double>(of.block.count()));
    CHECK(of.number("launch__grid_size") == static_cast<double>(of.grid.count()));
    // Without the marks for the operand cache both list the same instructions.
    for (std::size_t i = 0; i < listing.rows.size(); ++i) {
      const NcuSourceRow& row = listing.rows[i];
      std::string text = code.code[i].text;
      for (std::size_t at = text.find(".reuse"); at != std::string::npos;
           at = text.find(".reuse")) {
        text.erase(at, 6);
      }
      const std::string profiled =
          row.predicate.empty() ? row.text : row.predicate + " " + row.text;
      // One has a comma more, or its operands in another order.
      const bool differs = profiled.find("RET.REL") != std::string::npos ||
                           profiled.find("LDGSTS") != std::string::npos;
      if (!differs) {
        CHECK(profiled == text);
      }
      CHECK(code.code[i].offset == row.address);
    }
    ++read;
  }
  CHECK(read == 233);
}
#endif
