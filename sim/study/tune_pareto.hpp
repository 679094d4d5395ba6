// Configurations that no other one beats in both cycles and occupancy.
#pragma once

#include <vector>

#include "smsim/tune.hpp"

namespace smsim {

/// Indices of the points for which no other has at most as many cycles and at least as much
/// achieved occupancy (and is better in one): fewest cycles first. Points without cycles are out;
/// of equal ones the first stays.
std::vector<std::size_t> pareto_front(const std::vector<TunePoint>& points);

/// The point with the fewest cycles, the first of equal ones; nullopt when none has any.
std::optional<std::size_t> fastest(const std::vector<TunePoint>& points);

/// The one with the most achieved warps; of equal ones the fastest.
std::optional<std::size_t> most_occupied(const std::vector<TunePoint>& points);

}  // namespace smsim
