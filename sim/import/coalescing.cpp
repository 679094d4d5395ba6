#include "sim/import/coalescing.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace smsim {

namespace {

constexpr std::uint64_t kLineBytes = 128;
constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kWordBytes = 4;
constexpr std::size_t kBanks = 32;
constexpr std::uint64_t kLocalSpace = std::uint64_t{1} << 62U;  // away from all real lines

void touch(RecordedWarp& warp, std::size_t first, std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t at = address; at < address + bytes;) {
    const std::uint64_t line = at / kLineBytes;
    const std::uint64_t end = std::min(address + bytes, (line + 1) * kLineBytes);
    const auto begin = warp.lines.begin() + static_cast<std::ptrdiff_t>(first);
    auto found = std::find_if(begin, warp.lines.end(),
                              [line](const RecordedLine& one) { return one.line == line; });
    const auto word = static_cast<std::uint8_t>(at % kLineBytes / kWordBytes);
    if (found == warp.lines.end()) {
      found = warp.lines.insert(found, RecordedLine{line, 0, word, 0});
    }
    found->word = std::min(found->word, word);
    ++found->lanes;
    for (std::uint64_t sector = at / kSectorBytes; sector * kSectorBytes < end; ++sector) {
      found->sectors |= static_cast<std::uint8_t>(1U << (sector % 4));
    }
    at = end;
  }
}

std::uint32_t width(std::uint32_t bytes) {
  return std::clamp(bytes, 1U, 16U);
}

}  // namespace

void record_global(std::span<const std::uint64_t> addresses, std::uint32_t width_bytes,
                   RecordedWarp& warp) {
  RecordedAccess access;
  access.first_line = static_cast<std::uint32_t>(warp.lines.size());
  for (const std::uint64_t address : addresses) {
    touch(warp, access.first_line, address, width(width_bytes));
  }
  access.lines = static_cast<std::uint8_t>(warp.lines.size() - access.first_line);
  warp.accesses.push_back(access);
}

void record_local(std::span<const std::uint64_t> addresses, std::uint32_t width_bytes,
                  std::uint64_t warp_number, RecordedWarp& warp) {
  RecordedAccess access;
  access.first_line = static_cast<std::uint32_t>(warp.lines.size());
  for (const std::uint64_t address : addresses) {
    for (std::uint64_t word = address / kWordBytes;
         word * kWordBytes < address + width(width_bytes); ++word) {
      const std::uint64_t line = kLocalSpace + (warp_number << 24U) + word % (1U << 24U);
      const auto begin = warp.lines.begin() + access.first_line;
      const auto found = std::find_if(begin, warp.lines.end(),
                                      [line](const RecordedLine& one) { return one.line == line; });
      if (found == warp.lines.end()) {
        warp.lines.push_back({line, 0xf, 0, 1});
      } else {
        ++found->lanes;
      }
    }
  }
  access.lines =
      static_cast<std::uint8_t>(std::min<std::size_t>(warp.lines.size() - access.first_line, 64));
  warp.accesses.push_back(access);
}

void record_shared(std::span<const std::uint64_t> addresses, std::uint32_t width_bytes, bool atomic,
                   RecordedWarp& warp) {
  const std::uint32_t words =
      std::max(1U, width(width_bytes) / static_cast<std::uint32_t>(kWordBytes));
  const std::size_t together = kBanks / words;  // lanes of one phase
  std::size_t passes = 0;
  for (std::size_t first = 0; first < addresses.size(); first += together) {
    std::vector<std::uint64_t> seen;
    std::array<std::size_t, kBanks> in_bank{};
    const std::size_t last = std::min(first + together, addresses.size());
    for (std::size_t lane = first; lane < last; ++lane) {
      for (std::uint32_t i = 0; i < words; ++i) {
        const std::uint64_t word = addresses[lane] / kWordBytes + i;
        if (!atomic && std::find(seen.begin(), seen.end(), word) != seen.end()) continue;
        seen.push_back(word);
        ++in_bank[word % kBanks];
      }
    }
    passes += std::max<std::size_t>(1, *std::max_element(in_bank.begin(), in_bank.end()));
  }
  RecordedAccess access;
  access.first_line = static_cast<std::uint32_t>(warp.lines.size());
  access.passes = static_cast<std::uint8_t>(std::clamp<std::size_t>(passes, 1, 255));
  warp.accesses.push_back(access);
}

}  // namespace smsim
