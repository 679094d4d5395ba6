// Loops and repeats of the kernel language, and what they become.
#include "tests/catch.hpp"
#include "tests/config/kernel_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("for: counter, test, branch; a loop index carries a pointer along") {
  const KernelSpec kernel = loaded(with_program(
      "  - for: {trips: 10, index: k, body: [x: {op: LDG, array: X, index: i + k * 128}]}\n"));
  REQUIRE(kernel.program.loops.size() == 1);
  CHECK(kernel.program.loops[0].trips.count == 10);
  CHECK(count(kernel, "IMAD.WIDE") == 1);  // in front of the loop
  CHECK(mnemonics(kernel).find("MOV LDG.E IADD3 IADD3") != std::string::npos);
  CHECK(find(kernel, "BRA").flow == Flow::loop_back);
  CHECK(kernel.program.code[kernel.program.loops[0].begin_pc - 1].flow == Flow::loop_enter);
}

TEST_CASE("for: unrolled copies, the remainder, and no loop at all") {
  const std::string body = "body: [x: {op: FADD, src: [x, 1]}]}\n";
  const auto adds = [&body](const std::string& head) {
    return loaded(with_program("  - x: {op: MOV, src: 0}\n  - for: {" + head + ", " + body));
  };
  CHECK(count(adds("trips: 10, unroll: 4"), "FADD") == 6);  // 4 in the loop, 2 behind it
  CHECK(adds("trips: 10, unroll: 4").program.loops[0].trips.count == 2);
  CHECK(count(adds("trips: 8, unroll: 8"), "FADD") == 8);
  CHECK(adds("trips: 8, unroll: 8").program.loops.empty());
  CHECK(count(adds("trips: 0"), "FADD") == 0);
}

TEST_CASE("for: trips by list, distribution, work and stride of the grid") {
  const auto trips = [](const std::string& head, const std::string& more = "") {
    return loaded(with_program("  - for: {" + head + ", body: [x: {op: MOV, src: 1}]}\n", more))
        .program.loops.at(0)
        .trips;
  };
  CHECK(trips("trips: [3, 4, n], per: block").list == std::vector<std::uint32_t>{3, 4, 1024});
  CHECK(trips("trips: [3], per: warp").scope == Scope::warp);
  const TripCount pareto =
      trips("trips: {distribution: pareto, mean: 40, shape: 1.3, max: 500}, per: thread");
  CHECK(pareto.kind == TripCount::Kind::distribution);
  CHECK(pareto.scope == Scope::thread);
  CHECK(pareto.distribution.spread == 1.3);
  CHECK(pareto.distribution.maximum == 500);
  CHECK(trips("grid_stride: n").items == 1024);
  CHECK(trips("trips: work", "tasks: {count: 5, work: 3}\n").kind == TripCount::Kind::task_work);
}

TEST_CASE("every distribution") {
  const auto drawn = [](const std::string& text) {
    return loaded(with_program("  - for: {trips: {" + text +
                               "}, per: warp, body: [x: {op: MOV, src: 1}]}\n"))
        .program.loops.at(0)
        .trips.distribution;
  };
  using Kind = Distribution::Kind;
  CHECK(drawn("distribution: constant, mean: 4").kind == Kind::constant);
  CHECK(drawn("distribution: uniform, min: 2, max: 8").minimum == 2);
  CHECK(drawn("distribution: normal, mean: 9, deviation: 2").spread == 2);
  CHECK(drawn("distribution: exponential, mean: 9").mean == 9);
  CHECK(drawn("distribution: lognormal, mean: 9, deviation: 3").kind == Kind::lognormal);
  CHECK(drawn("distribution: pareto, mean: 9, shape: 2").kind == Kind::pareto);
  CHECK(drawn("distribution: bimodal, common: 2, rare: 90, share: 0.1").share == 0.1);
}

TEST_CASE("unrolled loops of unknown length have a second loop for the rest") {
  const KernelSpec kernel = loaded(with_program(
      "  - for: {trips: {distribution: exponential, mean: 9}, per: warp, unroll: 4, index: k,\n"
      "          body: [x: {op: LDG, array: X, index: i + k}]}\n"));
  REQUIRE(kernel.program.loops.size() == 2);
  CHECK(kernel.program.loops[0].trips.unroll == 4);
  CHECK(!kernel.program.loops[0].trips.remainder);
  CHECK(kernel.program.loops[1].trips.remainder);
  CHECK(kernel.program.loops[1].trips.draw_of == 0);
  CHECK(count(kernel, "LDG") == 5);
}

TEST_CASE("loads of unrolled copies go first, unless a store or a barrier is in between") {
  const std::string head = "  - for: {trips: 4, unroll: 4, index: k, body: [";
  CHECK(mnemonics(loaded(with_program(head + "x: {op: LDG, array: X, index: i + k}, "
                                             "{op: STG, array: Y, index: i + k, src: x}]}\n")))
            .find("LDG.E LDG.E LDG.E LDG.E IMAD.WIDE STG.E STG.E STG.E STG.E") !=
        std::string::npos);
  CHECK(mnemonics(loaded(with_program(head + "x: {op: LDG, array: X, index: i + k}, "
                                             "{op: STG, array: X, index: i + k, src: x}]}\n")))
            .find("LDG.E STG.E LDG.E STG.E") != std::string::npos);
  CHECK(mnemonics(loaded(with_program(head + "x: {op: LDG, array: X, index: i + k}, barrier, "
                                             "{op: STG, array: Y, index: i + k, src: x}]}\n")))
            .find("BAR.SYNC.DEFER_BLOCKING LDG.E IMAD.WIDE STG.E BAR.SYNC.DEFER_BLOCKING LDG.E") !=
        std::string::npos);
}

TEST_CASE("repeat writes its body out; names have indices") {
  const KernelSpec kernel =
      loaded(with_program("  - repeat: {r: 2, c: 3, body: [acc.r.c: {op: MOV, src: r + 10 * c}]}\n"
                          "  - repeat: {r: 2, c: 3, body: [{op: STG, array: X, index: i + 3 * r + "
                          "c, src: acc.r.c}]}\n"));
  CHECK(count(kernel, "MOV") == 6);
  CHECK(find(kernel, "MOV R").pipe == Pipe::alu);
  CHECK(count(kernel, "STG") == 6);
  CHECK(find(kernel, "+0x14]").action == Action::memory);
}

TEST_CASE("a predicate of the body may end a loop") {
  const KernelSpec kernel = loaded(with_program(
      "  - x: {op: MOV, src: 0}\n"
      "  - for: {trips: {distribution: exponential, mean: 5}, per: warp, bound: done,\n"
      "          body: [x: {op: FADD, src: [x, 1]}, done: {op: FSETP, src: [x, a]}]}\n"
      "  - {op: STG, array: X, src: x}\n"));
  CHECK(count(kernel, "ISETP") == 2);
  CHECK(count(kernel, "FSETP") == 1);
  CHECK(kernel.notes.empty());
}
