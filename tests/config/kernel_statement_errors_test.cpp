// Every message that a program can draw, with its place.
#include "tests/catch.hpp"
#include "tests/config/kernel_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

// Problems of one program line; the line is number 6 of the file.
std::string line_problems(const std::string& line, const std::string& more = "") {
  std::string found = problems_of(with_program("  - " + line + "\n", more));
  // Long lists of what was expected are cut: "expected one of a, b, ..." stays up to the list.
  return found;
}

void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("statements") {
  has(line_problems("brrier"),
      "k.yaml:6:5: error: found unknown statement 'brrier', expected a value with an 'op'");
  has(line_problems("brrier"), "did you mean 'barrier'?");
  has(line_problems("{}"), "found a mapping, expected a statement");
  has(line_problems("[a]"), "found a list, expected a statement");
  has(line_problems("{a: {op: MOV, src: 0}, b: {op: MOV, src: 0}}"),
      "found a statement of 2 keys, expected one: start each statement with its own '-'");
  has(line_problems("x: 5"), "found unknown statement 'x'");
  has(line_problems("guard"), "found nothing, expected a comparison such as 'i < n'");
  has(problems_of("launch: {grid: 1, block: 32}\nprogram: []\n"),
      "found an empty list, expected a list of statements");
  has(problems_of("launch: {grid: 1, block: 32}\nprogram: 7\n"),
      "found '7', expected a list of statements");
}

TEST_CASE("operations") {
  has(line_problems("x: {op: BRA}"), "found unknown operation 'BRA'");
  has(line_problems("x: {op: FFMA2, src: [1]}"),
      "found 'FFMA2', expected an operation that the GPU 'test_sm90' has");
  has(line_problems("x: {op: FADD, src: [q, 1]}"),
      "k.yaml:6:25: error: found 'q', expected a value that was set before, a scalar, an index or "
      "a "
      "number");
  has(line_problems("x: {op: FADD, src: [tdi, 1]}"), "did you mean 'tid'?");
  has(line_problems("x: {op: FADD, src: [1 +, 1]}"), "found the end, expected a number or a name");
  has(line_problems("x: {op: FADD, src: [1, 2, 3, 4, 5, 6, 7, 8, 9]}"),
      "found 9 sources, expected at most 8");
  has(line_problems("x: {op: FADD, src: [[1]]}"), "found a list, expected a name");
  has(line_problems("x: {op: FADD, src: [a]}"), "found 1 source of FADD, expected 2");
  has(line_problems("x: {op: FADD, src: a}"), "found 1 source of FADD, expected 2");
  has(line_problems("x: {op: FFMA.FTZ, src: [a, 1, 2, 3]}"), "found 4 sources of FFMA, expected 3");
  has(line_problems("tid: {op: MOV, src: 1}"),
      "found 'tid' as the name of a result, expected another name");
  has(line_problems("2x: {op: MOV, src: 1}"),
      "found '2x' as the name of a result, expected letters");
  has(line_problems("x: {op: STG, array: X, src: 1}"),
      "found a result of STG, which returns nothing: expected '- {op: STG, ...}'");
  has(line_problems("{op: STG, array: X}"), "found no 'src' of STG, expected the value to store");
  has(line_problems("x: {op: MOV, src: 1, registers: 200}"),
      "expected a whole number from 1 to 128");
  has(line_problems("x: {op: MOV, src: 1, when: i}"),
      "found 'i', expected a predicate: the result of ISETP, FSETP or another comparison");
  has(line_problems("x: {op: [MOV]}"), "found a list, expected a name");
}

