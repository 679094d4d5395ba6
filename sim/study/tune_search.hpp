// Which points of a space to simulate, when not all can be: knows nothing of kernels.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace smsim {

/// What is searched. Places on an axis are taken to be in an order in which neighbours are alike.
struct SearchSpace {
  std::vector<std::size_t> extents;  // values of each axis
  /// Whether a point can run at all: known from the occupancy rules, so that it costs nothing.
  std::function<bool(std::uint64_t number)> feasible;
};

struct SearchLimits {
  std::uint64_t budget = 0;  // points evaluated at most
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> start;  // a point known beforehand, evaluated first
};

/// The cost of each of `numbers`, in their order; nothing where a point has none. Fewer costs than
/// numbers end the search.
using EvaluatePoints =
    std::function<std::vector<std::optional<double>>(const std::vector<std::uint64_t>& numbers)>;

/// Finds a point of low cost with at most `budget` evaluations, none of them twice, and returns the
/// numbers in the order of their evaluation. What comes next depends on the costs, the seed and the
/// space only: batches are the same however they are evaluated.
///
/// First a sample in which every part of every axis stands once (a Latin hypercube), then rounds:
/// the neighbours along each axis of the best points, the pairs of steps from the best of all, and
/// now and then guesses elsewhere, by what the nearest known points cost or where none is near.
std::vector<std::uint64_t> search(const SearchSpace& space, const SearchLimits& limits,
                                  const EvaluatePoints& evaluate);

/// The same in words, for a report.
std::string search_method(std::uint64_t budget);

}  // namespace smsim
