// From the sub-partitions' queues into the units that the SM shares: LSU port, shared memory, L1.
#include <algorithm>
#include <bit>

#include "sim/engine/sm.hpp"
#include "sim/kernel/random.hpp"

namespace smsim::engine {
namespace {

bool later(Cycle a, Cycle b) {
  return a > b;
}

bool is_load(AccessKind kind) {
  return kind == AccessKind::load || kind == AccessKind::async_copy;
}

// Wider results take longer to write back (8 and 16 bytes per thread), measured on H200: LDS.64 26
// and LDS.128 32 cycles against 23, of which 2 and 6 are their second to fourth wavefront; LDG.64
// 34 and LDG.128 38 against 32.
Cycle width_cycles(const MemoryAccess& access) {
  if (access.bytes_per_thread < 8) return 0;
  if (access.space == Space::shared) return access.bytes_per_thread < 16 ? 1 : 3;
  return access.bytes_per_thread < 16 ? 2 : 6;
}

}  // namespace

Footprint Sm::footprint_of(const SubPartition& sub, const QueueEntry& entry,
                           const MemoryAccess& access) {
  const RecordedWarp* recorded = sub.flow[entry.slot].recorded;
  if (recorded != nullptr && entry.lanes > 0) {
    const RecordedAccess& one = recorded->accesses[entry.draw];
    Footprint touched{one.lines, 0, one.passes};
    for (std::uint32_t i = 0; i < one.lines; ++i) {
      touched.sectors +=
          static_cast<std::uint32_t>(std::popcount(recorded->lines[one.first_line + i].sectors));
    }
    return touched;
  }
  const bool varies = access.mean_lines > 0 || access.mean_wavefronts > 0;
  return footprint(access, entry.lanes, varies ? mix(sub.warp_key[entry.slot], entry.draw) : 0);
}

// The older head goes first; at the same age the lower sub-partition, there LG before MIO.
void Sm::accept_until(Cycle limit, Cycle end) {
  while (true) {
    const Head lg = next_head(kLgQueue);
    const Head mio = next_head(kMioQueue);
    Cycle lg_ready = lg.ready;
    if (lg.ready < limit && context_.machine.gpu.l1.max_outstanding_sectors > 0) {
      lg_ready = std::max(lg.ready, credit_gate(lg, end));
    }
    const bool lg_first = lg_ready != mio.ready ? lg_ready < mio.ready : lg.sub <= mio.sub;
    const Cycle ready = lg_first ? lg_ready : mio.ready;
    if (ready >= limit) return;
    accept(lg_first ? lg.sub : mio.sub, lg_first ? kLgQueue : kMioQueue, ready);
  }
}

Sm::Head Sm::next_head(Queue queue) const {
  const Cycle* due = &due_[static_cast<std::size_t>(queue) * kSubPartitions];
  Head head;
  for (std::uint8_t i = 0; i < kSubPartitions; ++i) {
    if (due[i] < head.ready) head = {due[i], i};
  }
  return head;
}

// When the head's sectors fit under the limit of outstanding sectors; kNever: not in this window.
Cycle Sm::credit_gate(const Head& head, Cycle end) {
  const MioQueue& queue = subs_[head.sub].queue[kLgQueue];
  const QueueEntry& entry = queue.entries[queue.head];
  const Op& op = context_.decoded.ops[entry.pc];
  if (op.action != Action::memory) return 0;
  const MemoryAccess& access = context_.program.accesses[op.operand];
  if (!is_load(access.kind)) return lg_gate_;
  const auto most = static_cast<std::uint32_t>(context_.machine.gpu.l1.max_outstanding_sectors);
  const std::uint32_t need = std::min(footprint_of(subs_[head.sub], entry, access).sectors, most);
  const auto earliest_first = [](const Credit& a, const Credit& b) {
    return later(a.cycle, b.cycle);
  };
  while (!credits_.empty() &&
         (credits_.front().cycle <= head.ready || outstanding_sectors_ + need > most)) {
    if (credits_.front().cycle >= end) break;
    if (credits_.front().cycle > head.ready) lg_gate_ = std::max(lg_gate_, credits_.front().cycle);
    outstanding_sectors_ -= credits_.front().sectors;
    std::pop_heap(credits_.begin(), credits_.end(), earliest_first);
    credits_.pop_back();
  }
  lg_closed_ = outstanding_sectors_ + need > most;
  return lg_closed_ ? kNever : lg_gate_;
}

Cycle Sm::take_port(Cycle earliest, Cycle busy) {
  const Cycle start = std::max(earliest, port_free_);
  port_free_ = start + busy;
  counters_.lsu_port_busy_cycles += busy;
  return start;
}

void Sm::accept(std::uint8_t sub_index, Queue kind, Cycle earliest) {
  SubPartition& sub = subs_[sub_index];
  MioQueue& queue = sub.queue[kind];
  const QueueEntry& head = queue.entries[queue.head];
  const Op& op = context_.decoded.ops[head.pc];
  std::uint32_t interval = op.entry_interval;
  std::uint32_t busy = op.port_cycles;
  if (op.action == Action::memory && (head.lanes < 32 || op.varies)) [[unlikely]] {
    const Instruction& in = context_.program.code[head.pc];
    const Footprint touched = footprint_of(sub, head, context_.program.accesses[op.operand]);
    interval = entry_interval(in, context_.program, context_.machine, touched);
    busy = port_cycles(in, context_.program, context_.machine, touched);
  }
  const Cycle start = op.uses_port ? take_port(earliest, busy) : earliest;
  const QueueEntry entry = queue.pop(start, interval, context_.machine.dispatch_latency);
  due_[(kind * kSubPartitions) + sub_index] = queue.head_ready;
  const Hazard hazard = kind == kLgQueue ? Hazard::lg_queue : Hazard::mio_queue;
  sub.free_at[static_cast<std::size_t>(hazard)] = queue.room_at();
  --sub.queued[entry.slot];
  if (op.read_scoreboard < kScoreboards) {
    sub.resolve(context_, entry.slot, op.read_scoreboard, start);
  }
  if (op.action == Action::memory && entry.lanes > 0) {
    access_memory(sub, entry, op, start);
    return;
  }
  if (op.action == Action::mbarrier_arrive) {
    expect_mbarrier_arrival(
        {start, op.operand, sub.block_slot[entry.slot], sub.flow[entry.slot].block});
  } else if (op.write_scoreboard < kScoreboards) {
    const Cycle latency =
        op.action == Action::memory ? context_.machine.shared_load_latency : op.latency;
    sub.resolve(context_, entry.slot, op.write_scoreboard, start + latency);
  }
  finish_entry(sub, entry.slot, start);
}

void Sm::access_memory(SubPartition& sub, const QueueEntry& entry, const Op& op, Cycle start) {
  const MemoryAccess& access = context_.program.accesses[op.operand];
  if (access.space == Space::shared) {
    access_shared(sub, entry, op, access, start);
  } else if (access.kind == AccessKind::bulk_copy) {
    bulk_copy(sub, entry, op, access, start);
  } else {
    access_global(sub, entry, op, access, start);
  }
  const bool stores = access.kind == AccessKind::store || access.kind == AccessKind::reduction;
  const auto drain = static_cast<Cycle>(context_.machine.gpu.mio.store_drain_cycles);
  const bool by_path = access.kind == AccessKind::store &&
                       (access.space == Space::global || access.space == Space::local);
  const Cycle sent = by_path ? to_cycle_up(store_path_free_) : 0;
  finish_entry(sub, entry.slot, stores ? std::max(start + drain, sent) : start);
}

void Sm::access_shared(SubPartition& sub, const QueueEntry& entry, const Op& op,
                       const MemoryAccess& access, Cycle start) {
  const SharedMemorySpec& spec = context_.machine.gpu.shared_memory;
  const std::uint32_t count = footprint_of(sub, entry, access).passes;
  counters_.shared_wavefronts += count;
  counters_.shared_wavefronts_ideal += std::max(1U, access.bytes_per_thread / 4U);
  if (op.write_scoreboard >= kScoreboards) return;
  const Cycle latency = is_atomic(access.kind) ? context_.machine.shared_atomic_latency
                                               : context_.machine.shared_load_latency;
  const Cycle replays = (count - 1U) * static_cast<Cycle>(spec.latency_per_extra_wavefront_cycles);
  sub.resolve(context_, entry.slot, op.write_scoreboard,
              start + latency + replays + width_cycles(access));
}

// Lines of a streamed array lie one after the other, warp by warp; others lie anywhere.
std::uint64_t Sm::place_of(const MemoryAccess& access, const WarpFlow& flow, std::uint32_t draw,
                           std::uint32_t line, std::uint64_t key) const {
  if (access.array >= context_.program.arrays.size() ||
      context_.program.arrays[access.array].reuse != Array::Reuse::streaming) {
    return mix(key, 1);
  }
  const std::uint64_t warp = (flow.block * context_.shape.warps_per_block) + flow.warp;
  const std::uint64_t number = (warp * access.lines) + line;
  constexpr std::uint64_t kLinesPerRow = 32;  // 4 KB
  return mix((std::uint64_t{draw} << 16U) + access.array, number / kLinesPerRow);
}

memory::ReturnPath Sm::path_of(const SubPartition& sub, std::uint8_t slot) const {
  memory::ReturnPath path;
  path.sm = index_;
  path.sub = static_cast<std::uint8_t>(&sub - subs_.data());
  path.slot = slot;
  path.generation = sub.generation[slot];
  path.block_slot = sub.block_slot[slot];
  return path;
}

memory::Request Sm::request_of(const SubPartition& sub, const QueueEntry& entry, const Op& op,
                               const MemoryAccess& access) const {
  const bool loads = is_load(access.kind);
  memory::Request request;
  request.back = path_of(sub, entry.slot);
  request.block = sub.flow[entry.slot].block;
  request.access = op.operand;
  request.kind = access.space == Space::dsmem ? memory::RequestKind::dsmem
                 : loads                      ? memory::RequestKind::load
                 : is_atomic(access.kind)     ? memory::RequestKind::atomic
                                              : memory::RequestKind::store;
  if (loads || access.kind == AccessKind::atomic) request.back.scoreboard = op.write_scoreboard;
  request.back.holds_block = !loads && access.kind != AccessKind::atomic;
  request.back.acknowledge = !loads && context_.decoded.has_fences;
  return request;
}

void Sm::access_global(SubPartition& sub, const QueueEntry& entry, const Op& op,
                       const MemoryAccess& access, Cycle start) {
  const std::uint8_t slot = entry.slot;
  const Footprint touched = footprint_of(sub, entry, access);
  const memory::Request request = request_of(sub, entry, op, access);
  const Cycle ready = start + context_.machine.l1_miss_latency;
  const RecordedWarp* recorded = sub.flow[slot].recorded;
  const std::uint16_t sent = recorded != nullptr
                                 ? send_recorded_lines(request, *recorded, entry, ready)
                                 : send_drawn_lines(request, sub, entry, touched, ready);
  if (access.kind == AccessKind::store) {
    counters_.l1_store_sectors += touched.sectors;
    if (context_.decoded.store_hits[op.operand]) counters_.l1_store_hit_sectors += touched.sectors;
  }
  if (request.back.acknowledge)
    sub.unacknowledged[slot] = static_cast<std::uint16_t>(sub.unacknowledged[slot] + sent);
  if (op.write_scoreboard >= kScoreboards) return;
  if (request.back.scoreboard < kScoreboards) {
    sub.unresolved[slot][op.write_scoreboard] =
        static_cast<std::uint16_t>(sub.unresolved[slot][op.write_scoreboard] + sent);
  }
  sub.resolve(context_, slot, op.write_scoreboard,
              start + context_.machine.l1_hit_latency + width_cycles(access));
}

// Is the line of this L1 hit still on its way?
bool Sm::is_pending(const MemoryAccess& access, std::uint64_t key) const {
  constexpr std::uint64_t kSalt = 0x70656e64;
  return access.l1_pending > 0 && context_.machine.gpu.l1.hit_on_miss &&
         unit_interval(mix(key, kSalt)) < access.l1_pending;
}

// Returns how many requests have left for L2.
std::uint16_t Sm::send_drawn_lines(memory::Request request, const SubPartition& sub,
                                   const QueueEntry& entry, const Footprint& touched, Cycle ready) {
  const MemoryAccess& access = context_.program.accesses[request.access];
  const bool loads = request.kind == memory::RequestKind::load;
  const bool merges = request.kind == memory::RequestKind::store && access.l1_hit > 0;
  request.lanes = static_cast<std::uint8_t>(std::max(1U, entry.lanes / touched.lines));
  const std::uint64_t key = mix(sub.warp_key[entry.slot], entry.draw);
  std::uint32_t left = touched.sectors;
  std::uint16_t sent = 0;
  for (std::uint32_t line = 0; line < touched.lines; ++line) {
    const std::uint32_t part = (left + (touched.lines - line) - 1U) / (touched.lines - line);
    left -= part;
    request.key = mix(key + line);
    request.place = place_of(access, sub.flow[entry.slot], entry.draw, line, request.key);
    request.sectors = static_cast<std::uint8_t>(part);
    if (loads) {
      counters_.l1_load_sectors += part;
      if (access.l1_hit != 0 && l1_.hit(request.access, request.key)) {
        counters_.l1_load_hit_sectors += part;
        if (!is_pending(access, request.key)) continue;
        request.sectors = 0;  // waits for what another request brings
        send(request, ready);
        ++sent;
        continue;
      }
      outstanding_sectors_ += part;
    }
    // Sectors that an earlier store has opened already leave with it.
    if (merges && l1_.hit(request.access, request.key)) continue;
    send(request, ready);
    ++sent;
  }
  return sent;
}

void Sm::bulk_copy(SubPartition& sub, const QueueEntry& entry, const Op& op,
                   const MemoryAccess& access, Cycle start) {
  if (free_copies_.empty()) {
    free_copies_.push_back(static_cast<std::uint16_t>(copies_.size()));
    copies_.emplace_back();
  }
  const std::uint16_t index = free_copies_.back();
  free_copies_.pop_back();
  const std::uint32_t lines = std::max(1U, (access.bulk_bytes + 127U) / 128U);
  copies_[index] = {lines, 0, access.mbarrier, sub.block_slot[entry.slot],
                    sub.flow[entry.slot].block};
  memory::Request request;
  request.back = path_of(sub, entry.slot);
  request.back.to_mbarrier = true;
  request.back.copy = index;
  request.block = sub.flow[entry.slot].block;
  request.access = op.operand;
  request.sectors = 4;
  const std::uint64_t key = mix(sub.warp_key[entry.slot], entry.draw);
  for (std::uint32_t line = 0; line < lines; ++line) {
    request.key = mix(key + line);
    request.place = place_of(access, sub.flow[entry.slot], entry.draw, line / 32, request.key);
    send(request, start + context_.machine.l1_miss_latency);
  }
  if (op.write_scoreboard < kScoreboards) {
    sub.resolve(context_, entry.slot, op.write_scoreboard, start + 1);
  }
}

// The path between SM and L2 carries a sector at a time; answers use the other direction's time in
// advance.
void Sm::send(memory::Request request, Cycle ready) {
  const bool stores = request.kind == memory::RequestKind::store;
  Tick& free = stores ? store_path_free_ : load_path_free_;
  const Tick leaves = std::max(to_ticks(ready), free);
  const Tick sector =
      stores ? context_.machine.store_sector_ticks : context_.machine.load_sector_ticks;
  free = leaves + (sector * request.sectors);
  if (request.back.holds_block) ++blocks_[request.back.block_slot].stores_left;
  request.time = to_cycle_up(leaves);
  requests.push_back(request);
  ++unanswered_;
}

// The entry's data have left the registers at `done`.
void Sm::finish_entry(SubPartition& sub, std::uint8_t slot, Cycle done) {
  sub.store_done[slot] = std::max(sub.store_done[slot], done);
  if ((sub.parked & bit_of(slot)) == 0 || sub.queued[slot] != 0) return;
  if (sub.parked_for[slot] == Parked::exit) {
    sub.try_leave(slot);
  } else if (sub.parked_for[slot] == Parked::fence) {
    sub.try_fence(context_, slot);
  }
}

}  // namespace smsim::engine
