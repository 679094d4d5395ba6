#include "sim/study/tune_guess.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/study/tune_space.hpp"

namespace smsim {
namespace {

// How much cheaper than its neighbourhood a point may be, in spreads of the costs per unit of
// distance (the length of one axis).
constexpr double kOptimism = 0.5;
constexpr double kNearEnough = 1e-9;

}  // namespace

Guesser::Guesser(std::vector<std::size_t> extents) : extents_(std::move(extents)) {}

// Every axis from 0 to 1.
std::vector<double> Guesser::place_of(std::uint64_t number) const {
  const std::vector<std::size_t> steps = steps_of(extents_, number);
  std::vector<double> place;
  for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
    const double length = static_cast<double>(std::max<std::size_t>(extents_[axis], 2) - 1);
    place.push_back(static_cast<double>(steps[axis]) / length);
  }
  return place;
}

void Guesser::learn(std::uint64_t number, double cost) {
  known_.push_back({place_of(number), std::log(std::max(cost, 1.0))});
}

// Nearer points count more, by the fourth power of the distance.
Guesser::Estimate Guesser::estimate(std::uint64_t number) const {
  const std::vector<double> place = place_of(number);
  double nearest = 1e9;
  double weights = 0;
  double sum = 0;
  for (const Known& known : known_) {
    double square = 0;
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      const double apart = place[axis] - known.place[axis];
      square += apart * apart;
    }
    const double weight = 1 / (square * square + kNearEnough);
    weights += weight;
    sum += weight * known.log_cost;
    nearest = std::min(nearest, square);
  }
  return {weights > 0 ? sum / weights : 0, std::sqrt(nearest)};
}

double Guesser::spread() const {
  double sum = 0;
  double squares = 0;
  for (const Known& known : known_) {
    sum += known.log_cost;
    squares += known.log_cost * known.log_cost;
  }
  const double count = static_cast<double>(std::max<std::size_t>(known_.size(), 1));
  return std::sqrt(std::max(0.0, (squares / count) - (sum / count * (sum / count))));
}

std::vector<std::uint64_t> Guesser::ranked(const std::vector<std::uint64_t>& candidates,
                                           GuessKind kind) const {
  const double optimism = kOptimism * spread();
  std::vector<std::pair<double, std::uint64_t>> scored;
  for (const std::uint64_t number : candidates) {
    const Estimate guess = estimate(number);
    scored.emplace_back(
        kind == GuessKind::far ? -guess.distance : guess.log_cost - (optimism * guess.distance),
        number);
  }
  std::sort(scored.begin(), scored.end());
  std::vector<std::uint64_t> numbers;
  numbers.reserve(scored.size());
  for (const auto& [score, number] : scored) numbers.push_back(number);
  return numbers;
}

}  // namespace smsim
