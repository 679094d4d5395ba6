// Statistics over references, each with numbers that can be checked by hand.
#include "sim/compare/accuracy.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/compare/validated.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

std::vector<ValidatedReference> with_errors(const std::vector<double>& percents) {
  std::vector<ValidatedReference> all;
  for (const double percent : percents) {
    all.push_back(cycles("e" + std::to_string(all.size()), 200 + 2 * percent, 200));
  }
  return all;
}

Accuracy of_stalls(const Both& stalls) {
  return accuracy_of({validated("one", {}, stalls)});
}

}  // namespace

TEST_CASE("errors of cycles are absolute and in percent: mean, median, 90th percentile, worst") {
  const Accuracy odd = accuracy_of(with_errors({10, -20, 30, 0, -50}));
  CHECK(odd.references == 5);
  CHECK(*odd.cycles_mape == Approx(22));
  CHECK(*odd.cycles_median == Approx(20));
  CHECK(*odd.cycles_p90 == Approx(42));  // of 0 10 20 30 50: 0.6 of the way from 30 to 50
  CHECK(*odd.cycles_worst == Approx(50));
  CHECK(odd.cycles_worst_reference == "e4");

  const Accuracy even = accuracy_of(with_errors({10, -20, 30, 0}));
  CHECK(*even.cycles_median == Approx(15));  // between 10 and 20
  CHECK(*even.cycles_p90 == Approx(27));     // of 0 10 20 30: 0.7 of the way from 20 to 30
}

TEST_CASE("one reference is its own mean, median and worst") {
  const Accuracy one = accuracy_of(with_errors({-8}));
  CHECK(*one.cycles_mape == Approx(8));
  CHECK(*one.cycles_median == Approx(8));
  CHECK(*one.cycles_p90 == Approx(8));
  CHECK(*one.cycles_worst == Approx(8));
  CHECK(!one.cycles_pearson);  // no line through one point
}

TEST_CASE("of equally wrong references the first is named, and also when none is wrong") {
  CHECK(accuracy_of(with_errors({5, -25, 25})).cycles_worst_reference == "e1");
  const Accuracy perfect = accuracy_of(with_errors({0, 0}));
  CHECK(*perfect.cycles_worst == 0);
  CHECK(perfect.cycles_worst_reference == "e0");
}

TEST_CASE("Pearson correlation of predicted and measured cycles") {
  CHECK(*accuracy_of({cycles("a", 1, 2), cycles("b", 2, 4), cycles("c", 3, 7)}).cycles_pearson ==
        Approx(5 / std::sqrt(2.0 * 114 / 9)));
  CHECK(*accuracy_of({cycles("a", 1, 30), cycles("b", 2, 20)}).cycles_pearson == Approx(-1));
  CHECK(!accuracy_of({cycles("a", 5, 1), cycles("b", 5, 2)}).cycles_pearson);  // no spread
}

TEST_CASE("occupancy, eligible warps and issue are mean absolute differences") {
  const Accuracy a = accuracy_of({validated("a", {{kOccupancyMetric, {50, 60}},
                                                  {kEligibleMetric, {1.5, 1}},
                                                  {kIssueMetric, {30, 34}}}),
                                  validated("b", {{kOccupancyMetric, {74, 70}},
                                                  {kEligibleMetric, {2, 3}},
                                                  {kIssueMetric, {60, 50}}})});
  CHECK(*a.occupancy_error_points == Approx(7));
  CHECK(*a.eligible_error_warps == Approx(0.75));
  CHECK(*a.issue_error_points == Approx(7));
}

TEST_CASE("the largest stall, and the two largest in any order") {
  const Both right = {{"wait", {4, 5}}, {"barrier", {2, 3}}, {"sleeping", {1, 1}}};
  const Both swapped = {{"wait", {4, 3}}, {"barrier", {2, 5}}, {"sleeping", {1, 1}}};
  const Both second_wrong = {{"wait", {4, 5}}, {"barrier", {1, 3}}, {"sleeping", {2, 1}}};
  CHECK(*of_stalls(right).top_stall_right_pct == 100);
  CHECK(*of_stalls(right).top_two_right_pct == 100);
  CHECK(*of_stalls(swapped).top_stall_right_pct == 0);
  CHECK(*of_stalls(swapped).top_two_right_pct == 100);
  CHECK(*of_stalls(second_wrong).top_stall_right_pct == 100);
  CHECK(*of_stalls(second_wrong).top_two_right_pct == 0);

  const Accuracy all = accuracy_of({validated("a", {}, right), validated("b", {}, swapped),
                                    validated("c", {}, swapped), validated("d", {}, second_wrong)});
  CHECK(*all.top_stall_right_pct == 50);
  CHECK(*all.top_two_right_pct == 75);
}

