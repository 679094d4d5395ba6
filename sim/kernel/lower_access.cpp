// What a memory instruction asks of the memory system.
#include <fmt/format.h>

#include "sim/kernel/access_pattern.hpp"
#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

namespace {

AccessKind access_kind(OperationKind kind) {
  switch (kind) {
    case OperationKind::store:
      return AccessKind::store;
    case OperationKind::atomic:
      return AccessKind::atomic;
    case OperationKind::reduction:
      return AccessKind::reduction;
    case OperationKind::async_copy:
      return AccessKind::async_copy;
    case OperationKind::bulk_copy:
      return AccessKind::bulk_copy;
    default:
      return AccessKind::load;
  }
}

}  // namespace

std::uint16_t Lowering::make_access(const AccessSource& access, const ArraySource& array,
                                    const OperationInfo& info, SourcePosition at) {
  MemoryAccess made;
  made.space = array.space;
  if (info.family == "LD" && array.space == Space::shared) {
    made.space = Space::dsmem;
  }
  made.kind = access_kind(info.kind);
  made.bytes_per_thread = static_cast<std::uint8_t>(access.bytes);
  const bool on_chip = made.space == Space::shared;
  const Footprint footprint =
      on_chip ? shared_footprint(access.pattern, access.bytes)
              : global_footprint(access.pattern, access.bytes, array.array.bytes);
  made.lines = footprint.lines;
  made.sectors = footprint.sectors;
  made.wavefronts = footprint.wavefronts;
  made.scales_with_lanes = footprint.scales_with_lanes;
  made.l1_hit = access.l1_hit.value_or(-1);
  made.l2_hit = access.l2_hit.value_or(-1);
  made.array = static_cast<std::uint16_t>(&array - source_.arrays.data());
  made.distinct_addresses = access.addresses;
  if (access.lanes_per_address) {
    made.lanes_per_address = static_cast<std::uint16_t>(*access.lanes_per_address);
  } else if (access.addresses > 0 && access.addresses < 32) {
    made.lanes_per_address = static_cast<std::uint16_t>(32 / access.addresses);
  }
  if (access.aggregated) {
    made.lines = 1;
    made.sectors = 1;
    made.wavefronts = 1;
    made.lanes_per_address = 1;
    made.scales_with_lanes = false;
  }
  if (made.kind == AccessKind::bulk_copy) {
    made.bulk_bytes = static_cast<std::uint32_t>(access.copy_bytes);
    for (std::size_t number = 0; number < source_.mbarriers.size(); ++number) {
      if (source_.mbarriers[number].name == access.mbarrier) {
        made.mbarrier = static_cast<std::uint16_t>(number);
      }
    }
  }
  // All copies of a statement are one access: together they pass over their array.
  const auto [known, fresh] = access_of_.emplace(
      fmt::format("{}:{} {} {} {}", at.line, at.column, made.array, made.lines, made.wavefronts),
      0);
  if (fresh || at.line == 0) {
    known->second = add_access(made);
  }
  return known->second;
}

std::uint16_t Lowering::add_access(const MemoryAccess& access) {
  program_.tables.accesses.push_back(access);
  return static_cast<std::uint16_t>(program_.tables.accesses.size() - 1);
}

// Shared arrays lie one after the other.
std::int64_t Lowering::shared_offset(const ArraySource& array) const {
  std::int64_t offset = 0;
  for (const ArraySource& other : source_.arrays) {
    if (&other == &array) {
      break;
    }
    if (other.space == Space::shared) {
      offset += static_cast<std::int64_t>(other.array.bytes);
    }
  }
  return offset;
}

// What nvcc puts in front of an atomic that one lane does for its warp: who is active, how many,
// am I the first.
Operand Lowering::elect_lane() {
  const Operand active{new_value("active")};
  const Operand leader{new_value("leader")};
  const Operand count{new_value("count")};
  const Operand elected{new_value("elected", RegisterFile::predicate)};
  emit(draft("VOTE", "%d0, PT, PT", {active}));
  emit(draft("FLO", "%d0, %s0", {leader}, {active}));
  emit(draft("POPC", "%d0, %s0", {count}, {active}));
  emit(draft("ISETP.EQ.U32.AND", "%d0, PT, %s0, %s1, PT", {elected}, {leader, builtin("lane")}));
  return elected;
}

}  // namespace smsim::sass
