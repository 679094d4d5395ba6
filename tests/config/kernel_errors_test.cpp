// Every message that a kernel file can draw outside of its program, with its place.
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

TEST_CASE("the file as a whole") {
  has(problems_of(""), "k.yaml: error: found an empty file");
  has(problems_of("- a\n"), "k.yaml:1:1: error: found a list, expected a kernel file as a mapping");
  has(problems_of("a: [1\n"), "error: found no valid YAML");
  has(problems_of("program:\n  - barrier\n"),
      "found no 'launch', expected one with 'grid' and 'block'");
  has(problems_of("launch: {grid: 1, block: 32}\n"),
      "found no 'program' in a kernel file, expected one");
  has(problems_of("launch: {grid: 1, block: 32}\nporgram: []\nprogram: [barrier]\n"),
      "k.yaml:2:1: error: found unknown key 'porgram' in a kernel file");
  has(problems_of("launch: {grid: 1, block: 32}\nporgram: []\nprogram: [barrier]\n"),
      "did you mean 'program'?");
  has(problems_of("launch: {grid: 1, block: 32, grid: 2}\nprogram: [barrier]\n"),
      "k.yaml:1:30: error: found 'grid' a second time, expected each key once");
}

TEST_CASE("a file that cannot be read, a kernel that is not there") {
  Diagnostics problems;
  CHECK(!load_kernel("/nowhere/k.yaml", {}, GpuSpec{}, problems));
  REQUIRE(problems.all().size() == 1);
  CHECK(to_string(problems.all()[0]) ==
        "/nowhere/k.yaml: error: cannot be read: No such file or directory");
}

TEST_CASE("all problems at once") {
  const std::string all = problems_of(
      "launch: {grid: 0, block: 2048}\n"
      "program:\n  - x: {op: FMMA, src: [1]}\n  - y: {op: FADD, srcs: [x]}\n");
  has(all, "k.yaml:1:16: error: found '0', expected a whole number from 1 to 2147483647");
  has(all, "k.yaml:1:26: error: found '2048', expected a whole number from 1 to 1024");
  has(all,
      "k.yaml:3:13: error: found unknown operation 'FMMA', expected a SASS operation such as "
      "FFMA, IADD3 or LDG; did you mean 'FFMA'?");
  has(all, "k.yaml:4:19: error: found unknown key 'srcs' in an operation");
}

TEST_CASE("launch") {
  const auto launch = [](const std::string& keys) {
    return problems_of("launch: {" + keys + "}\nprogram: [barrier]\n");
  };
  has(launch("block: 32"), "found no 'grid' in launch, expected one");
  has(launch("grid: 1, block: [32, 64]"), "found a block of 2048 threads, expected at most 1024");
  has(launch("grid: [1, 2, 3, 4], block: 32"), "found a list of 4, expected one to three numbers");
  has(launch("grid: [2147483647, 65535, 2], block: 32"), "found a grid of more than 2^40 blocks");
  has(launch("grid: 1.5, block: 32"),
      "found '1.5', expected a whole number from 1 to 2147483647; did you mean ceil(1.5)?");
  has(launch("grid: 7 / 2, block: 32"), "found '7 / 2' (3.5), expected a whole number");
  has(launch("grid: n, block: 32"), "found unknown name 'n', expected a parameter or a number");
  has(launch("grid: {x: 1}, block: 32"), "found a mapping, expected a number");
  has(launch("grid: 1, block: 32, registers: 300"), "expected a whole number from 4 to 255");
  has(launch("grid: 1, block: 32, registers: 2"), "expected a whole number from 4 to 255");
  has(launch("grid: 1, block: 32, regs: 30"), "found unknown key 'regs' in launch");
  has(launch("grid: 1, block: 32, cooperative: maybe"), "found 'maybe', expected true or false");
  has(launch("grid: 1, block: 32, caches: hot"), "found 'hot', expected one of cold, warm");
  has(problems_of("launch: 5\nprogram: [barrier]\n"), "found '5', expected launch as a mapping");
}

