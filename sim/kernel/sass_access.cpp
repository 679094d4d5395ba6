#include "sim/kernel/sass_access.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/sass_operands.hpp"

namespace smsim::sass {

namespace {

constexpr std::uint64_t kWithoutEnd = std::uint64_t{1} << 50U;  // bytes that nobody writes twice
constexpr double kMostLines = 32;
constexpr double kMostWavefronts = 1024;

AccessKind access_kind(SassKind kind) {
  switch (kind) {
    case SassKind::store:
      return AccessKind::store;
    case SassKind::atomic:
      return AccessKind::atomic;
    case SassKind::reduction:
      return AccessKind::reduction;
    case SassKind::async_copy:
      return AccessKind::async_copy;
    case SassKind::bulk_copy:
      return AccessKind::bulk_copy;
    default:
      return AccessKind::load;
  }
}

MemoryEffect effect_of(SassKind kind) {
  if (kind == SassKind::load) return MemoryEffect::load;
  return kind == SassKind::store ? MemoryEffect::store : MemoryEffect::fence;
}

// Several lanes in each sector: addresses follow a pattern.
bool lanes_share_sectors(const MemoryAccess& access, double sectors) {
  constexpr double kSectorBytes = 32;
  constexpr double kUsed = 0.55;  // a lane alone uses at most half of its sector
  return 32.0 * access.bytes_per_thread > kUsed * kSectorBytes * sectors;
}

// Full lines in a row lie in DRAM rows one after the other; what is scattered lies anywhere.
bool streams(const MemoryAccess& access) {
  const double lines = access.mean_lines > 0 ? access.mean_lines : access.lines;
  const double sectors = access.mean_lines > 0 ? access.mean_sectors : access.sectors;
  return access.space == Space::global &&
         (touches_full_lines(lines, sectors) || lanes_share_sectors(access, sectors));
}

std::uint16_t streamed_array(std::uint32_t offset, Program& tables) {
  Array array;
  array.name = fmt::format("{:#x}", offset);
  array.bytes = kWithoutEnd;
  tables.arrays.push_back(array);
  return static_cast<std::uint16_t>(tables.arrays.size() - 1);
}

// Bulk copies announce themselves to an mbarrier; whoever waits for them polls it.
std::uint16_t nobodys_mbarrier(Program& tables) {
  if (tables.mbarriers.empty()) {
    Mbarrier mbarrier;
    mbarrier.name = "bulk copies";
    tables.mbarriers.push_back(mbarrier);
  }
  return 0;
}

std::uint16_t acting(double share, Program& tables) {
  Condition condition;
  condition.kind = Condition::Kind::fraction;
  condition.scope = Scope::visit;
  condition.fraction = share;
  tables.conditions.push_back(condition);
  return static_cast<std::uint16_t>(tables.conditions.size() - 1);
}

}  // namespace

void access_memory(const SassLine& line, std::string_view mnemonic, const SassOperation& operation,
                   Program& tables, Draft& draft) {
  const SassAccess& numbers = line.access;
  MemoryAccess access;
  access.space = operation.space;
  access.kind = access_kind(operation.kind);
  const int bytes = bytes_per_thread(mnemonic);
  access.bytes_per_thread = static_cast<std::uint8_t>(bytes);
  access.lines = static_cast<std::uint16_t>(std::max(1, bytes / 4));
  access.sectors = static_cast<std::uint16_t>(bytes);
  access.wavefronts = access.lines;
  access.scales_with_lanes = false;
  access.mean_lines = std::min(numbers.lines, kMostLines);
  access.mean_sectors = numbers.sectors;
  access.mean_wavefronts = std::min(numbers.wavefronts, kMostWavefronts);
  access.l1_hit = numbers.l1_hit;
  access.l1_pending = numbers.l1_pending;
  access.l2_hit = numbers.l2_hit;
  access.l2_far = numbers.l2_far;
  access.dram_fill = numbers.dram_fill;
  access.dirty_share = numbers.dirty;
  access.partial_share = numbers.partial;
  access.compares = has_modifier(mnemonic, "CAS");
  if (numbers.dsmem) access.space = Space::dsmem;
  access.distinct_addresses = numbers.addresses;
  access.lanes_per_address = numbers.lanes_per_address;
  const bool atomic = operation.kind == SassKind::atomic || operation.kind == SassKind::reduction;
  if (!atomic && streams(access)) access.array = streamed_array(line.offset, tables);
  if (operation.kind == SassKind::bulk_copy) {
    access.bulk_bytes = std::max(1U, numbers.bulk_bytes);
    access.mbarrier = nobodys_mbarrier(tables);
  }
  if (numbers.acting < 1) draft.predicate = acting(numbers.acting, tables);
  draft.action = Action::memory;
  draft.operand = static_cast<std::uint16_t>(tables.accesses.size());
  draft.reads_late = true;
  draft.effect = effect_of(operation.kind);
  tables.accesses.push_back(access);
}

}  // namespace smsim::sass
