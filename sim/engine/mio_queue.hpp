// One instruction queue between a sub-partition and the units that the SM shares.
//
// An instruction enters when it issues and holds its entry until the unit accepts it. The unit
// takes entries in order: the head is ready `dispatch_latency` after its issue, and not before the
// interval after the previous acceptance has passed. Acceptance is decided by the SM
// (sim/engine/sm.hpp), which sees all queues; an entry that is not accepted yet frees its room at
// kNever.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "sim/arch/time.hpp"
#include "sim/engine/decoded_program.hpp"

namespace smsim::engine {

struct QueueEntry {
  Cycle issued = 0;
  std::uint32_t pc = 0;
  std::uint32_t draw = 0;  // number of this access within its warp, for random draws
  std::uint8_t slot = 0;
  std::uint8_t lanes = 32;
};

struct MioQueue {
  std::uint8_t depth = 1;
  std::uint8_t next = 0;     // entry that the next issue takes
  std::uint8_t head = 0;     // oldest entry not accepted yet
  std::uint8_t waiting = 0;  // entries not accepted yet
  Cycle head_ready = kNever;
  Cycle next_accept = 0;
  std::array<Cycle, kQueueEntries> free_at{};
  std::array<QueueEntry, kQueueEntries> entries;

  // When the entry that the next issue needs becomes free.
  [[nodiscard]] Cycle room_at() const { return free_at[next]; }

  void push(const QueueEntry& entry, std::uint32_t dispatch_latency) {
    assert(waiting < depth);
    entries[next] = entry;
    free_at[next] = kNever;
    if (waiting == 0) head_ready = std::max(entry.issued + dispatch_latency, next_accept);
    ++waiting;
    next = static_cast<std::uint8_t>(next + 1 == depth ? 0 : next + 1);
  }

  // Accepts the head at `start`; the next entry may follow `interval` later.
  QueueEntry pop(Cycle start, std::uint32_t interval, std::uint32_t dispatch_latency) {
    const QueueEntry entry = entries[head];
    free_at[head] = start;
    next_accept = start + interval;
    head = static_cast<std::uint8_t>(head + 1 == depth ? 0 : head + 1);
    --waiting;
    head_ready =
        waiting == 0 ? kNever : std::max(entries[head].issued + dispatch_latency, next_accept);
    return entry;
  }
};

}  // namespace smsim::engine
