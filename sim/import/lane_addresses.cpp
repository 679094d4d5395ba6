#include "sim/import/lane_addresses.hpp"

#include <algorithm>

#include "sim/kernel/random.hpp"

namespace smsim {

namespace {

constexpr std::uint64_t kLineBytes = 128;
constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kGlobalBase = 0x00007e0000000000;
constexpr std::uint64_t kArrayBytes = std::uint64_t{1} << 36U;    // room for one array
constexpr std::uint64_t kUnknownBytes = std::uint64_t{1} << 30U;  // of accesses without an array

class LaneAddresses {
 public:
  LaneAddresses(const Program& program, const MemoryAccess& access, const Asker& asker)
      : program_(program), access_(access), asker_(asker) {}

  std::uint64_t of(std::uint64_t lane, std::uint64_t lanes) const {
    if (access_.space == Space::shared || access_.space == Space::dsmem) return shared(lane);
    if (access_.space == Space::local) return asker_.local_offset;
    if (access_.distinct_addresses > 0) return atomic(lane);
    const std::uint64_t sectors = std::max<std::uint64_t>(1, access_.sectors);
    const std::uint64_t sector = lane * sectors / std::max<std::uint64_t>(32, lanes);
    const std::uint64_t lines = std::max<std::uint64_t>(1, access_.lines);
    const std::uint64_t line = sector * lines / sectors;
    const std::uint64_t first_of_line = (line * sectors + lines - 1) / lines;
    const std::uint64_t first_lane = (sector * 32 + sectors - 1) / sectors;
    const std::uint64_t inside = (lane - std::min(lane, first_lane)) * access_.bytes_per_thread;
    return line_address(line) + (sector - first_of_line) * kSectorBytes + inside % kSectorBytes;
  }

 private:
  std::uint64_t base() const {
    const std::uint64_t array = access_.array == kNoArray ? program_.arrays.size() : access_.array;
    return kGlobalBase + array * kArrayBytes;
  }

  std::uint64_t line_address(std::uint64_t line) const {
    const bool known = access_.array < program_.arrays.size();
    const std::uint64_t bytes = known && program_.arrays[access_.array].bytes > 0
                                    ? std::min(program_.arrays[access_.array].bytes, kArrayBytes)
                                    : kUnknownBytes;
    const std::uint64_t lines = std::max<std::uint64_t>(1, bytes / kLineBytes);
    const bool streams = known && program_.arrays[access_.array].reuse == Array::Reuse::streaming;
    if (streams) {
      const std::uint64_t number =
          (asker_.count * asker_.warps + asker_.warp) * access_.lines + line;
      return base() + number % lines * kLineBytes;
    }
    const std::uint64_t key = mix(mix(asker_.seed, asker_.access, asker_.warp), asker_.count, line);
    return base() + below(key, lines) * kLineBytes;
  }

  // As many words of each bank as there are passes beyond those of the width.
  std::uint64_t shared(std::uint64_t lane) const {
    const std::uint64_t width = std::max<std::uint64_t>(4, access_.bytes_per_thread);
    const std::uint64_t phases = width / 4;
    const std::uint64_t ways =
        std::clamp<std::uint64_t>(access_.wavefronts / phases, 1, 32 / phases);
    const std::uint64_t together = 32 / phases / ways;  // lanes side by side
    if (together == 0) return kSharedBase + lane * kLineBytes;
    return kSharedBase + lane % together * width + lane / together * kLineBytes;
  }

  std::uint64_t atomic(std::uint64_t lane) const {
    const std::uint64_t group = lane / std::max<std::uint64_t>(1, access_.lanes_per_address);
    const std::uint64_t key =
        mix(mix(asker_.seed, asker_.access, asker_.warp), asker_.count, group);
    return base() + below(key, access_.distinct_addresses) * 4;
  }

  const Program& program_;
  const MemoryAccess& access_;
  const Asker& asker_;
};

}  // namespace

void add_lane_addresses(const Program& program, const MemoryAccess& access, const Asker& asker,
                        std::uint8_t lanes, std::vector<std::uint64_t>& addresses) {
  const LaneAddresses where(program, access, asker);
  for (std::uint8_t lane = 0; lane < lanes; ++lane) addresses.push_back(where.of(lane, lanes));
}

}  // namespace smsim
