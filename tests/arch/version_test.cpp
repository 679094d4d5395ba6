#include "smsim/version.hpp"

#include <string>

#include "tests/catch.hpp"

TEST_CASE("the library knows its version") {
  REQUIRE(std::string(smsim::version()).find('.') != std::string::npos);
}
