// What a memory instruction asks of the memory system.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

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
  const LaneOffsets lanes = lane_offsets(access, at);
  const Footprint footprint =
      on_chip ? shared_footprint(access.pattern, access.bytes, lanes)
              : global_footprint(access.pattern, access.bytes, array.array.bytes, lanes);
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
  const auto [known, fresh] =
      access_of_.emplace(fmt::format("{}:{} {} {} {} {}", at.line, at.column, made.array,
                                     made.lines, made.wavefronts, static_cast<int>(made.kind)),
                         0);
  if (fresh || at.line == 0) {
    known->second = add_access(made);
  }
  return known->second;
}

// A flag or a queue's counter: read and written past L1.
MemoryAccess Lowering::one_word(AccessKind kind, QueueOp op) {
  MemoryAccess access;
  access.kind = kind;
  access.sectors = 1;
  access.scales_with_lanes = false;
  access.l2_hit = 1;
  access.queue_op = op;
  return access;
}

// Where the index puts the lanes of a block's first warp. What the author computed is taken to be
// the same for all lanes beside a thread number, else to be a thread number itself.
LaneOffsets Lowering::lane_offsets(const AccessSource& access, SourcePosition at) {
  LaneOffsets lanes{};
  std::int64_t unknown = 0;
  for (const IndexSource::Term& term : access.index.terms) {
    const auto value = values_.find(term.name);
    const bool item = value != values_.end() && lane_numbers_.count(value->second) > 0;
    if (item || (value == values_.end() && is_builtin_name(term.name))) {
      for (std::uint64_t lane = 0; lane < lanes.size(); ++lane) {
        lanes[lane] += term.factor * thread_number(item ? "i" : term.name, lane);
      }
    } else if (!is_uniform(term.name)) {
      unknown = term.factor;
    }
  }
  const std::int64_t step = lanes[1] - lanes[0];
  if (unknown == 0 || (step != 0 && lanes == evenly_spaced(step))) return lanes;
  const bool told = access.pattern.kind != PatternSource::Kind::from_index ||
                    access.pattern.sectors || access.pattern.conflict;
  if (step == 0 && std::abs(unknown) != 1 && !told) {
    const std::string note = fmt::format(
        "line {}: how far apart the lanes of {} lie is not known, as its index was computed; "
        "neighbours are assumed (stride: or pattern: says otherwise)",
        at.line, access.array);
    if (std::find(program_.notes.begin(), program_.notes.end(), note) == program_.notes.end()) {
      program_.notes.push_back(note);
    }
  }
  return evenly_spaced(1);
}

// Loop indices and kernel arguments.
bool Lowering::is_uniform(const std::string& name) const {
  const auto& scalars = source_.scalars;
  return values_.count(name) == 0 &&
         (std::find(scalars.begin(), scalars.end(), name) != scalars.end() ||
          std::any_of(loops_.begin(), loops_.end(),
                      [&name](const LoopScope& loop) { return loop.index == name; }));
}

// A lane of a block's first warp: its thread number against the first lane's. The last dimension
// goes on where the block has fewer threads than a warp.
std::int64_t Lowering::thread_number(const std::string& name, std::uint64_t lane) const {
  const Dim3& block = source_.launch.block;
  const bool planes = block.z > 1;
  const bool rows = planes || block.y > 1;
  const std::uint64_t row = rows ? lane / block.x : 0;
  std::uint64_t number = 0;
  if (name == "lane") {
    number = lane;
  } else if (name == "i" || name == "tid") {
    number = rows ? lane % block.x : lane;
  } else if (name == "j" || name == "tid_y") {
    number = planes ? row % block.y : row;
  } else if (name == "tid_z" && planes) {
    number = row / block.y;
  }
  return static_cast<std::int64_t>(number);
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
