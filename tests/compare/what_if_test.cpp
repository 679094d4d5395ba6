// Which references are compared with which, and whether the change was foreseen.
#include "sim/compare/what_if.hpp"

#include "tests/catch.hpp"
#include "tests/compare/validated.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

ValidatedReference paired(ValidatedReference one, const std::string& pair) {
  one.reference.pair = pair;
  return one;
}

ValidatedReference plain(const std::string& name, const std::string& pair) {
  return paired(cycles(name, 100, 100), pair);
}

// "base>variant" of each pair.
std::vector<std::string> names(const std::vector<ValidatedReference>& references) {
  std::vector<std::string> out;
  for (const WhatIfPair& pair : what_if_pairs(references)) {
    out.push_back(pair.from + ">" + pair.to);
  }
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a change is measured from the named reference to the one that names it") {
  ValidatedReference variant = paired(cycles("b", 150, 120), "a");
  variant.reference.family = "streaming";
  variant.reference.use = Use::held_out;
  const auto pairs = what_if_pairs({cycles("a", 100, 80), variant});
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].from == "a");
  CHECK(pairs[0].to == "b");
  CHECK(pairs[0].family == "streaming");
  CHECK(pairs[0].use == "held_out");
  CHECK(pairs[0].predicted_change == Approx(0.5));
  CHECK(pairs[0].measured_change == Approx(0.5));
  CHECK(pairs[0].size_error == Approx(0).margin(1e-12));
}

TEST_CASE("the size error compares the ratios") {
  const auto pairs = what_if_pairs({cycles("a", 100, 100), paired(cycles("b", 150, 200), "a")});
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].size_error == Approx(-0.25));  // 1.5 instead of 2
}

TEST_CASE("several references may name the same one") {
  CHECK(names({plain("a", ""), plain("b", "a"), plain("c", "a")}) == Names{"a>b", "a>c"});
}

TEST_CASE("references that name each other are one pair, from the first by name") {
  CHECK(names({plain("b", "a"), plain("a", "b")}) == Names{"a>b"});
}

TEST_CASE("a chain is a pair for each link") {
  CHECK(names({plain("a", ""), plain("b", "a"), plain("c", "b")}) == Names{"a>b", "b>c"});
}

TEST_CASE("a shared label compares the first by name with each of the others") {
  CHECK(names({plain("z", "size"), plain("m", "size"), plain("a", "size"), plain("b", "other")}) ==
        Names{"a>m", "a>z"});
}

TEST_CASE("a label of references that did not complete is the others' still") {
  CHECK(names({paired(import_failed("a"), "size"), plain("b", "size"), plain("c", "size")}) ==
        Names{"b>c"});
}

TEST_CASE("a partner is looked for in the same folder first") {
  CHECK(names({plain("h100/a", ""), plain("h200/a", ""), plain("h200/b", "a")}) ==
        Names{"h200/a>h200/b"});
  CHECK(names({plain("h100/a", ""), plain("h200/b", "h100/a")}) == Names{"h100/a>h200/b"});
}

TEST_CASE("without a partner there is no pair") {
  CHECK(names({plain("a", "nobody")}).empty());
  CHECK(names({plain("a", "a")}).empty());
  CHECK(names({plain("a", ""), plain("b", "")}).empty());
  CHECK(names({import_failed("a"), plain("b", "a")}).empty());
  CHECK(names({cycles("a", 100, 0), plain("b", "a")}).empty());
}

TEST_CASE("the sign counts where the measured cycles change by more than 5 %") {
  const auto pair = [](double predicted, double measured) {
    return WhatIfPair{"a", "b", "f", "develop", predicted, measured, 0};
  };
  CHECK(pair(0, 0.06).counts());
  CHECK(pair(0, -0.06).counts());
  CHECK(!pair(0.5, 0.04).counts());
  CHECK(pair(0.01, 0.5).sign_right());
  CHECK(pair(-0.01, -0.5).sign_right());
  CHECK(!pair(-0.01, 0.5).sign_right());
  CHECK(!pair(0, 0.5).sign_right());  // no change foreseen is wrong in either direction
  CHECK(!pair(0, -0.5).sign_right());
}

TEST_CASE("the summary: share of right signs, mean error of the size") {
  const WhatIfSummary summary = summarise({{"a", "b", "f", "develop", 0.2, 0.3, 0.1},
                                           {"a", "c", "f", "develop", 0.2, -0.3, -0.3},
                                           {"a", "d", "f", "develop", -0.1, -0.3, 0},
                                           {"a", "e", "f", "develop", 0.1, 0.01, 0.2}});
  CHECK(summary.pairs == 4);
  CHECK(summary.counted == 3);
  CHECK(summary.sign_right == 2);
  CHECK(*summary.sign_right_pct == Approx(200.0 / 3));
  CHECK(*summary.mean_size_error_pct == Approx(15));
  CHECK(!summarise({}).sign_right_pct);
  CHECK(!summarise({}).mean_size_error_pct);
}
