// --set: any path; a changed grid keeps the work of a block, a changed block the number of threads.
#include "tests/catch.hpp"
#include "tests/config/kernel_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const std::string kSaxpy =
    "params: {n: 10000, block: 256}\n"
    "launch: {grid: ceil(n / block), block: block}\n"
    "arrays: {X: 4 * n, T: {bytes: 4096, reuse: random}}\n"
    "program:\n  - guard: i < n\n  - x: {op: LDG, array: X}\n  - {op: STG, array: X, src: x}\n";

std::uint64_t bound(const KernelSpec& kernel) {
  return kernel.program.conditions.at(0).last;
}

}  // namespace

TEST_CASE("parameters change all that depends on them") {
  const KernelSpec kernel = loaded(kSaxpy, {"params.n=20000", "params.block=128"});
  CHECK(kernel.launch.grid.x == 157);
  CHECK(kernel.launch.block.x == 128);
  CHECK(kernel.program.arrays[0].bytes == 80000);
  CHECK(kernel.notes.empty());
}

TEST_CASE("any path: lists by number, new keys in what exists") {
  const KernelSpec kernel = loaded(kSaxpy, {"launch.registers=40", "arrays.X=123",
                                            "program.1.x.bytes=8", "name=other", "launch.seed=9"});
  CHECK(kernel.launch.registers == 40);
  CHECK(kernel.program.arrays[0].bytes == 123);
  CHECK(count(kernel, "LDG.E.64") == 1);
  CHECK(kernel.name == "other");
  CHECK(kernel.launch.seed == 9);
}

TEST_CASE("launch.block keeps the total number of threads by changing the grid") {
  const KernelSpec kernel = loaded(kSaxpy, {"launch.block=64"});
  CHECK(kernel.launch.block.x == 64);
  CHECK(kernel.launch.grid.x == 160);
  CHECK(bound(kernel) == 10000);
  REQUIRE(kernel.notes.size() == 1);
  CHECK(
      kernel.notes[0] ==
      "launch.block set to 64: the total number of threads stays, so the grid is 160 instead of 40 "
      "blocks");
  const std::string fixed =
      "launch: {grid: [10, 3], block: 256}\nprogram:\n  - x: {op: MOV, src: 1}\n";
  const KernelSpec plain = loaded(fixed, {"launch.block=[32, 4]"});
  CHECK(plain.launch.block.count() == 128);
  CHECK(plain.launch.grid.x == 20);
  CHECK(plain.launch.grid.y == 3);
}

TEST_CASE("launch.grid keeps the work of each block") {
  const KernelSpec more = loaded(kSaxpy, {"launch.grid=80"});
  CHECK(more.launch.grid.x == 80);
  CHECK(bound(more) == 20000);
  CHECK(more.program.arrays[0].bytes == 80000);  // streamed: twice the blocks, twice the bytes
  CHECK(more.program.arrays[1].bytes == 4096);   // a table stays as it is
  REQUIRE(more.notes.size() == 1);
  CHECK(
      more.notes[0] ==
      "launch.grid set to 80: every block does the same work as one of the 40 in the file; guards "
      "and streamed arrays grow or shrink with the grid");
  CHECK(bound(loaded(kSaxpy, {"launch.grid=4"})) == 1000);
}

TEST_CASE("launch.grid leaves the total of shared work alone") {
  const std::string stride =
      "launch: {grid: 8, block: 128}\narrays: {X: 65536}\nprogram:\n"
      "  - for: {grid_stride: 16384, index: k, body: [{op: STG, array: X, index: k, src: 1}]}\n";
  const KernelSpec kernel = loaded(stride, {"launch.grid=16"});
  CHECK(kernel.program.loops.at(0).trips.items == 16384);
  CHECK(kernel.program.arrays[0].bytes == 65536);
  CHECK(kernel.notes.at(0) ==
        "launch.grid set to 16: the total work stays (a grid-stride loop or tasks), shared by 16 "
        "instead of 8 blocks");
}