TEST_CASE("memory operations") {
  has(line_problems("x: {op: LDG}"), "found no 'array' in an operation, expected one");
  has(line_problems("x: {op: LDG, array: Z}"),
      "found unknown array 'Z', expected one of 'arrays:'");
  has(line_problems("x: {op: LDG, array: s}"),
      "found 's', which is shared, expected a global array for LDG");
  has(line_problems("x: {op: LDS, array: X}"),
      "found 'X', which is global, expected a shared array for LDS");
  has(line_problems("x: {op: LDG, array: X, bytes: 3}"),
      "found 3 bytes per thread, expected 1, 2, 4, 8 or 16");
  has(line_problems("x: {op: LDG, array: X, index: i * tid}"), "found a product of two values");
  has(line_problems("x: {op: LDG, array: X, index: i / 3}"), "in an index, expected whole numbers");
  has(line_problems("x: {op: LDG, array: X, index: [i]}"),
      "found a list, expected an index such as 'i'");
  has(line_problems("x: {op: LDG, array: X, index: q}"),
      "found 'q', expected a value that was set before");
  has(line_problems("x: {op: LDG, array: X, pattern: tiled}"),
      "found 'tiled', expected one of coalesced, strided, broadcast, random, tile; did you mean "
      "'tile'?");
  has(line_problems("x: {op: LDG, array: X, pattern: strided}"),
      "found pattern 'strided' alone, expected a 'stride'");
  has(line_problems("x: {op: LDG, array: X, pattern: tile}"),
      "found pattern 'tile' alone, expected 'rows' and 'columns'");
  has(line_problems("x: {op: LDG, array: X, rows: 8, columns: 8}"),
      "found a tile of 8 x 8, expected at most 32 lanes");
  has(line_problems("x: {op: LDG, array: X, l1_hit: 2}"), "expected a number from 0 to 1");
  has(line_problems("x: {op: LDS, array: s, conflict: 64}"),
      "expected a whole number from 1 to 32");
  has(line_problems("x: {op: LDG, array: X, addresses: 3}"), "found unknown key 'addresses'");
  has(line_problems("{op: LDGSTS, array: X}"), "found no 'to' in an operation, expected one");
  has(line_problems("{op: LDGSTS, array: X, to: Y}"),
      "found 'Y', which is global, expected a shared array");
  has(line_problems("{op: UBLKCP, array: X, to: s, copy_bytes: 64, mbarrier: m}"),
      "found unknown mbarrier 'm', expected one of 'mbarriers:'");
}

TEST_CASE("loops") {
  has(line_problems("for: {body: [barrier]}"), "found neither of 'trips' and 'grid_stride' in for");
  has(line_problems("for: {trips: 1, grid_stride: 2, body: [barrier]}"),
      "found both of 'trips' and");
  has(line_problems("for: {trips: 3}"), "found no 'body' in for, expected one");
  has(line_problems("for: {trips: [1, 2], body: [barrier]}"),
      "found no 'per' in for, expected one");
  has(line_problems("for: {trips: [1, 2], per: thread, body: [barrier]}"),
      "found a list of trips per thread, expected 'per: warp' or 'per: block'");
  has(line_problems("for: {trips: [], per: warp, body: [barrier]}"),
      "found a list of 0, expected 1 to");
  has(line_problems("for: {trips: work, body: [barrier]}"),
      "found trips 'work' without 'tasks:', expected tasks with work");
  has(line_problems("for: {trips: 4, unroll: 5000, body: [barrier]}"),
      "expected a whole number from 1 to 1024");
  has(line_problems("for: {trips: 4, body: [barrier], unrol: 2}"), "did you mean 'unroll'?");
  has(line_problems("for: {tasks: dynamic, body: [barrier]}"),
      "found a loop over tasks, expected 'tasks:' to say how many there are");
  has(line_problems("for: {tasks: lazy, body: [barrier]}"),
      "found 'lazy', expected one of dynamic, static");
  has(line_problems("for: {grid_stride: 9, index: a, body: [barrier]}"),
      "found 'a' as the index of a loop, expected another name: it is taken");
  has(line_problems("for: {trips: {distribution: exponential, mean: 2}, per: warp, body: "
                    "[{op: LDGSTS, array: X, to: s}, commit_copies, wait_copies: 1]}"),
      "found asynchronous copies in flight around a loop whose trips vary");
  std::string nested = "barrier";
  for (int depth = 0; depth < 9; ++depth) {
    nested = "{for: {trips: 3, body: [" + nested + "]}}";
  }
  has(line_problems(nested), "found a loop inside 8 others, expected at most 8 nested loops");
  for (int depth = 0; depth < 20; ++depth) {
    nested = "{for: {trips: 3, body: [" + nested + "]}}";
  }
  has(line_problems(nested), "found statements nested more than 24 deep, expected fewer");
}

