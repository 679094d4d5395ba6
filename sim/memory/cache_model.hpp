// Hit or miss without addresses: either a drawn rate, or counted from the size of the data and of
// the cache.
//
// Random reuse: every line of an array is equally likely, a miss brings in a line that was not
// there, so the hit probability is (lines brought in) / (lines of the array), limited by what fits.
// Streaming: lines come in order; the first pass misses, later passes hit when the array fits and
// miss when it does not (least-recently-used order).
#pragma once

#include <cstdint>
#include <vector>

#include "smsim/program.hpp"

namespace smsim::memory {

class CacheModel {
 public:
  enum class Level : std::uint8_t { l1, l2 };

  CacheModel() = default;
  // `bytes`: what the program's data may occupy. `warm`: starts with as much of it as fits.
  CacheModel(const Program& program, Level level, std::uint64_t bytes, bool warm);

  // One request for (part of) one line. `key` decides where chance is involved.
  bool hit(std::uint16_t access, std::uint64_t key);

 private:
  struct Footprint {
    std::uint64_t lines = 0;     // distinct lines
    std::uint64_t capacity = 0;  // of them, what the cache can hold
    std::uint64_t touched = 0;   // random: lines present; streaming: requests so far
  };

  bool hit_random(Footprint& footprint, std::uint64_t key) const;
  static bool hit_streaming(Footprint& footprint);

  const Program* program_ = nullptr;
  Level level_ = Level::l2;
  std::vector<Footprint> arrays_;    // random reuse
  std::vector<Footprint> accesses_;  // streaming
};

}  // namespace smsim::memory