TEST_CASE("warps that were selected did not stall, however many") {
  const Both stalls = {{"selected", {9, 1}}, {"wait", {4, 5}}, {"barrier", {2, 3}}};
  const ValidatedReference one = validated("one", {}, stalls);
  CHECK(ranked_stalls(*one.comparison, false) == std::vector<std::string>{"wait", "barrier"});
  CHECK(ranked_stalls(*one.comparison, true) == std::vector<std::string>{"wait", "barrier"});
  CHECK(*of_stalls(stalls).stall_rank_agreement == Approx(1));
}

TEST_CASE("equal stalls are in the order of their names") {
  const ValidatedReference one = validated("one", {}, {{"wait", {1, 1}}, {"barrier", {1, 1}}});
  CHECK(ranked_stalls(*one.comparison, false)[0] == "barrier");
}

TEST_CASE("Spearman correlation of the stall reasons") {
  // Two neighbours of four swapped: 1 - 6 * 2 / (4 * 15).
  CHECK(*of_stalls({{"a", {4, 4}}, {"b", {3, 2}}, {"c", {2, 3}}, {"d", {1, 1}}})
             .stall_rank_agreement == Approx(0.8));
  // Equal values share their places: 1.5, 1.5, 3 against 1, 2, 3.
  CHECK(*of_stalls({{"a", {1, 10}}, {"b", {1, 20}}, {"c", {3, 30}}}).stall_rank_agreement ==
        Approx(1.5 / std::sqrt(3.0)));
  // A reason that occurs on neither side agrees about nothing.
  CHECK(*of_stalls({{"a", {2, 1}}, {"b", {1, 2}}, {"c", {0, 0}}}).stall_rank_agreement ==
        Approx(-1));
}

TEST_CASE("what did not run to its end is counted, not averaged") {
  ValidatedReference stuck = cycles("stuck", 900, 100);
  stuck.status = "deadlock";
  const Accuracy a = accuracy_of({cycles("a", 110, 100), stuck, import_failed("b")});
  CHECK(a.references == 1);
  CHECK(a.failed == 2);
  CHECK(*a.cycles_mape == Approx(10));
}

TEST_CASE("without numbers there are no statistics") {
  for (const Accuracy& none :
       {accuracy_of(std::vector<ValidatedReference>{}), accuracy_of({import_failed("a")}),
        accuracy_of({validated("b", {})}), accuracy_of({cycles("c", 5, 0)})}) {
    CHECK(!none.cycles_mape);
    CHECK(!none.cycles_median);
    CHECK(!none.cycles_p90);
    CHECK(!none.cycles_worst);
    CHECK(none.cycles_worst_reference.empty());
    CHECK(!none.occupancy_error_points);
    CHECK(!none.top_stall_right_pct);
    CHECK(!none.stall_rank_agreement);
  }
}

TEST_CASE("groups by family and by use") {
  std::vector<ValidatedReference> all = with_errors({10, 20, 40});
  all[0].reference.family = "streaming";
  all[1].reference.family = "reduction";
  all[1].reference.use = Use::held_out;
  all[2].reference.family = "streaming";
  const auto families = accuracy_by_family(all);
  REQUIRE(families.size() == 2);
  CHECK(*families.at("streaming").cycles_mape == Approx(25));
  CHECK(families.at("reduction").references == 1);
  const auto uses = accuracy_by_use(all);
  REQUIRE(uses.size() == 2);
  CHECK(*uses.at("held_out").cycles_mape == Approx(20));
  CHECK(uses.at("develop").references == 2);
}

TEST_CASE("the error of a metric, where it has one") {
  CHECK(*error_of(cycles("a", 110, 100), kCyclesMetric) == Approx(0.1));
  CHECK(!error_of(cycles("a", 110, 100), kIssueMetric));
  CHECK(!error_of(import_failed("a"), kCyclesMetric));
}