TEST_CASE("repeats") {
  has(line_problems("repeat: 5"), "found '5', expected indices with counts, and a body");
  has(line_problems("repeat: {body: [barrier]}"), "found no index in repeat, expected such as");
  has(line_problems("repeat: {r: 4}"), "found no statements in repeat, expected such as");
  has(line_problems("repeat: {tid: 4, body: [barrier]}"), "found 'tid' as the index of a repeat");
  has(line_problems("repeat: {n: 4, body: [barrier]}"), "found 'n' as the index of a repeat");
  std::string indices;
  for (int i = 0; i < 17; ++i) {
    indices += "q" + std::to_string(i) + ": 1, ";
  }
  has(line_problems("repeat: {" + indices + "body: [barrier]}"),
      "found 17 indices, expected at most 16");
  CHECK(line_problems("repeat: {b: 32768, c: 32768, d: 32768, e: 0, body: [barrier]}") == "");
  has(line_problems("repeat: {r: 30000, c: 30000, body: [barrier]}"),
      "found 900000000 repetitions");
  has(line_problems(
          "repeat: {r: 200, c: 100, body: [x: {op: MOV, src: r}, {op: STG, array: X, src: x}]}"),
      "found more than 32768 statements, expected fewer: repeat less");
  // One problem, however often the body is written out.
  const std::string once = line_problems("repeat: {r: 50, body: [x: {op: FADD, srcs: [r]}]}");
  CHECK(once.find('\n') == std::string::npos);
}

TEST_CASE("size of the program") {
  has(line_problems("for: {trips: 1000, unroll: 1000, body: [repeat: {r: 40, body: [x: {op: MOV, "
                    "src: r}]}]}"),
      "found a program of more than 16384 instructions, expected fewer: unroll or repeat less");
}

TEST_CASE("conditions") {
  has(line_problems("guard: i > n"), "found 'i > n', expected a comparison such as 'i < n'");
  has(line_problems("guard: q < 4"), "found 'q < 4', expected a comparison such as 'i < n'");
  has(line_problems("guard: i < m"), "k.yaml:6:16: error: found unknown name 'm'");
  has(line_problems("guard: i < 3 < 4"),
      "k.yaml:6:12: error: found 'i < 3 < 4', expected one comparison, or two joined by 'and'");
  has(line_problems("guard: lane == 0.5"),
      "found 0.5 on the right of '==', expected a whole number");
  has(line_problems("guard: i < 0 - 5"), "found a bound of -5, expected 0 or more");
  has(line_problems("guard: i < 5 and tid < 4"), "expected 'i < width and j < height'");
  has(line_problems("guard: [i]"), "found a list, expected a comparison");
  has(line_problems("if: {then: [barrier]}"),
      "found 0 conditions in if, expected one of fraction, warps");
  has(line_problems("if: {warps: 0, lanes: 0, then: [barrier]}"), "found 2 conditions in if");
  has(line_problems("if: {fraction: 0.5, then: [barrier]}"), "found no 'per' in if, expected one");
  has(line_problems("if: {fraction: 1.5, per: warp, then: [barrier]}"),
      "expected a number from 0 to 1");
  has(line_problems("if: {warps: 3..1, then: [barrier]}"),
      "found '3..1', expected the smaller number first");
  has(line_problems("if: {warps: a..b, then: [barrier]}"), "found unknown name 'a'");
  has(line_problems("if: {warps: -1, then: [barrier]}"),
      "expected whole numbers from 0 on, such as 0..7");
  has(line_problems("if: {warps: [1], then: [barrier]}"),
      "found a list, expected a number or a range such as 0..7");
  has(line_problems("if: {lanes: 0}"), "found no 'then' in if, expected one");
  has(line_problems("if: {last_ticket: c, then: [barrier]}"), "found unknown counter 'c'");
  std::string nested = "repeat: {r: 9, body: [x: {op: MOV, src: r}]}";
  for (int depth = 0; depth < 17; ++depth) {
    nested = "{if: {warps: 0, then: [" + nested + "], else: [syncwarp]}}";
  }
  has(line_problems(nested), "found an if inside 16 others, expected at most 16 nested ones");
}

