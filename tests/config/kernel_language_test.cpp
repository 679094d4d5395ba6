// Every construct of the kernel language, and what it becomes.
#include "tests/catch.hpp"
#include "tests/config/kernel_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("launch: up to three dimensions, resources, caches, seed") {
  const KernelSpec kernel = loaded(
      "name: big\n"
      "params: {n: 1000, tile: 16}\n"
      "launch: {grid: [ceil(n / tile), 4, 2], block: [tile, 8], registers: 64, smem_static: 1 * "
      "KiB,\n"
      "         smem_dynamic: 2048, smem_config: 100 * KiB, cluster: 2, cooperative: true,\n"
      "         caches: warm, seed: 7}\n"
      "program:\n"
      "  - x: {op: MOV, src: 0}\n");
  CHECK(kernel.name == "big");
  CHECK(kernel.launch.grid.x == 63);
  CHECK(kernel.launch.grid.count() == 63 * 8);
  CHECK(kernel.launch.block.count() == 128);
  CHECK(kernel.launch.registers == 64);
  CHECK(kernel.launch.smem_static_bytes == 1024);
  CHECK(kernel.launch.smem_dynamic_bytes == 2048);
  CHECK(kernel.launch.smem_config_bytes == 102400);
  CHECK(kernel.launch.cluster == 2);
  CHECK(kernel.launch.cooperative);
  CHECK(kernel.launch.warm_caches);
  CHECK(kernel.launch.seed == 7);
}

TEST_CASE("registers are as many as needed, at least 16") {
  CHECK(loaded(with_program("  - x: {op: LDG, array: X}\n")).launch.registers == 16);
  const KernelSpec many =
      loaded(with_program("  - repeat: {c: 40, body: [x.c: {op: LDG, array: X}]}\n"
                          "  - repeat: {c: 40, body: [{op: STG, array: Y, src: x.c}]}\n"));
  CHECK(many.launch.registers > 42);
  CHECK(many.launch.registers < 56);
}

TEST_CASE("arrays: sizes, reuse, shared memory sums up") {
  const KernelSpec kernel = loaded(
      "launch: {grid: 1, block: 32}\n"
      "arrays: {A: 100, B: {bytes: 2 * MiB, reuse: random, bytes_per_sm: 4096},\n"
      "         s: {space: shared, bytes: 100}, t: {space: shared, bytes: 28}}\n"
      "program:\n  - x: {op: LDS, array: t, index: tid}\n  - {op: STS, array: s, src: x}\n");
  CHECK(kernel.program.arrays[0].bytes == 100);
  CHECK(kernel.program.arrays[1].reuse == Array::Reuse::random);
  CHECK(kernel.program.arrays[1].bytes_per_sm == 4096);
  CHECK(kernel.launch.smem_static_bytes == 128);
  CHECK(kernel.program.text[find(kernel, "LDS").operand + 0] != "");
  CHECK(mnemonics(kernel) == "LDC S2R S2UR UMOV ULEA LEA LDS STS EXIT");
}

TEST_CASE("access patterns become lines, sectors and wavefronts") {
  const auto access = [](const std::string& keys) {
    const KernelSpec kernel = loaded(with_program("  - x: {op: LDG, array: X" + keys + "}\n"));
    return kernel.program.accesses[find(kernel, "LDG").operand];
  };
  const auto shared = [](const std::string& keys) {
    const KernelSpec kernel = loaded(with_program("  - x: {op: LDS, array: s" + keys + "}\n"));
    return kernel.program.accesses[find(kernel, "LDS").operand];
  };
  CHECK(access("").sectors == 4);
  CHECK(access(", bytes: 16").sectors == 16);
  CHECK(access(", bytes: 16").lines == 4);
  CHECK(access(", bytes: 1").sectors == 1);
  CHECK(access(", stride: 2").sectors == 8);
  CHECK(access(", stride: 32").lines == 32);
  CHECK(access(", pattern: broadcast").sectors == 1);
  CHECK(!access(", pattern: broadcast").scales_with_lanes);
  CHECK(access(", rows: 2, columns: 16").sectors == 4);
  CHECK(access(", rows: 2, columns: 16").lines == 2);
  CHECK(access(", rows: 8, columns: 4, pitch: 8").lines == 2);
  CHECK(access(", pattern: random").sectors == 28);  // an array of 4 KiB has only 128 sectors
  CHECK(access(", lines: 3, sectors: 7").sectors == 7);
  CHECK(access(", l1_hit: 0.25, l2_hit: 1").l1_hit == 0.25);
  CHECK(access("").l1_hit < 0);
  CHECK(shared("").wavefronts == 1);
  CHECK(shared(", bytes: 16").wavefronts == 4);
  CHECK(shared(", stride: 32").wavefronts == 32);
  CHECK(shared(", stride: 33").wavefronts == 1);
  CHECK(shared(", stride: 8").wavefronts == 8);
  CHECK(shared(", conflict: 5").wavefronts == 5);
  CHECK(shared(", pattern: broadcast").wavefronts == 1);
  CHECK(shared(", pattern: random").wavefronts == 4);
}

