// What the engine is told about each conditional branch of a listing, from its counts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/import/counted_graph.hpp"
#include "smsim/program.hpp"

namespace smsim {

struct CountedRoutes {
  std::vector<std::pair<std::size_t, Route>> routes;  // by line; conditional branches and exits
  std::vector<std::string> notes;
};

CountedRoutes routes_of(const std::vector<CountedLine>& lines, std::uint64_t blocks,
                        std::uint32_t warps_per_block);

}  // namespace smsim
