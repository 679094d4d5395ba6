// The limits of a block by name, in the order in which they are reported.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "smsim/occupancy.hpp"

namespace smsim {

struct NamedLimit {
  const char* name;
  int blocks;
};

inline std::array<NamedLimit, 6> named_limits(const BlockLimits& limits) {
  return {{{"warps", limits.warps},
           {"blocks", limits.blocks},
           {"registers", limits.registers},
           {"shared_mem", limits.shared_mem},
           {"barriers", limits.barriers},
           {"virtual_resources", limits.virtual_resources}}};
}

/// The smallest limit.
int smallest(const BlockLimits& limits);

/// Every resource whose limit is the smallest.
std::vector<std::string> limiters(const BlockLimits& limits);

}  // namespace smsim
