// Which way a warp goes at a branch of which only the outcomes' numbers are known.
//
// Each warp keeps a phase for each route and adds the share to it on every visit; it jumps when the
// phase passes 1 (as a line is drawn on a grid). The first phases of all warps are spread evenly
// over the interval by multiples of an irrational number, another one for each route, so that
// routes behind one another are spread evenly together too. Two further phases say when a warp does
// both, and how long its next stay in a loop is against the mean.
#pragma once

#include <cstdint>
#include <vector>

#include "smsim/program.hpp"

namespace smsim {

enum class Way : std::uint8_t { fall_through, jump, both };

/// Share of visits on which the whole warp leaves the loop (Pattern::loop_exit).
double leaving_share(const Route& route);

/// What a warp keeps for each route.
inline constexpr std::size_t kPhasesPerRoute = 3;

/// Appends the phases with which warp (or block) number `unit` meets route number `index`.
void first_phases(const Route& route, std::size_t index, std::uint64_t unit,
                  std::vector<std::uint64_t>& phases);

/// One visit of warp `warp` of its block; `phases` are its own for this route.
Way choose_way(const Route& route, std::uint32_t warp, std::uint64_t* phases);

}  // namespace smsim
