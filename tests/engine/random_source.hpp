// Seeded choices.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

namespace smsim::test {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : random_(seed) {}

  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_in(int n) { return between(1, n) == 1; }
  int one_of(std::initializer_list<int> values) {
    return *(values.begin() + between(0, static_cast<int>(values.size()) - 1));
  }
  std::uint64_t number() { return random_(); }

 private:
  std::mt19937_64 random_;
};

}  // namespace smsim::test
