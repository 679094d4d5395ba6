// The search over spaces whose costs are formulas.
#include "sim/study/tune_search.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/kernel/random.hpp"
#include "sim/study/tune_pareto.hpp"
#include "sim/study/tune_space.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

struct Landscape {
  std::vector<std::size_t> extents;
  std::function<double(const std::vector<std::size_t>&)> cost;
  std::function<bool(const std::vector<std::size_t>&)> feasible = [](const auto&) { return true; };

  [[nodiscard]] SearchSpace space() const {
    return {extents, [this](std::uint64_t n) { return feasible(steps_of(extents, n)); }};
  }
  [[nodiscard]] double at(std::uint64_t number) const { return cost(steps_of(extents, number)); }
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t all = 1;
    for (const std::size_t extent : extents) all *= extent;
    return all;
  }
  [[nodiscard]] double best() const {
    double least = 1e300;
    for (std::uint64_t n = 0; n < size(); ++n) {
      if (feasible(steps_of(extents, n))) least = std::min(least, at(n));
    }
    return least;
  }
  [[nodiscard]] std::vector<std::uint64_t> searched(std::uint64_t budget,
                                                    std::uint64_t seed) const {
    return search(space(), {budget, seed, std::nullopt}, [this](const auto& numbers) {
      std::vector<std::optional<double>> costs;
      for (const std::uint64_t n : numbers) costs.emplace_back(at(n));
      return costs;
    });
  }
  [[nodiscard]] double found(const std::vector<std::uint64_t>& order) const {
    double least = 1e300;
    for (const std::uint64_t n : order) least = std::min(least, at(n));
    return least;
  }
};

// One valley, at 5, 2, 6.
Landscape bowl() {
  return {{9, 8, 10}, [](const std::vector<std::size_t>& s) {
            const auto square = [](std::size_t a, double b) {
              return (static_cast<double>(a) - b) * (static_cast<double>(a) - b);
            };
            return 1000 + (20 * square(s[0], 5)) + (30 * square(s[1], 2)) + (10 * square(s[2], 6));
          }};
}

}  // namespace

TEST_CASE("a valley is found with a tenth of the evaluations") {
  const Landscape land = bowl();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO(seed);
    CHECK(land.found(land.searched(72, seed)) == land.best());
  }
}

TEST_CASE("a valley across the axes, and regions that cannot run, are no obstacle") {
  Landscape land = bowl();
  land.cost = [](const std::vector<std::size_t>& s) {
    const double a = static_cast<double>(s[0]);
    const double b = static_cast<double>(s[1]);
    return 1000 + (50 * (a - b) * (a - b)) + (10 * (a + b - 10) * (a + b - 10)) +
           static_cast<double>(s[2]);
  };
  land.feasible = [](const std::vector<std::size_t>& s) { return (s[0] + s[2]) % 3 != 1; };
  double regret = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto order = land.searched(90, seed);
    for (const std::uint64_t n : order) CHECK(land.feasible(steps_of(land.extents, n)));
    regret += land.found(order) / land.best() - 1;
  }
  CHECK(regret / 20 < 0.005);
}

TEST_CASE("no point is evaluated twice, the budget holds, and a small space is exhausted") {
  const Landscape land = bowl();
  const auto order = land.searched(100, 3);
  CHECK(order.size() == 100);
  CHECK(std::set<std::uint64_t>(order.begin(), order.end()).size() == 100);
  const Landscape small{{3, 4}, [](const auto& s) { return 1.0 + static_cast<double>(s[0]); }};
  CHECK(small.searched(100, 1).size() == 12);
  const Landscape one{{1}, [](const auto&) { return 1.0; }};
  CHECK(one.searched(100, 1) == std::vector<std::uint64_t>{0});
  Landscape none = bowl();
  none.feasible = [](const auto&) { return false; };
  CHECK(none.searched(100, 1).empty());
}

TEST_CASE("the order depends on the seed only") {
  const Landscape land = bowl();
  CHECK(land.searched(60, 1) == land.searched(60, 1));
  CHECK(land.searched(60, 1) != land.searched(60, 2));
}

TEST_CASE("points without a cost are no end, an evaluation cut short is one") {
  const Landscape land = bowl();
  std::size_t asked = 0;
  const auto order = search(land.space(), {50, 1, 0}, [&](const auto& numbers) {
    asked += numbers.size();
    return std::vector<std::optional<double>>(numbers.size());
  });
  CHECK(order.size() == 50);
  CHECK(asked == 50);
  CHECK(order.front() == 0);  // the start
  const auto cut = search(land.space(), {50, 1, 0}, [&](const auto& numbers) {
    return std::vector<std::optional<double>>(numbers.size() > 1 ? 1 : numbers.size(), 7.0);
  });
  CHECK(cut.size() == 2);  // the start, and the first of the sample
}

TEST_CASE("spaces far larger than any budget are searched without listing them") {
  Landscape land;
  land.extents = {100, 100, 100, 100};
  land.cost = [](const std::vector<std::size_t>& s) {
    double sum = 1000;
    for (const std::size_t step : s) sum += std::abs(static_cast<double>(step) - 40);
    return sum;
  };
  CHECK(land.found(land.searched(200, 1)) < 1060);
}

TEST_CASE("the Pareto front has what nothing beats in both") {
  std::vector<TunePoint> points;
  const auto add = [&points](std::optional<double> cycles, double occupancy) {
    TunePoint point;
    point.cycles = cycles;
    point.achieved_pct = occupancy;
    points.push_back(point);
  };
  CHECK(pareto_front(points).empty());
  CHECK_FALSE(fastest(points).has_value());
  add(100, 50);           // 0: on it
  add(100, 60);           // 1: beats 0
  add(120, 60);           // 2: no better occupied than 1
  add(90, 20);            // 3: the fastest
  add(std::nullopt, 99);  // 4: did not run
  add(300, 80);           // 5
  add(200, 80);           // 6: beats 5
  add(90, 20);            // 7: equal to 3, which came first
  CHECK(pareto_front(points) == std::vector<std::size_t>{3, 1, 6});
  CHECK(fastest(points) == 3);
  CHECK(most_occupied(points) == 6);
}
