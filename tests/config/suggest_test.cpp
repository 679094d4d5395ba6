#include "sim/config/suggest.hpp"

#include "tests/catch.hpp"

using namespace smsim;

TEST_CASE("edit distance counts half edits") {
  CHECK(edit_distance("warps", "warps") == 0);
  CHECK(edit_distance("warps", "Warps") == 1);
  CHECK(edit_distance("warps", "warp") == 2);
  CHECK(edit_distance("wraps", "warps") == 2);
  CHECK(edit_distance("", "abc") == 6);
}

TEST_CASE("the nearest candidate is suggested, and nothing when none is near") {
  const std::vector<std::string> known{"run", "occupancy", "gpus"};
  CHECK(nearest("ocupancy", known) == "occupancy");
  CHECK(nearest("gpu", known) == "gpus");
  CHECK(nearest("weather", known) == "");
  CHECK(nearest("", known) == "");
  CHECK(did_you_mean("rnu", known) == "; did you mean 'run'?");
  CHECK(did_you_mean("xyzzy", known) == "");
}
