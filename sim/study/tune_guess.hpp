// What an unknown point may cost, from the known ones around it.
#pragma once

#include <cstdint>
#include <vector>

namespace smsim {

enum class GuessKind {
  promising,  // expected to be cheap
  far         // far from everything known
};

/// Costs are taken as logarithms: a configuration is so many percent slower, wherever it starts.
class Guesser {
 public:
  explicit Guesser(std::vector<std::size_t> extents);

  void learn(std::uint64_t number, double cost);
  /// `candidates` in the order in which they are worth an evaluation.
  [[nodiscard]] std::vector<std::uint64_t> ranked(const std::vector<std::uint64_t>& candidates,
                                                  GuessKind kind) const;

 private:
  struct Known {
    std::vector<double> place;
    double log_cost = 0;
  };
  struct Estimate {
    double log_cost = 0;
    double distance = 0;  // to the nearest known point
  };
  [[nodiscard]] std::vector<double> place_of(std::uint64_t number) const;
  [[nodiscard]] Estimate estimate(std::uint64_t number) const;
  [[nodiscard]] double spread() const;

  std::vector<std::size_t> extents_;
  std::vector<Known> known_;
};

}  // namespace smsim
