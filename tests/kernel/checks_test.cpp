#include "sim/kernel/checks.hpp"

#include "tests/catch.hpp"
#include "tests/kernel/source_builder.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

std::string notes_of(Body body) {
  KernelSource source = kernel_source();
  source.body = std::move(body);
  std::string all;
  for (const std::string& note : check_source(source)) {
    all += note + "\n";
  }
  return all;
}

Statement branch(Condition::Kind kind, Scope scope, Body body) {
  IfStatement made;
  made.condition.condition.kind = kind;
  made.condition.condition.scope = scope;
  made.then_body = std::move(body);
  return statement(made, 3);
}

}  // namespace

TEST_CASE("a barrier that some threads may never reach is noted") {
  const Statement barrier = statement(BarrierStatement{}, 4);
  CHECK(notes_of({barrier}) == "");
  CHECK(notes_of({branch(Condition::Kind::block_range, Scope::block, {barrier})}) == "");
  CHECK(notes_of({branch(Condition::Kind::fraction, Scope::block, {barrier})}) == "");
  CHECK(notes_of({branch(Condition::Kind::fraction, Scope::warp, {barrier})}) ==
        "line 4: barrier of the whole block where threads of a block may go different ways; the "
        "block hangs if some never come\n");
  CHECK(notes_of({branch(Condition::Kind::warp_range, Scope::thread,
                         {statement(GridSyncStatement{}, 5)})})
            .rfind("line 5: grid_sync where", 0) == 0);
  BarrierStatement named;
  named.id = 1;
  named.threads = 64;
  CHECK(notes_of({branch(Condition::Kind::warp_range, Scope::thread, {statement(named)})}) == "");
  ForStatement uneven;
  uneven.trips.kind = TripCount::Kind::distribution;
  uneven.trips.scope = Scope::warp;
  uneven.body = {barrier};
  CHECK(notes_of({statement(uneven)}).rfind("line 4: barrier", 0) == 0);
}

TEST_CASE("a result that nobody uses is noted") {
  CHECK(notes_of({op("x", "MOV", {"1"}, 7)}) ==
        "line 7: the result 'x' is never used; a compiler would leave the operation out\n");
  CHECK(notes_of({op("x", "MOV", {"1"}), store("STG", "A", "i", "x")}) == "");
  CHECK(notes_of({op("x", "MOV", {"1"}), op("x", "FADD", {"x", "1"}, 8)}).rfind("line 1", 0) == 0);
  CHECK(notes_of({op("x", "MOV", {"1"}), store("STG", "A", "x", "1")}) == "");
}