TEST_CASE("an index is a sum: constants are free, products with registers are not") {
  CHECK(mnemonics(loaded(with_program("  - x: {op: LDG, array: X, index: i}\n"
                                      "  - y: {op: LDG, array: X, index: i + 7}\n"
                                      "  - z: {op: LDG, array: X, index: 3}\n"))) ==
        "LDC S2R S2UR LDC IMAD LDC.64 ULDC.64 IMAD.WIDE LDG.E LDG.E LDG.E EXIT");
  const KernelSpec kernel =
      loaded(with_program("  - x: {op: LDG, array: X, index: 2 * i + tid}\n"));
  CHECK(count(kernel, "IMAD.WIDE") == 1);
  CHECK(count(kernel, "IMAD") == 3);
}

TEST_CASE("parts of wide values") {
  const KernelSpec kernel =
      loaded(with_program("  - x: {op: LDG, array: X, bytes: 16}\n"
                          "  - repeat: {c: 4, body: [x.c: {op: FADD, src: [x.c, a]}]}\n"
                          "  - {op: STG, array: Y, bytes: 16, src: x}\n"));
  CHECK(count(kernel, "LDG.E.128") == 1);
  CHECK(count(kernel, "STG.E.128") == 1);
  CHECK(count(kernel, "FADD") == 4);
}

TEST_CASE("guard: threads outside leave") {
  const KernelSpec kernel = loaded(with_program("  - guard: i < n - 24\n"));
  const Instruction& exit = find(kernel, "EXIT");
  CHECK(exit.flow == Flow::guard);
  CHECK(kernel.program.conditions[exit.flow_operand].kind == Condition::Kind::index_below);
  CHECK(kernel.program.conditions[exit.flow_operand].last == 1000);
}

TEST_CASE("guard in two dimensions: exact where all are inside, a share of the warps elsewhere") {
  const std::string text =
      "params: {w: 64, h: 16}\nlaunch: {grid: [2, 2], block: [32, 8]}\nprogram:\n"
      "  - guard: i < w and j < h\n  - barrier\n";
  const KernelSpec whole = loaded(text);
  CHECK(count(whole, "ISETP") == 2);
  CHECK(whole.program.conditions[0].last == 1024);
  const KernelSpec part = loaded(text, {"params.h=12"});
  CHECK(part.program.conditions[0].kind == Condition::Kind::fraction);
  CHECK(part.program.conditions[0].fraction == 0.75);
  CHECK(part.notes.size() == 1);
}

TEST_CASE("if: long bodies branch, short ones are predicated, the last one exits") {
  const std::string many = "repeat: {c: 9, body: [x: {op: FADD, src: [x, 1]}]}";
  const std::string before = "  - x: {op: MOV, src: 0}\n";
  const KernelSpec branch = loaded(with_program(
      before + "  - if: {fraction: 0.25, per: thread, then: [" + many + "]}\n  - barrier\n"));
  REQUIRE(branch.program.branches.size() == 1);
  CHECK(count(branch, "BSSY") == 1);
  CHECK(count(branch, "BSYNC") == 1);
  CHECK(branch.program.branches[0].else_pc == branch.program.branches[0].end_pc);
  CHECK(branch.program.code[branch.program.branches[0].end_pc].flow == Flow::branch_end);
  CHECK(branch.program.conditions[0].fraction == 0.25);

  const KernelSpec uniform = loaded(with_program(before + "  - if: {warps: 0..1, then: [" + many +
                                                 "], else: [" + many + "]}\n  - barrier\n"));
  CHECK(count(uniform, "BSSY") == 0);
  CHECK(find(uniform, "BAR").flow == Flow::next);
  CHECK(uniform.program.branches[0].else_pc < uniform.program.branches[0].end_pc);

  const KernelSpec predicated = loaded(with_program(
      before + "  - if: {threads: 0..9, then: [x: {op: FADD, src: [x, 1]}]}\n  - barrier\n"));
  CHECK(predicated.program.branches.empty());
  CHECK(find(predicated, "FADD").predicate == 0);
  CHECK(predicated.program.conditions[0].last == 10);

  const KernelSpec last = loaded(
      with_program(before + "  - if: {when: tid == 0, then: [{op: STG, array: X, src: x}]}\n"));
  CHECK(find(last, "@!P0 EXIT").flow == Flow::guard);
}

TEST_CASE("if: what is hoisted out of the code behind it does not end it too early") {
  // The first use of i, in the store's address, is computed at the start of the program.
  const KernelSpec kernel = loaded(
      "name: k\nlaunch: {grid: 1, block: 128}\nscalars: [a]\narrays: {Y: 512}\nprogram:\n"
      "  - x: {op: MOV, src: 1}\n"
      "  - if: {warps: 0..1, then: [repeat: {k: 8, body: [x: {op: FFMA, src: [x, a, a]}]}]}\n"
      "  - {op: STG, array: Y, index: i, src: x}\n");
  const Program& program = kernel.program;
  REQUIRE(program.branches.size() == 1);
  std::size_t begin = 0;
  std::size_t end = 0;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    if (program.code[pc].flow == Flow::branch_if) begin = pc;
    if (program.code[pc].flow == Flow::branch_end) end = pc;
  }
  CHECK(end > begin + 8);
  CHECK(program.branches[0].end_pc == end);
}

