#include "sim/study/tune_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/kernel/random.hpp"
#include "sim/study/tune_guess.hpp"
#include "sim/study/tune_space.hpp"

namespace smsim {
namespace {

constexpr std::uint64_t kSampleShare = 3;  // one evaluation in so many is of the first sample
constexpr std::uint64_t kLargestSample = 256;
constexpr std::size_t kBestClimbed = 3;      // points whose neighbours are looked at
constexpr std::size_t kGuesses = 2;          // in every round
constexpr std::uint64_t kMostListed = 4096;  // candidates of a guess
constexpr std::uint64_t kMostDistances = 1'000'000;
constexpr int kDraws = 32;  // tries for a sample's place where points are infeasible

class Searcher {
 public:
  Searcher(const SearchSpace& space, const SearchLimits& limits, const EvaluatePoints& evaluate)
      : space_(space), limits_(limits), evaluate_(evaluate), guesser_(space.extents) {
    for (const std::size_t extent : space.extents) size_ *= extent;
  }

  std::vector<std::uint64_t> run() {
    if (limits_.start && space_.feasible(*limits_.start)) evaluate({*limits_.start});
    evaluate(sample());
    while (!done()) {
      std::vector<std::uint64_t> batch = climb();
      if (batch.empty()) batch = pairs_of_best();
      const std::size_t guesses = batch.empty() ? 2 * kGuesses : kGuesses;
      for (const std::uint64_t number : guess(guesses, batch)) batch.push_back(number);
      if (batch.empty()) break;  // every point that can run is known
      evaluate(batch);
    }
    return order_;
  }

 private:
  [[nodiscard]] bool done() const { return ended_ || order_.size() >= limits_.budget; }
  [[nodiscard]] bool known(std::uint64_t number) const { return costs_.count(number) > 0; }

  std::uint64_t draw(std::uint64_t n) { return below(mix(limits_.seed, ++draws_), n); }

  void evaluate(const std::vector<std::uint64_t>& wanted) {
    std::vector<std::uint64_t> batch;
    for (const std::uint64_t number : wanted) {
      const bool twice = std::find(batch.begin(), batch.end(), number) != batch.end();
      if (!twice && !known(number) && order_.size() + batch.size() < limits_.budget) {
        batch.push_back(number);
      }
    }
    if (batch.empty() || done()) return;
    const std::vector<std::optional<double>> costs = evaluate_(batch);
    ended_ = costs.size() < batch.size();
    for (std::size_t i = 0; i < costs.size(); ++i) {
      order_.push_back(batch[i]);
      costs_[batch[i]] = costs[i];
      if (!costs[i]) continue;
      ranking_.emplace(*costs[i], batch[i]);
      guesser_.learn(batch[i], *costs[i]);
    }
  }

  // A Latin hypercube: with n points every n-th part of each axis stands once. An infeasible one
  // gives way to the first feasible one of some draws.
  std::vector<std::uint64_t> sample() {
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>(limits_.budget / kSampleShare, 1, kLargestSample);
    std::vector<std::vector<std::size_t>> columns;
    columns.reserve(space_.extents.size());
    for (const std::size_t extent : space_.extents) columns.push_back(strata(extent, wanted));
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < wanted; ++i) {
      std::vector<std::size_t> steps;
      for (const auto& column : columns) steps.push_back(column[i]);
      if (const auto number = feasible_near(steps)) numbers.push_back(*number);
    }
    return numbers;
  }

  // Places on one axis for n points, evenly spread, in random order.
  std::vector<std::size_t> strata(std::size_t extent, std::uint64_t n) {
    std::vector<std::size_t> places;
    const std::uint64_t shift = draw(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      places.push_back(
          static_cast<std::size_t>(((i * extent) + (shift * extent / n)) / n % extent));
    }
    for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[draw(i)]);
    return places;
  }

  std::optional<std::uint64_t> feasible_near(std::vector<std::size_t> steps) {
    for (int tried = 0; tried < kDraws; ++tried) {
      const std::uint64_t number = number_of(space_.extents, steps);
      if (space_.feasible(number)) return number;
      if (steps.empty()) break;
      const std::size_t axis = draw(steps.size());
      steps[axis] = draw(space_.extents[axis]);
    }
    return std::nullopt;
  }

  // Unknown neighbours along each axis of the best point that still has some, of the first few.
  std::vector<std::uint64_t> climb() {
    std::size_t looked_at = 0;
    for (const auto& [cost, number] : ranking_) {
      if (looked_at++ == kBestClimbed) break;
      if (!climbed_.insert(number).second) continue;
      std::vector<std::uint64_t> found = neighbours(number);
      if (!found.empty()) return found;
    }
    return {};
  }

