// What a warp-scheduling policy may look at. Warps are named by their slot (0..15) in the
// sub-partition.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace smsim::engine {

inline constexpr std::uint8_t kNoWarp = 0xff;

using WarpMask = std::uint16_t;

constexpr WarpMask bit_of(std::uint8_t slot) {
  return static_cast<WarpMask>(1U << slot);
}

struct WarpView {
  std::uint8_t last = kNoWarp;  // slot that issued last; kNoWarp when that warp has exited
  std::uint8_t count = 0;       // resident warps
  std::array<std::uint8_t, 16>
      by_age{};  // their slots, oldest first (by block, then by warp number)
  std::array<std::uint8_t, 16> by_block{};  // oldest block first, in a block the highest warp first
  std::array<WarpMask, 16> mates{};         // by slot: the slots of its block, its own included
  std::array<std::uint8_t, 16> block_of{};  // by slot: its block, 0..63
  std::array<std::uint8_t, 64> turn{};      // by block: slot that issued last; kSlots: none yet

  static constexpr std::uint8_t kSlots = 16;

  void issues(std::uint8_t slot) {
    last = slot;
    turn[block_of[slot]] = slot;
  }
  void add_block(std::uint8_t block, WarpMask slots) {
    turn[block] = kSlots;
    for (std::uint32_t bits = slots; bits != 0; bits &= bits - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(bits));
      mates[slot] = slots;
      block_of[slot] = block;
    }
  }
  void remove_from_block(std::uint8_t slot) {
    for (std::uint32_t bits = mates[slot]; bits != 0; bits &= bits - 1) {
      WarpMask& others = mates[static_cast<std::size_t>(std::countr_zero(bits))];
      others = static_cast<WarpMask>(others & ~bit_of(slot));
    }
  }
};

// `mask` has at least one bit set in all of these.
inline std::uint8_t oldest_of(WarpMask mask, const WarpView& view) {
  for (std::uint8_t i = 0; i < view.count; ++i) {
    if ((mask & bit_of(view.by_age[i])) != 0) return view.by_age[i];
  }
  return static_cast<std::uint8_t>(std::countr_zero(mask));
}

inline std::uint8_t youngest_of(WarpMask mask, const WarpView& view) {
  for (std::uint8_t i = view.count; i-- > 0;) {
    if ((mask & bit_of(view.by_age[i])) != 0) return view.by_age[i];
  }
  return static_cast<std::uint8_t>(std::countr_zero(mask));
}

// First slot after `slot` in cyclic order.
inline std::uint8_t next_after(std::uint8_t slot, WarpMask mask) {
  const auto above = static_cast<WarpMask>(mask & ~((2U << slot) - 1U));
  return static_cast<std::uint8_t>(std::countr_zero(above != 0 ? above : mask));
}

}  // namespace smsim::engine
