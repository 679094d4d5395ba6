// What an SM sends to the memory system shared by the GPU.
#pragma once

#include <cstdint>

#include "sim/arch/time.hpp"
#include "smsim/program.hpp"

namespace smsim::memory {

enum class RequestKind : std::uint8_t {
  load,
  store,
  atomic,  // with or without result
  dsmem    // load from another SM's shared memory
};

// Where the answer goes.
struct ReturnPath {
  std::uint32_t generation = 0;  // of the slot: answers to a warp that has gone are dropped
  std::uint16_t sm = 0;
  std::uint8_t sub = 0;
  std::uint8_t slot = 0;
  std::uint8_t block_slot = 0;
  std::uint8_t scoreboard = kNoScoreboard;
  bool holds_block = false;  // the block's room is free only after the answer
  bool acknowledge = false;  // the warp counts its unacknowledged stores
  bool to_mbarrier = false;  // bulk copy: arrives on the access's mbarrier
  std::uint16_t copy = 0;    // bulk copy: which of the SM's
};

inline constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

struct Request {
  Cycle time = 0;         // leaves the SM
  std::uint64_t key = 0;  // random: decides slice, address, hit
  // Random, the same for all lines of one DRAM row: decides partition, channel, bank.
  std::uint64_t place = 0;
  std::uint64_t block = 0;
  ReturnPath back;
  RequestKind kind = RequestKind::load;
  std::uint8_t sectors = 4;
  std::uint8_t lanes = 32;
  std::uint16_t access = 0;  // Program::accesses
  // With a trace: the 128-byte line, its sectors, and the lowest word that is touched.
  std::uint64_t line = kNoLine;
  std::uint8_t sector_mask = 0;
  std::uint8_t word = 0;
};

}  // namespace smsim::memory