TEST_CASE("parameters") {
  const auto params = [](const std::string& text) {
    return problems_of("params: " + text + "\nlaunch: {grid: 1, block: 32}\nprogram: [barrier]\n");
  };
  has(params("[1]"), "found a list, expected 'params' as a mapping");
  has(params("{tid: 3}"), "found 'tid' as a parameter, which is an index, expected another name");
  has(params("{n: 1, n: 2}"), "found 'n' a second time, expected another name");
  has(params("{n: 1 / 0}"), "k.yaml:1:15: error: found a division by zero");
  has(params("{a-b: 1}"), "found 'a-b', expected a name of letters, digits and underscores");
  has(params("{n: [1]}"), "found a list, expected a number");
  std::string many = "{p0: 1";
  for (int i = 1; i <= 1000; ++i) {
    many += ", p" + std::to_string(i) + ": 1";
  }
  has(params(many + "}"), "found 1001 parameters, expected at most 1000");
}

TEST_CASE("declarations") {
  const auto declared = [](const std::string& text) {
    return problems_of("launch: {grid: 1, block: 32}\n" + text + "\nprogram: [barrier]\n");
  };
  has(declared("arrays: [X]"), "found a list, expected a mapping from names");
  has(declared("arrays: {X: 0}"), "found '0', expected a number from 1 to");
  has(declared("arrays: {X: -5}"), "found '-5', expected a number from 1 to");
  has(declared("arrays: {X: {space: local, bytes: 4}}"),
      "found 'local', expected one of global, shared");
  has(declared("arrays: {X: {reuse: often, bytes: 4}}"),
      "found 'often', expected one of streaming, random");
  has(declared("arrays: {X: {reuse: random}}"), "found no 'bytes' in an array, expected one");
  has(declared("arrays: {X: 4, X: 5}"), "found 'X' a second time, expected each name once");
  has(declared("arrays: {s: {space: shared, bytes: 3000000}}"),
      "found 3000000 bytes of shared arrays in 1048576 bytes of shared memory");
  has(problems_of("launch: {grid: 1, block: 32, smem_static: 8}\n"
                  "arrays: {s: {space: shared, bytes: 64}}\nprogram: [barrier]\n"),
      "found 64 bytes of shared arrays in 8 bytes of shared memory, expected launch.smem_static");
  has(declared("scalars: a"), "found 'a', expected a list of names");
  has(declared("tasks: {work: 3}"), "found no 'count' in tasks, expected one");
  has(declared("tasks: {count: 3, work: []}"), "found 0 items, expected 1 to");
  has(declared("flags: {f: 0}"), "found '0', expected a whole number from 1 to");
  has(declared("flags: {f: 70000, g: 1}"), "found more than 60000 flags in front of these");
  has(declared("counters: {c: 0}"), "found '0', expected a whole number from 1");
  has(declared("mbarriers: {m: {open: 1}}"), "found no 'arrivals' in an mbarrier, expected one");
  has(declared("mbarriers: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i9: 1}"),
      "found 9 mbarriers, expected at most 8");
}

TEST_CASE("a kernel's name has no control characters") {
  has(problems_of("name: \"a\\e[31m\"\nlaunch: {grid: 1, block: 32}\nprogram: [barrier]\n"),
      "k.yaml:1:7: error: found a kernel's name with control characters");
}

TEST_CASE("unknown names are compared with the known ones a limited number of times") {
  std::string program;
  for (int i = 0; i < 60; ++i) {
    program += "  - x" + std::to_string(i) + ": {op: FADD, src: [aa, 1]}\n";
  }
  const std::string all = problems_of(with_program(program));
  std::size_t hints = 0;
  for (std::size_t at = all.find("did you mean"); at != std::string::npos;
       at = all.find("did you mean", at + 1)) {
    ++hints;
  }
  CHECK(hints == 20);
}

TEST_CASE("distributions") {
  const auto drawn = [](const std::string& text) {
    return line_problems("for: {trips: {" + text + "}, per: warp, body: [barrier]}");
  };
  has(drawn("mean: 4"), "found no 'distribution' in a distribution, expected one");
  has(drawn("distribution: gauss, mean: 4"),
      "found 'gauss', expected one of constant, uniform, normal");
  has(drawn("distribution: pareto, mean: 4"), "found no 'shape' in a distribution, expected one");
  has(drawn("distribution: pareto, mean: 4, shape: 1"), "expected a number from 1.01 to");
  has(drawn("distribution: bimodal, common: 4, rare: 5, share: 2"),
      "expected a number from 0 to 1");
  has(drawn("distribution: uniform, min: 5, max: 2"),
      "found a 'max' below 'min', expected it above");
  has(drawn("distribution: exponential, mean: 4, shape: 2"), "found unknown key 'shape'");
}
