// A cache looked up by address: sectored, set-associative, least recently used line first out.
//
// 128-byte lines of four 32-byte sectors; 16 ways; the set is a hash of the line, as the real ones
// are no simple function of the address either.
#pragma once

#include <cstdint>
#include <vector>

namespace smsim::memory {

class AddressCache {
 public:
  explicit AddressCache(std::uint64_t bytes);

  /// Sectors of `wanted` that are not there; they are from now on.
  std::uint8_t load(std::uint64_t line, std::uint8_t wanted);

 private:
  struct Way {
    std::uint64_t line = ~std::uint64_t{0};
    std::uint64_t used = 0;  // when
    std::uint8_t sectors = 0;
  };
  static constexpr std::size_t kWays = 16;

  std::vector<Way> ways_;  // [set][way]
  std::size_t sets_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace smsim::memory
