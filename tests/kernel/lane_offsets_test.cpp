// What an index says about the distance between lanes.
#include "tests/catch.hpp"
#include "tests/kernel/source_builder.hpp"
#include "tests/kernel/test_gpu.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

using Terms = std::vector<IndexSource::Term>;

Statement load_at(const std::string& array, const Terms& terms) {
  Statement made = load("x", array == "s" ? "LDS" : "LDG", array, "i");
  std::get<OperationStatement>(made.what).access->index.terms = terms;
  return made;
}

Assembly assemble_load(KernelSource source, const std::string& array, const Terms& terms) {
  source.body.push_back(load_at(array, terms));
  source.body.push_back(store("STG", "C", "i", "x"));
  std::vector<SourceProblem> problems;
  return assemble(source, sm90(), problems).value();
}

MemoryAccess access_of(const std::string& array, const Terms& terms, std::uint64_t x = 128,
                       std::uint64_t y = 1) {
  KernelSource source = kernel_source(4, x);
  source.launch.block.y = y;
  return assemble_load(source, array, terms).kernel.program.accesses.front();
}

}  // namespace

TEST_CASE("factors of thread numbers spread the lanes") {
  CHECK(access_of("A", {{"i", 1}}).sectors == 4);
  CHECK(access_of("A", {{"i", 8}}).sectors == 32);
  CHECK(access_of("A", {{"tid", 8}, {"lane", -8}}).sectors == 1);
  CHECK(access_of("A", {{"tid", 2}, {"bid", 1000}}).sectors == 8);
  CHECK(access_of("A", {{"bid", 1}}).sectors == 1);
  CHECK(access_of("A", {}).sectors == 1);
  CHECK(access_of("s", {{"tid", 1}}).wavefronts == 1);
  CHECK(access_of("s", {{"tid", 32}}).wavefronts == 32);
  CHECK(access_of("s", {{"tid", 33}}).wavefronts == 1);
}

TEST_CASE("in blocks of several rows the lanes of a warp lie in several rows") {
  CHECK(access_of("A", {{"tid", 1}, {"tid_y", 16}}, 16, 16).sectors == 4);
  CHECK(access_of("A", {{"tid", 1}, {"tid_y", 1024}}, 16, 16).lines == 2);
  CHECK(access_of("A", {{"i", 1}}, 16, 16).sectors == 2);  // both rows the same
  CHECK(access_of("A", {{"j", 1}}, 16, 16).sectors == 1);  // two neighbours
  CHECK(access_of("A", {{"j", 1}}, 32, 8).sectors == 1);
  CHECK(access_of("s", {{"tid", 32}, {"tid_y", 1}}, 16, 16).wavefronts == 16);
  CHECK(access_of("A", {{"i", 1}}, 16, 1).sectors == 4);  // a warp of 16 threads: half of it
}

TEST_CASE("an explicit pattern wins over the index") {
  KernelSource source = kernel_source();
  Statement made = load_at("A", {{"i", 8}});
  std::get<OperationStatement>(made.what).access->pattern.kind = PatternSource::Kind::coalesced;
  source.body = {made, store("STG", "C", "i", "x")};
  std::vector<SourceProblem> problems;
  CHECK(assemble(source, sm90(), problems).value().kernel.program.accesses.front().sectors == 4);
}

TEST_CASE("computed indices are neighbours, and a note says so where a factor makes it doubtful") {
  KernelSource source = kernel_source();
  source.body.push_back(op("v", "IADD3", {"i", "5"}));
  const Assembly plain = assemble_load(source, "A", {{"v", 1}});
  CHECK(plain.kernel.program.accesses.front().sectors == 4);
  CHECK(plain.kernel.notes.empty());
  const Assembly scaled = assemble_load(source, "A", {{"v", 8}});
  CHECK(scaled.kernel.program.accesses.front().sectors == 4);
  REQUIRE(scaled.kernel.notes.size() == 1);
  CHECK(scaled.kernel.notes.front().find("how far apart the lanes of A lie") != std::string::npos);
  // Beside a thread number it is where the row begins.
  CHECK(
      assemble_load(source, "A", {{"v", 64}, {"tid", 2}}).kernel.program.accesses.front().sectors ==
      8);
}
