// Global memory instructions of a trace: lines and sectors by address, real caches.
#include <bit>

#include "sim/engine/sm.hpp"
#include "sim/kernel/random.hpp"

namespace smsim::engine {

// Returns how many requests have left for L2.
std::uint16_t Sm::send_recorded_lines(memory::Request request, const RecordedWarp& recorded,
                                      const QueueEntry& entry, Cycle ready) {
  constexpr std::uint64_t kLinesPerRow = 32;  // 4 KB of one DRAM row
  const RecordedAccess& access = recorded.accesses[entry.draw];
  std::uint16_t sent = 0;
  for (std::uint32_t i = 0; i < access.lines; ++i) {
    const RecordedLine& one = recorded.lines[access.first_line + i];
    request.key = mix(one.line);
    request.place = mix(one.line / kLinesPerRow, 1);
    request.line = one.line;
    request.word = one.word;
    request.sector_mask = one.sectors;
    request.lanes = one.lanes;
    auto sectors = static_cast<std::uint32_t>(std::popcount(one.sectors));
    if (request.kind == memory::RequestKind::load) {
      counters_.l1_load_sectors += sectors;
      request.sector_mask = l1_lines_.load(one.line, one.sectors);
      const auto missing = static_cast<std::uint32_t>(std::popcount(request.sector_mask));
      counters_.l1_load_hit_sectors += sectors - missing;
      if (missing == 0) continue;
      sectors = missing;
      outstanding_sectors_ += missing;
    }
    request.sectors = static_cast<std::uint8_t>(sectors);
    send(request, ready);
    ++sent;
  }
  return sent;
}

}  // namespace smsim::engine
