// Addresses for the lanes of a memory instruction of which only amounts are known.
#pragma once

#include <cstdint>
#include <vector>

#include "smsim/program.hpp"

namespace smsim {

/// Who asks: the same asker gets the same addresses.
struct Asker {
  std::uint64_t seed = 1;
  std::uint64_t warp = 0;   // in the grid
  std::uint64_t warps = 1;  // of the grid
  std::uint64_t count = 0;  // earlier executions of this access by this warp
  std::uint16_t access = 0;
  std::uint64_t local_offset = 0;  // local memory: bytes from the warp's frame
};

/// Where shared memory begins in generic addresses.
inline constexpr std::uint64_t kSharedBase = 0x00007f0000000000;

/// One address for each of `lanes` lanes, in lane order: full lines one after another for arrays
/// that are streamed through, any lines of the array where reuse is random; as many words of one
/// bank as there are passes.
void add_lane_addresses(const Program& program, const MemoryAccess& access, const Asker& asker,
                        std::uint8_t lanes, std::vector<std::uint64_t>& addresses);

}  // namespace smsim
