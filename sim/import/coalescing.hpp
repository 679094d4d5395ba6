// From the addresses of a warp's lanes to lines, sectors and passes.
#pragma once

#include <cstdint>
#include <span>

#include "smsim/trace.hpp"

namespace smsim {

/// Global memory: adds the access and its lines to `warp`. `width_bytes` are those of one lane.
void record_global(std::span<const std::uint64_t> addresses, std::uint32_t width_bytes,
                   RecordedWarp& warp);

/// Local memory lies interleaved: what the lanes of a warp have at one offset is one line.
/// `warp_number` keeps the warps apart.
void record_local(std::span<const std::uint64_t> addresses, std::uint32_t width_bytes,
                  std::uint64_t warp_number, RecordedWarp& warp);

/// Shared memory: 32 banks of 4-byte words. Lanes that read one word share a pass; with `atomic`
/// they take one each.
void record_shared(std::span<const std::uint64_t> addresses, std::uint32_t width_bytes, bool atomic,
                   RecordedWarp& warp);

}  // namespace smsim
