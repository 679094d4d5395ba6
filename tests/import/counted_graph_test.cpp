// Control flow from execution counts.
#include "sim/import/counted_routes.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

CountedLine line(std::uint32_t offset, const char* text, double executed, double divergent = 0) {
  CountedLine made;
  made.offset = offset;
  made.text = sass::parse_sass_text(text);
  made.executed = executed;
  made.divergent = divergent;
  return made;
}

Route only_route(const CountedRoutes& found) {
  REQUIRE(found.routes.size() == 1);
  return found.routes.front().second;
}

}  // namespace

TEST_CASE("a loop's trips follow from how often its body and what is behind it are executed") {
  const CountedRoutes found =
      routes_of({line(0x00, "MOV R0, RZ", 8), line(0x10, "FADD R0, R0, R0", 80),
                 line(0x20, "@P0 BRA 0x10", 80), line(0x30, "EXIT", 8)},
                2, 4);
  const Route route = only_route(found);
  CHECK(route.pattern == Route::Pattern::loop_exit);
  CHECK(!route.jump_leaves);
  CHECK(route.scope == Scope::warp);
  CHECK(1 / (1 - route.taken) == Approx(10));
}

TEST_CASE("a loop that is left by a jump at its top") {
  const CountedRoutes found = routes_of(
      {line(0x00, "MOV R0, RZ", 4), line(0x10, "@P0 BRA 0x40", 44),
       line(0x20, "FADD R0, R0, R0", 40), line(0x30, "BRA 0x10", 40), line(0x40, "EXIT", 4)},
      4, 1);
  const Route route = only_route(found);
  CHECK(route.pattern == Route::Pattern::loop_exit);
  CHECK(route.jump_leaves);
  CHECK(1 / route.taken == Approx(11));
}

TEST_CASE("warps of a block stay together in a loop with a barrier") {
  const CountedRoutes found = routes_of({line(0x00, "BAR.SYNC.DEFER_BLOCKING 0x0", 70),
                                         line(0x10, "@P0 BRA 0x0", 70), line(0x20, "EXIT", 8)},
                                        4, 2);
  CHECK(only_route(found).scope == Scope::block);
}

TEST_CASE("the same number of warps of every block: the first ones") {
  const CountedRoutes found = routes_of(
      {line(0x00, "@P0 BRA 0x20", 32), line(0x10, "FADD R0, R0, R0", 12), line(0x20, "EXIT", 32)},
      4, 8);
  const Route route = only_route(found);
  CHECK(route.pattern == Route::Pattern::first_warps);
  CHECK(route.first_warps == 3);
}

TEST_CASE("shares that are no whole warps of a block are spread") {
  const CountedRoutes found = routes_of(
      {line(0x00, "@P0 BRA 0x20", 32), line(0x10, "FADD R0, R0, R0", 5), line(0x20, "EXIT", 32)}, 4,
      8);
  const Route route = only_route(found);
  CHECK(route.pattern == Route::Pattern::even);
  CHECK(route.taken == Approx(27.0 / 32));
}

TEST_CASE("divergent branches are taken both ways") {
  const CountedRoutes found = routes_of(
      {line(0x00, "BSSY B0, 0x40", 10), line(0x10, "@P0 BRA 0x30", 10, 4),
       line(0x20, "FADD R0, R0, R0", 7), line(0x30, "BSYNC B0", 14), line(0x40, "EXIT", 10)},
      10, 1);
  const Route route = only_route(found);
  CHECK(route.split == Approx(0.4));
  CHECK(route.taken == Approx(0.7));
}

TEST_CASE("a predicated exit lets as many go as are missing behind it") {
  const CountedRoutes found = routes_of(
      {line(0x00, "@P0 EXIT", 10), line(0x10, "FADD R0, R0, R0", 4), line(0x20, "EXIT", 4)}, 10, 1);
  CHECK(only_route(found).taken == Approx(0.6));
}

TEST_CASE("code that is never executed needs no numbers") {
  const CountedRoutes found =
      routes_of({line(0x00, "@P0 BRA 0x30", 10), line(0x10, "@P1 BRA 0x0", 0),
                 line(0x20, "BRA 0x10", 0), line(0x30, "EXIT", 10)},
                10, 1);
  CHECK(found.routes.at(0).second.taken == 1);
  CHECK(found.routes.at(1).second.taken == 0);
  CHECK(found.notes.empty());
}
