#include "sim/memory/address_cache.hpp"

#include <algorithm>

#include "sim/kernel/random.hpp"

namespace smsim::memory {

namespace {

constexpr std::uint64_t kLineBytes = 128;

}  // namespace

AddressCache::AddressCache(std::uint64_t bytes)
    : sets_(static_cast<std::size_t>(bytes / (kLineBytes * kWays))) {
  ways_.resize(sets_ * kWays);
}

std::uint8_t AddressCache::load(std::uint64_t line, std::uint8_t wanted) {
  if (sets_ == 0) return wanted;
  const auto set = static_cast<std::ptrdiff_t>(below(mix(line), sets_) * kWays);
  const auto first = ways_.begin() + set;
  const auto last = first + static_cast<std::ptrdiff_t>(kWays);
  auto way = std::find_if(first, last, [line](const Way& one) { return one.line == line; });
  if (way == last) {
    way = std::min_element(first, last, [](const Way& a, const Way& b) { return a.used < b.used; });
    *way = {line, 0, 0};
  }
  way->used = ++uses_;
  const auto missing = static_cast<std::uint8_t>(wanted & ~way->sectors);
  way->sectors |= wanted;
  return missing;
}

}  // namespace smsim::memory