TEST_CASE("if: every condition") {
  const auto condition = [](const std::string& text, const std::string& more = "") {
    const std::string body = "then: [repeat: {c: 9, body: [x: {op: MOV, src: c}]}]";
    const KernelSpec kernel =
        loaded(with_program("  - if: {" + text + ", " + body + "}\n  - barrier\n", more));
    return kernel.program.conditions.at(kernel.program.branches.at(0).condition);
  };
  using Kind = Condition::Kind;
  CHECK(condition("fraction: 0.5, per: warp").scope == Scope::warp);
  CHECK(condition("fraction: 0.5, per: block").scope == Scope::block);
  CHECK(condition("fraction: 0.5, per: visit").scope == Scope::visit);
  CHECK(condition("warps: 1..3").first == 1);
  CHECK(condition("warps: 1..3").last == 4);
  CHECK(condition("threads: 64").kind == Kind::thread_range);
  CHECK(condition("lanes: 0").kind == Kind::lane_range);
  CHECK(condition("blocks: 0..6").kind == Kind::block_range);
  CHECK(condition("when: i < 100").kind == Kind::index_below);
  CHECK(condition("when: tid < n / 16").last == 64);
  CHECK(condition("when: warp == 2").first == 2);
  CHECK(condition("when: lane == 0").kind == Kind::lane_range);
  CHECK(condition("when: bid < 3").kind == Kind::block_range);
  CHECK(condition("last_ticket: done", "counters: {done: 8}\n").last == 8);
}

TEST_CASE("a condition waits for the value it depends on") {
  const KernelSpec kernel =
      loaded(with_program("  - x: {op: LDG, array: X}\n"
                          "  - if: {fraction: 0.5, per: thread, on: x, then: [repeat: {c: 9, body: "
                          "[y: {op: MOV, src: c}]}]}\n"
                          "  - barrier\n"));
  CHECK(find(kernel, "ISETP").wait_mask != 0);
  const KernelSpec predicate =
      loaded(with_program("  - x: {op: LDG, array: X}\n  - p: {op: FSETP, src: [x, 0]}\n"
                          "  - if: {fraction: 0.5, per: thread, on: p, then: [repeat: {c: 9, body: "
                          "[y: {op: MOV, src: c}]}]}\n"
                          "  - barrier\n"));
  CHECK(count(predicate, "ISETP") == 0);
}

TEST_CASE("when: an operation under a predicate of its own") {
  const KernelSpec kernel = loaded(
      with_program("  - p: {op: ISETP, src: [i, 4]}\n  - x: {op: MOV, src: 0}\n"
                   "  - x: {op: FADD, src: [x, 1], when: p}\n  - {op: STG, array: X, src: x}\n"));
  CHECK(find(kernel, "@P0 FADD").flow == Flow::next);
  CHECK(count(kernel, "BRA") == 0);
}

TEST_CASE("values set anew under one name cost no registers and no waits") {
  const KernelSpec kernel = loaded(with_program(
      "  - t: {op: LDG, array: X, index: i}\n  - {op: STG, array: Y, index: i, src: t}\n"
      "  - t: {op: LDG, array: X, index: i + 1}\n  - {op: STG, array: Y, index: i + 1, src: t}\n"));
  CHECK(find(kernel, "STG.E").read_scoreboard == kNoScoreboard);
}

TEST_CASE("raw: exactly what is listed") {
  const KernelSpec kernel = loaded(
      "raw: true\nlaunch: {grid: 1, block: 32}\narrays: {X: 128}\nprogram:\n"
      "  - x: {op: LDG, array: X}\n  - x: {op: FADD, src: [x, x]}\n"
      "  - for: {trips: 3, body: [x: {op: FADD, src: [x, 1]}]}\n  - {op: STG, array: X, src: x}\n");
  CHECK(mnemonics(kernel) == "LDG.E FADD FADD BRA STG.E EXIT");
}

TEST_CASE("spilling: below the need, local loads and stores appear and are noted") {
  const std::string text = with_program(
      "  - repeat: {c: 24, body: [v.c: {op: LDG, array: X, index: i + c}]}\n"
      "  - barrier\n"
      "  - repeat: {c: 24, body: [{op: STG, array: Y, index: i + c, src: v.c}]}\n");
  const KernelSpec roomy = loaded(text);
  CHECK(count(roomy, "STL") == 0);
  const KernelSpec tight = loaded(text, {"launch.registers=20"});
  CHECK(tight.launch.registers == 20);
  CHECK(count(tight, "STL") > 0);
  CHECK(count(tight, "LDL") > 0);
  CHECK(tight.program.accesses[find(tight, "LDL").operand].space == Space::local);
  REQUIRE(!tight.notes.empty());
  CHECK(tight.notes.back().find("spilled to local memory") != std::string::npos);
}
