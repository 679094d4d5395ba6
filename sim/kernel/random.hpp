// Deterministic randomness: every draw is a pure function of its key, so it does not matter who
// draws first.
#pragma once

#include <cstdint>

#include "smsim/program.hpp"

namespace smsim {

// A 64-bit finaliser in the style of splitmix64: every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return mix(mix(a) ^ b);
}

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix(mix(a, b) ^ c);
}

// Uniform in [0, 1).
constexpr double unit_interval(std::uint64_t key) {
  return static_cast<double>(key >> 11U) * 0x1.0p-53;
}

// Uniform in [0, n) without a division.
constexpr std::uint64_t below(std::uint64_t key, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(key) * n) >> 64U);
}

// One value of a distribution, rounded and clamped.
std::uint64_t draw(const Distribution& distribution, std::uint64_t key);

}  // namespace smsim
