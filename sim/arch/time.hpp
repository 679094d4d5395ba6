#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace smsim {

// SM clock cycles since the launch.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

// Rates that are not whole cycles are kept in 1/64 cycles.
using Tick = std::uint64_t;
inline constexpr Tick kTicksPerCycle = 64;

constexpr Tick to_ticks(Cycle cycle) {
  return cycle * kTicksPerCycle;
}
inline Tick to_ticks(double cycles) {
  return static_cast<Tick>(std::llround(cycles * static_cast<double>(kTicksPerCycle)));
}
constexpr Cycle to_cycle_up(Tick tick) {
  return (tick + kTicksPerCycle - 1) / kTicksPerCycle;
}

}  // namespace smsim
