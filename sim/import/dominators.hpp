// Dominators of a small directed graph (Boost.Graph does the work).
#pragma once

#include <cstddef>
#include <vector>

namespace smsim {

struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// By vertex: its immediate dominator on the ways from `entry`; `count` where there is none (the
/// entry itself, and what it does not reach).
std::vector<std::size_t> immediate_dominators(std::size_t count, const std::vector<Edge>& edges,
                                              std::size_t entry = 0);

/// Do all ways to `below` pass `above`? Every vertex that is reached dominates itself.
bool dominates(const std::vector<std::size_t>& dominator, std::size_t above, std::size_t below);

}  // namespace smsim