  std::vector<std::uint64_t> neighbours(std::uint64_t number) {
    std::vector<std::uint64_t> found;
    for (std::size_t axis = 0; axis < space_.extents.size(); ++axis) {
      for (const int direction : {-1, 1}) {
        const auto next = step(number, axis, direction);
        if (next && !known(*next)) found.push_back(*next);
      }
    }
    return found;
  }

  // The next feasible point in a direction: infeasible regions are stepped over.
  [[nodiscard]] std::optional<std::uint64_t> step(std::uint64_t number, std::size_t axis,
                                                  int direction) const {
    std::vector<std::size_t> steps = steps_of(space_.extents, number);
    while (direction < 0 ? steps[axis] > 0 : steps[axis] + 1 < space_.extents[axis]) {
      steps[axis] = direction < 0 ? steps[axis] - 1 : steps[axis] + 1;
      const std::uint64_t next = number_of(space_.extents, steps);
      if (space_.feasible(next)) return next;
    }
    return std::nullopt;
  }

  // Steps along two axes at once from the best point: a valley that runs across the axes.
  std::vector<std::uint64_t> pairs_of_best() {
    if (ranking_.empty() || !paired_.insert(ranking_.begin()->second).second) return {};
    std::vector<std::uint64_t> found;
    for (std::size_t axis = 0; axis < space_.extents.size(); ++axis) {
      for (const int direction : {-1, 1}) {
        const auto first = step(ranking_.begin()->second, axis, direction);
        if (!first) continue;
        for (std::size_t other = axis + 1; other < space_.extents.size(); ++other) {
          for (const int turn : {-1, 1}) {
            const auto second = step(*first, other, turn);
            if (second && !known(*second)) found.push_back(*second);
          }
        }
      }
    }
    return found;
  }

  // Points elsewhere: by turns the most promising one, and the one farthest from all known.
  std::vector<std::uint64_t> guess(std::size_t count, const std::vector<std::uint64_t>& besides) {
    std::set<std::uint64_t> taken(besides.begin(), besides.end());
    std::vector<std::uint64_t> found;
    const std::vector<std::uint64_t> candidates = unknown_points();
    for (std::size_t i = 0; i < count; ++i) {
      const GuessKind kind = i % 2 == 0 ? GuessKind::promising : GuessKind::far;
      for (const std::uint64_t number : guesser_.ranked(candidates, kind)) {
        if (taken.count(number) > 0 || !space_.feasible(number)) continue;
        taken.insert(number);
        found.push_back(number);
        break;
      }
    }
    return found;
  }

  // All of them in a small space, else some draws.
  std::vector<std::uint64_t> unknown_points() {
    std::vector<std::uint64_t> numbers;
    const std::uint64_t most =
        std::clamp<std::uint64_t>(kMostDistances / (costs_.size() + 1), 64, kMostListed);
    if (size_ <= most) {
      for (std::uint64_t number = 0; number < size_; ++number) {
        if (!known(number)) numbers.push_back(number);
      }
      return numbers;
    }
    std::set<std::uint64_t> drawn;
    for (std::uint64_t i = 0; i < most; ++i) {
      const std::uint64_t number = draw(size_);
      if (!known(number) && drawn.insert(number).second) numbers.push_back(number);
    }
    return numbers;
  }

  const SearchSpace& space_;
  const SearchLimits& limits_;
  const EvaluatePoints& evaluate_;
  Guesser guesser_;
  std::uint64_t size_ = 1;
  std::uint64_t draws_ = 0;
  bool ended_ = false;
  std::vector<std::uint64_t> order_;
  std::map<std::uint64_t, std::optional<double>> costs_;
  std::set<std::pair<double, std::uint64_t>> ranking_;  // cheapest first
  std::set<std::uint64_t> climbed_;
  std::set<std::uint64_t> paired_;
};

}  // namespace

std::vector<std::uint64_t> search(const SearchSpace& space, const SearchLimits& limits,
                                  const EvaluatePoints& evaluate) {
  return Searcher(space, limits, evaluate).run();
}

std::string search_method(std::uint64_t budget) {
  return fmt::format(
      "a search picks them: first an even sample of {} over all axes, then, in rounds, the "
      "neighbours of the {} best along each axis, steps along two axes from the best, and {} "
      "guesses elsewhere (the most promising by what those near it take, and the most remote)",
      std::clamp<std::uint64_t>(budget / kSampleShare, 1, kLargestSample), kBestClimbed, kGuesses);
}

}  // namespace smsim
