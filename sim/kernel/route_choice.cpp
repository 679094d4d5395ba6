#include "sim/kernel/route_choice.hpp"

#include <cmath>

#include "sim/kernel/random.hpp"

namespace smsim {

namespace {

// Fractional part of the square root of the nth prime, in 1/2^64.
std::uint64_t irrational(std::size_t n) {
  static const std::vector<std::uint64_t> kRoots = [] {
    constexpr std::size_t kCount = 1024;
    std::vector<std::uint64_t> roots;
    for (std::uint32_t candidate = 2; roots.size() < kCount; ++candidate) {
      bool prime = true;
      for (std::uint32_t factor = 2; factor * factor <= candidate; ++factor) {
        prime = prime && candidate % factor != 0;
      }
      if (!prime) continue;
      const double root = std::sqrt(static_cast<double>(candidate));
      roots.push_back(static_cast<std::uint64_t>((root - std::floor(root)) * 0x1.0p64) | 1U);
    }
    return roots;
  }();
  return kRoots[n % kRoots.size()];
}

// A little more than the share, so that 1/n has passed 1 after n visits.
std::uint64_t step_of(double share) {
  constexpr double kOne = 0x1.0p64;
  constexpr std::uint64_t kRounding = 1U << 13U;
  return static_cast<std::uint64_t>(share * kOne) + kRounding;
}

bool passes(double share, std::uint64_t& phase) {
  if (share <= 0) return false;
  if (share >= 1) return true;
  const std::uint64_t before = phase;
  phase += step_of(share);
  return phase < before;
}

constexpr std::size_t kStayRoots = 1000;  // far from those of the other phases

// Trips of this stay against their mean: many short stays and few long ones, as an exponential
// distribution has them.
double stay_length(const Route& route, std::uint64_t state) {
  constexpr double kLongest = 8;
  const double drawn = std::min(-std::log1p(-unit_interval(state)), kLongest);
  return std::max(0.01, 1 + (route.spread * (drawn - 1)));
}

}  // namespace

double leaving_share(const Route& route) {
  return route.jump_leaves ? route.taken - route.split : 1 - route.taken;
}

void first_phases(const Route& route, std::size_t index, std::uint64_t unit,
                  std::vector<std::uint64_t>& phases) {
  const std::uint64_t even = (unit + 1) * irrational(2 * index);
  const double leaving = leaving_share(route);
  const bool late = route.pattern == Route::Pattern::loop_exit && leaving > 0 && leaving < 1;
  phases.push_back(late ? below(even, step_of(leaving)) : even);
  phases.push_back((unit + 1) * irrational((2 * index) + 1));
  phases.push_back((unit + 1) * irrational(kStayRoots - index));
}

Way choose_way(const Route& route, std::uint32_t warp, std::uint64_t* phases) {
  if (route.pattern == Route::Pattern::first_warps) {
    if (warp >= route.first_warps) return Way::jump;
    const double whole = route.first_warps * (1 - route.split);
    return warp < std::lround(whole) ? Way::fall_through : Way::both;
  }
  if (route.pattern == Route::Pattern::loop_exit) {
    const bool leaves =
        route.spread > 0 ? passes(leaving_share(route) / stay_length(route, phases[2]), phases[0])
                         : passes(leaving_share(route), phases[0]);
    if (leaves && route.spread > 0) phases[2] += irrational(kStayRoots + 1);
    if (leaves) return route.jump_leaves ? Way::jump : Way::fall_through;
    const double staying = 1 - leaving_share(route);
    if (passes(staying > 0 ? route.split / staying : 0, phases[1])) return Way::both;
    return route.jump_leaves ? Way::fall_through : Way::jump;
  }
  if (!passes(route.taken, phases[0])) return Way::fall_through;
  return passes(route.split / route.taken, phases[1]) ? Way::both : Way::jump;
}

}  // namespace smsim
