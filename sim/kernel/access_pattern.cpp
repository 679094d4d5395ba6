#include "sim/kernel/access_pattern.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace smsim::sass {

namespace {

constexpr std::uint64_t kLanes = 32;
constexpr std::uint64_t kLineBytes = 128;
constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kBanks = 32;
constexpr std::uint64_t kBankBytes = 4;

using Kind = PatternSource::Kind;

// First byte of a lane, counted from the lowest one.
std::uint64_t first_byte(const LaneOffsets& lanes, std::uint64_t lane, std::uint64_t bytes) {
  const std::int64_t lowest = *std::min_element(lanes.begin(), lanes.end());
  return static_cast<std::uint64_t>(lanes[lane] - lowest) * bytes;
}

bool all_same(const LaneOffsets& lanes) {
  return std::all_of(lanes.begin(), lanes.end(),
                     [&lanes](std::int64_t lane) { return lane == lanes.front(); });
}

// Distinct blocks of `unit` bytes that the lanes touch.
std::uint64_t distinct_units(const LaneOffsets& lanes, std::uint64_t bytes, std::uint64_t unit) {
  std::set<std::uint64_t> units;
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t begin = first_byte(lanes, lane, bytes);
    for (std::uint64_t at = begin / unit; at <= (begin + bytes - 1) / unit; ++at) {
      units.insert(at);
    }
  }
  return units.size();
}

// Expected number of distinct units when every lane picks one of `total` at random.
std::uint64_t expected_distinct(double total) {
  const double distinct = total * (1 - std::pow(1 - 1 / total, static_cast<double>(kLanes)));
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(distinct)));
}

std::uint64_t random_units(std::uint64_t bytes, std::uint64_t unit, std::uint64_t array_bytes) {
  const std::uint64_t each = (bytes + unit - 1) / unit;
  if (array_bytes == 0) {
    return kLanes * each;
  }
  const double total = std::max(1.0, static_cast<double>(array_bytes) / static_cast<double>(unit));
  return expected_distinct(std::max(1.0, total / static_cast<double>(each))) * each;
}

// Rows of `columns` elements, `pitch` elements apart; unset: so far apart that rows share nothing.
std::uint64_t tile_units(const PatternSource& pattern, std::uint64_t bytes, std::uint64_t unit) {
  const std::uint64_t columns = std::clamp<std::uint64_t>(pattern.columns, 1, kLanes);
  const std::uint64_t rows = std::min(pattern.rows, (kLanes + columns - 1) / columns);
  if (!pattern.pitch) {
    return rows * ((columns * bytes + unit - 1) / unit);
  }
  std::set<std::uint64_t> units;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t begin = row * *pattern.pitch * bytes;
    for (std::uint64_t at = begin / unit; at <= (begin + columns * bytes - 1) / unit; ++at) {
      units.insert(at);
    }
  }
  return units.size();
}

std::uint64_t units(const PatternSource& pattern, std::uint64_t bytes, std::uint64_t unit,
                    std::uint64_t array_bytes, const LaneOffsets& lanes) {
  switch (pattern.kind) {
    case Kind::coalesced:
      return distinct_units(evenly_spaced(1), bytes, unit);
    case Kind::strided:
      return distinct_units(evenly_spaced(static_cast<std::int64_t>(pattern.stride)), bytes, unit);
    case Kind::from_index:
      return distinct_units(lanes, bytes, unit);
    case Kind::broadcast:
      return (bytes + unit - 1) / unit;
    case Kind::random:
      return random_units(bytes, unit, array_bytes);
    case Kind::tile:
      return tile_units(pattern, bytes, unit);
  }
  return 1;
}

// The most distinct words that meet in one bank.
std::uint64_t worst_bank(const LaneOffsets& lanes, std::uint64_t bytes, std::uint64_t count) {
  std::array<std::set<std::uint64_t>, kBanks> words;
  std::size_t worst = 1;
  for (std::uint64_t lane = 0; lane < count; ++lane) {
    const std::uint64_t word = first_byte(lanes, lane, bytes) / kBankBytes;
    std::set<std::uint64_t>& bank = words[word % kBanks];
    bank.insert(word);
    worst = std::max(worst, bank.size());
  }
  return worst;
}

// Lanes of 8 or 16 bytes pass in groups that fill all banks once: 2 or 4 passes without conflict.
std::uint64_t passes_of(const LaneOffsets& lanes, std::uint64_t bytes) {
  const std::uint64_t passes = std::max<std::uint64_t>(1, bytes / kBankBytes);
  return passes * worst_bank(lanes, bytes, kLanes / std::min<std::uint64_t>(passes, 4));
}

bool is_broadcast(const PatternSource& pattern, const LaneOffsets& lanes) {
  return pattern.kind == Kind::broadcast || (pattern.kind == Kind::from_index && all_same(lanes));
}

}  // namespace

LaneOffsets evenly_spaced(std::int64_t stride) {
  LaneOffsets lanes{};
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    lanes[lane] = static_cast<std::int64_t>(lane) * stride;
  }
  return lanes;
}

Footprint global_footprint(const PatternSource& pattern, int bytes_per_thread,
                           std::uint64_t array_bytes, const LaneOffsets& lanes_at) {
  const auto bytes = static_cast<std::uint64_t>(bytes_per_thread);
  Footprint footprint;
  const std::uint64_t lines =
      pattern.lines.value_or(units(pattern, bytes, kLineBytes, array_bytes, lanes_at));
  const std::uint64_t sectors =
      pattern.sectors.value_or(units(pattern, bytes, kSectorBytes, array_bytes, lanes_at));
  footprint.lines = static_cast<std::uint16_t>(std::clamp<std::uint64_t>(lines, 1, 64));
  footprint.sectors = static_cast<std::uint16_t>(
      std::clamp<std::uint64_t>(sectors, footprint.lines, std::uint64_t{4} * footprint.lines));
  footprint.scales_with_lanes = !is_broadcast(pattern, lanes_at);
  return footprint;
}

Footprint shared_footprint(const PatternSource& pattern, int bytes_per_thread,
                           const LaneOffsets& lanes) {
  const auto bytes = static_cast<std::uint64_t>(bytes_per_thread);
  const std::uint64_t passes = std::max<std::uint64_t>(1, bytes / kBankBytes);
  std::uint64_t wavefronts = passes;
  if (pattern.conflict) {
    wavefronts = passes * *pattern.conflict;
  } else if (is_broadcast(pattern, lanes)) {
    wavefronts = 1;
  } else if (pattern.kind == Kind::strided) {
    wavefronts = passes_of(evenly_spaced(static_cast<std::int64_t>(pattern.stride)), bytes);
  } else if (pattern.kind == Kind::from_index) {
    wavefronts = passes_of(lanes, bytes);
  } else if (pattern.kind == Kind::random) {
    constexpr std::uint64_t kRandomConflict = 4;  // the fullest of 32 banks after 32 random lanes
    wavefronts = passes * kRandomConflict;
  }
  Footprint footprint;
  footprint.lines = 1;
  footprint.sectors = 1;
  footprint.wavefronts = static_cast<std::uint16_t>(std::clamp<std::uint64_t>(wavefronts, 1, 128));
  footprint.scales_with_lanes = !is_broadcast(pattern, lanes);
  return footprint;
}

}  // namespace smsim::sass