TEST_CASE("a grid that is a parameter takes along what depends on it, once") {
  const std::string text =
      "params: {blocks: 10, n: blocks * 128}\nlaunch: {grid: blocks, block: 128}\n"
      "arrays: {X: 4 * n, Y: 5120}\nprogram:\n  - guard: i < n\n  - x: {op: LDG, array: X}\n";
  const KernelSpec kernel = loaded(text, {"launch.grid=20"});
  CHECK(bound(kernel) == 2560);
  CHECK(kernel.program.arrays[0].bytes == 10240);
  CHECK(kernel.program.arrays[1].bytes == 10240);
}

TEST_CASE("grid barriers and tickets follow the grid") {
  const KernelSpec kernel = loaded(
      "launch: {grid: 4, block: 64}\ncounters: {c: launch.grid}\nprogram:\n  - grid_sync\n  - "
      "ticket: c\n",
      {"launch.grid=6"});
  CHECK(kernel.program.queues.at(0).tasks == 6);
  CHECK(kernel.program.accesses[kernel.program.spins.at(0).access].amount == 6);
}

TEST_CASE("problems with an override name it") {
  CHECK(problems_of(kSaxpy, {"params.n"}) == "error: --set: found 'params.n', expected path=value");
  CHECK(problems_of(kSaxpy, {"=3"}) == "error: --set: found '=3', expected path=value");
  CHECK(problems_of(kSaxpy, {"launch.block=abc"})
            .find("error: --set launch.block=abc: found unknown name 'abc'") == 0);
  // A parameter may be below 0; what is made of it may not, and is named where it stands.
  CHECK(
      problems_of(kSaxpy, {"params.n=0 - 4"}).find("k.yaml:2:16: error: found 'ceil(n / block)'") ==
      0);
  CHECK(problems_of(kSaxpy, {"program.9.x=3"}) ==
        "error: --set program.9.x=3: found no '9' in the file");
  CHECK(problems_of(kSaxpy, {"program.9=3"}) ==
        "error: --set program.9=3: found '9', expected a place in a list of 3");
  CHECK(problems_of(kSaxpy, {"lanch.registers.x=3"}) ==
        "error: --set lanch.registers.x=3: found no 'lanch' in the file; did you mean 'launch'?");
  CHECK(problems_of(kSaxpy, {"params.blok=64"}) ==
        "error: --set params.blok=64: found no parameter 'blok' in the file; did you mean "
        "'block'?");
  CHECK(problems_of(kSaxpy, {"params.n.x=3"}) ==
        "error: --set params.n.x=3: found a value at 'n', expected a mapping or a list");
  CHECK(problems_of(kSaxpy, {"launch.registers=[a"})
            .find("error: --set launch.registers=[a: found no valid YAML") == 0);
  CHECK(problems_of(kSaxpy, {"launch.regs=3"}).find("found unknown key 'regs' in launch") !=
        std::string::npos);
}

TEST_CASE("a block that is a parameter takes one number") {
  CHECK(problems_of(kSaxpy, {"launch.block=[16, 16]"}) ==
        "error: --set launch.block=[16, 16]: found a list, expected one number: launch.block is "
        "the parameter 'block' in the file");
}

TEST_CASE("under a new block the file's grid need not be whole") {
  const std::string text =
      "params: {n: 4096, block: 256}\nlaunch: {grid: n / block, block: block}\n"
      "program:\n  - x: {op: MOV, src: 1}\n";
  CHECK(loaded(text, {"launch.block=96"}).launch.grid.x == 43);
}

TEST_CASE("a value is one document that can be walked") {
  CHECK(problems_of(kSaxpy, {"params.n=64\n---\n5"}) ==
        "error: --set params.n=64\n---\n5: found 2 documents, expected one value");
  for (const char* endless :
       {"params.n=&a [*a]", "program=&a [*a]", "launch=&a {grid: *a, block: 3}"}) {
    CHECK(problems_of(kSaxpy, {endless}) ==
          "error: --set " + std::string(endless) +
              ": found aliases or nesting beyond all measure, expected a smaller document");
  }
}

TEST_CASE("a new key that nobody reads is a problem of its override") {
  CHECK(problems_of(kSaxpy, {"foo=5"}).find("error: --set foo=5: found unknown key 'foo'") == 0);
  CHECK(problems_of(kSaxpy, {"launch.gird=5"})
            .find("error: --set launch.gird=5: found unknown key 'gird' in launch") == 0);
}