TEST_CASE("synchronisation") {
  has(line_problems("barrier: {id: 16}"), "expected a whole number from 0 to 15");
  has(line_problems("barrier: {threads: 40}"), "found 40 threads, expected a multiple of 32");
  has(line_problems("barrier: {arrive: true}"),
      "found a barrier that is only arrived at without 'threads'");
  has(line_problems("fence: gpus"),
      "found 'gpus', expected one of cta, gpu, system; did you mean 'gpu'?");
  has(line_problems("signal: {flag: f}"), "found 'f', expected a flag of 'flags:'");
  has(line_problems("wait: {flag: f, index: tid}", "flags: {f: 4}\n"),
      "found 'tid' in the number of a flag, expected numbers and 'bid'");
  has(line_problems("wait: {flag: f, index: 2000000000}", "flags: {f: 4}\n"),
      "found numbers above 2^30 in the number of a flag");
  has(line_problems("repeat: {k: 5, body: [wait: {flag: f}]}", "flags: {f: 4}\n"),
      "found more than 4 waits for flags, expected at most that many");
  has(line_problems("cas: {array: X, index: i}"), "found no 'body' in cas, expected one");
  has(line_problems("ticket: c"), "found 'c', expected a counter of 'counters:'");
  has(line_problems("await: m"), "found 'm', expected an mbarrier of 'mbarriers:'");
  has(line_problems("cluster: sync"), "found a cluster barrier in a kernel without clusters");
  has(line_problems("cluster: synch"),
      "found 'synch', expected one of sync, arrive, wait; did you mean 'sync'?");
  has(line_problems("set_registers: 8"), "expected a whole number from 24 to 240");
  has(line_problems("sleep: 0"), "expected a whole number from 1 to 60000");
  has(line_problems("wait_copies: 7"), "expected a whole number from 0 to 4");
}

TEST_CASE("what the machine has not enough of") {
  has(line_problems("repeat: {c: 9, body: [p.c: {op: ISETP, src: [i, c]}]}\n"
                    "  - repeat: {c: 9, body: [x.c: {op: SEL, src: [i, 1, p.c]}]}"),
      "found more than 7 comparison results alive at once, expected at most that many");
  has(problems_of("raw: true\nlaunch: {grid: 1, block: 32, registers: 6}\nprogram:\n"
                  "  - repeat: {c: 9, body: [x.c: {op: MOV, src: c}]}\n"
                  "  - repeat: {c: 9, body: [y: {op: FADD, src: [x.c, 1]}]}\n"),
      "found a need of 11 registers per thread, expected at most 6");
}

TEST_CASE("aliases that would fill the memory are refused") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int level = 1; level < 9; ++level) {
    const std::string below = "*a" + std::to_string(level - 1);
    bomb += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [";
    for (int copy = 0; copy < 10; ++copy) {
      bomb += (copy > 0 ? ", " : "") + below;
    }
    bomb += "]\n";
  }
  has(problems_of(bomb), "k.yaml: error: found aliases or nesting beyond all measure");
  has(problems_of(std::string(5 << 20, '#')),
      "found a file of 5242880 bytes, expected at most 4194304");
}
