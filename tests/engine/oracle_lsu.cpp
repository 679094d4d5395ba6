// Queues into the units that an SM shares, and what comes back (rules 13 to 19).
#include <algorithm>

#include "sim/kernel/random.hpp"
#include "tests/engine/oracle_sm.hpp"

namespace smsim::test {
namespace {

std::uint32_t scaled(std::uint32_t amount, const MemoryAccess& access, std::uint8_t lanes) {
  if (!access.scales_with_lanes) return amount;
  return std::max(1U, (amount * lanes + 31) / 32);
}

bool is_load(const MemoryAccess& access) {
  return access.kind == AccessKind::load || access.kind == AccessKind::async_copy;
}

bool is_atomic(const MemoryAccess& access) {
  return access.kind == AccessKind::atomic || access.kind == AccessKind::reduction;
}

// What one execution touches: `part` in [0, 1) rounds the means of those that differ.
struct Touched {
  std::uint32_t lines = 1;
  std::uint32_t sectors = 1;
  std::uint32_t passes = 1;
};

Touched touched_by(const MemoryAccess& access, std::uint8_t lanes, double part) {
  const auto least = [part](double mean) {
    return std::max(1U, static_cast<std::uint32_t>(mean + part));
  };
  if (lanes == 0) return {0, 0, 1};
  Touched touched;
  touched.lines = scaled(access.lines, access, lanes);
  touched.sectors = scaled(access.sectors, access, lanes);
  touched.passes = scaled(access.wavefronts, access, lanes);
  if (access.mean_lines > 0) {
    touched.lines = least(access.mean_lines);
    touched.sectors = std::min(least(access.mean_sectors), 4 * touched.lines);
  }
  touched.sectors = std::max(touched.sectors, touched.lines);
  if (access.mean_wavefronts > 0) touched.passes = least(access.mean_wavefronts);
  const std::uint32_t meeting = std::min<std::uint32_t>(access.lanes_per_address, lanes);
  if (is_atomic(access)) touched.passes = std::max(touched.passes, meeting);
  return touched;
}

Cycle width_cycles(const MemoryAccess& access) {
  const bool shared = access.space == Space::shared;
  if (access.bytes_per_thread >= 16) return shared ? 3 : 6;
  if (access.bytes_per_thread >= 8) return shared ? 1 : 2;
  return 0;
}

Cycle at_least(int cycles, int minimum) {
  return static_cast<Cycle>(std::max(cycles, minimum));
}

bool takes_port(const Instruction& in) {
  return in.action == Action::memory || in.action == Action::mbarrier_arrive ||
         (in.action == Action::mio && in.pipe == Pipe::lsu);
}

// Rule 14: how long the port is taken.
Cycle port_time(const GpuSpec& gpu, const MemoryAccess* access, const Touched& touched) {
  const Cycle interval = at_least(gpu.mio.port_interval_cycles, 1);
  if (access == nullptr || access->kind == AccessKind::bulk_copy) return interval;
  if (access->space == Space::shared) {
    return interval +
           ((touched.passes - 1) * at_least(gpu.shared_memory.cycles_per_extra_wavefront, 0));
  }
  const Cycle tags = touched.lines * at_least(gpu.l1.cycles_per_tag, 0);
  const Cycle data = touched.sectors / at_least(gpu.l1.sectors_per_cycle, 1);
  const Cycle store =
      access->kind == AccessKind::store ? at_least(gpu.mio.store_port_cycles, 1) : 1;
  return std::max({interval, tags, data, store});
}

// Rule 13: how soon the next entry of the same queue is due.
Cycle interval_after(const GpuSpec& gpu, const Instruction& in, const MemoryAccess* access,
                     const Touched& touched) {
  if (!takes_port(in)) return at_least(gpu.mio.adu_interval_cycles, 1);
  const Cycle pass = at_least(gpu.mio.shared_interval_cycles, 1);
  if (access == nullptr) return pass;
  if (access->space == Space::shared) return pass * touched.passes;
  return at_least(access->kind == AccessKind::store ? gpu.mio.store_interval_cycles
                                                    : gpu.mio.load_interval_cycles,
                  1);
}

}  // namespace

double OracleSm::part_of(const OracleSub& sub, const OracleEntry& entry) {
  return unit_interval(mix(sub.warps[entry.slot].key, entry.number));
}

OracleSm::Head OracleSm::first_head(Queue which) const {
  Head head;
  for (std::uint8_t i = 0; i < kSubPartitions; ++i) {
    const OracleQueue& queue = subs[i].queues[which];
    if (queue.waiting.empty()) continue;
    const Cycle due = std::max(queue.waiting.front().issued + context_.machine.dispatch_latency,
                               queue.next_accept);
    if (due < head.due) head = {due, i};
  }
  return head;
}

// Rule 15.
bool OracleSm::sectors_fit(const Head& head) const {
  const auto most = static_cast<std::uint32_t>(gpu().l1.max_outstanding_sectors);
  const OracleEntry& entry = subs[head.sub].queues[kLgQueue].waiting.front();
  const MemoryAccess& access = program().accesses[program().code[entry.pc].operand];
  if (most == 0 || !is_load(access)) return true;
  const OracleSub& sub = subs[head.sub];
  const Touched touched = touched_by(access, entry.lanes, part_of(sub, entry));
  return outstanding_sectors_ + std::min(touched.sectors, most) <= most;
}

void OracleSm::accept(Cycle now, std::vector<OracleRequest>& requests) {
  for (OracleSub& sub : subs) {
    for (OracleQueue& queue : sub.queues)
      std::erase_if(queue.starts, [now](Cycle s) { return s <= now; });
  }
  while (true) {
    const Head lg = first_head(kLgQueue);
    const Head mio = first_head(kMioQueue);
    const bool lg_may = lg.due <= now && sectors_fit(lg);
    const bool mio_may = mio.due <= now;
    if (!lg_may && !mio_may) return;
    const bool lg_first = lg_may && (!mio_may || lg.sub <= mio.sub);
    accept_head(lg_first ? lg.sub : mio.sub, lg_first ? kLgQueue : kMioQueue, now, requests);
  }
}

void OracleSm::accept_head(std::uint8_t sub_index, Queue which, Cycle now,
                           std::vector<OracleRequest>& requests) {
  OracleSub& sub = subs[sub_index];
  OracleQueue& queue = sub.queues[which];
  const OracleEntry entry = queue.waiting.front();
  queue.waiting.pop_front();
  const Instruction& in = program().code[entry.pc];
  const MemoryAccess* access =
      in.action == Action::memory ? &program().accesses[in.operand] : nullptr;
  const Touched touched =
      access == nullptr ? Touched{} : touched_by(*access, entry.lanes, part_of(sub, entry));
  Cycle start = now;
  if (takes_port(in)) {
    const Cycle busy = port_time(gpu(), access, touched);
    start = std::max(now, port_free_);
    port_free_ = start + busy;
    counters.lsu_port_busy_cycles += busy;
  }
  queue.next_accept = start + interval_after(gpu(), in, access, touched);
  queue.starts.push_back(start);

  OracleWarp& warp = sub.warps[entry.slot];
  --warp.queued;
  const auto known = [&warp](std::uint8_t scoreboard, Cycle cycle) {
    if (scoreboard >= kScoreboards) return;
    OracleScoreboard& board = warp.scoreboards[scoreboard];
    --board.answers_missing;
    board.clear_at = std::max(board.clear_at, cycle);
  };
  known(in.read_scoreboard, start);
  const bool stores = access != nullptr &&
                      (access->kind == AccessKind::store || access->kind == AccessKind::reduction);
  const Cycle drain = stores && entry.lanes > 0 ? at_least(gpu().mio.store_drain_cycles, 0) : 0;
  warp.data_left = std::max(warp.data_left, start + drain);
  if (in.action == Action::mbarrier_arrive) {
    mbarrier_arrivals_.insert({start, {warp.block, in.operand}});
  } else if (access != nullptr && entry.lanes == 0) {
    known(in.write_scoreboard, start + context_.machine.shared_load_latency);
  } else if (access == nullptr) {
    const Cycle latency = in.latency_cycles;
    const Cycle dispatch = context_.machine.dispatch_latency;
    known(in.write_scoreboard, start + (latency > dispatch ? latency - dispatch : 1));
  } else if (access->space == Space::shared) {
    access_shared(warp, entry, start);
  } else {
    OracleRequest base;
    base.warp_id = warp.id;
    base.block = warp.block;
    base.request.block = warp.flow.block;
    base.request.access = in.operand;
    base.request.back.sm = static_cast<std::uint16_t>(index_);
    if (access->kind == AccessKind::bulk_copy) {
      bulk_copy(warp, base, entry, start, requests);
    } else {
      access_global(warp, base, entry, start, requests);
      const bool by_path = access->kind == AccessKind::store && access->space != Space::dsmem;
      if (by_path) warp.data_left = std::max(warp.data_left, to_cycle_up(store_path_free_));
    }
  }
}

void OracleSm::access_shared(OracleWarp& warp, const OracleEntry& entry, Cycle start) {
  const Instruction& in = program().code[entry.pc];
  const MemoryAccess& access = program().accesses[in.operand];
  const double part = unit_interval(mix(warp.key, entry.number));
  const std::uint32_t count = touched_by(access, entry.lanes, part).passes;
  counters.shared_wavefronts += count;
  counters.shared_wavefronts_ideal += std::max(1, access.bytes_per_thread / 4);
  if (in.write_scoreboard >= kScoreboards) return;
  const Cycle latency = is_atomic(access) ? context_.machine.shared_atomic_latency
                                          : context_.machine.shared_load_latency;
  const Cycle replays =
      (count - 1) * at_least(gpu().shared_memory.latency_per_extra_wavefront_cycles, 0);
  OracleScoreboard& board = warp.scoreboards[in.write_scoreboard];
  --board.answers_missing;
  board.clear_at = std::max(board.clear_at, start + latency + replays + width_cycles(access));
}

// DRAM rows: 32 consecutive lines of a streamed array; other lines lie anywhere.
std::uint64_t OracleSm::place_of(const MemoryAccess& access, const WarpFlow& flow,
                                 std::uint32_t number, std::uint64_t line,
                                 std::uint64_t key) const {
  const bool streamed = access.array < program().arrays.size() &&
                        program().arrays[access.array].reuse == Array::Reuse::streaming;
  if (!streamed) return mix(key, 1);
  const std::uint64_t warp = (flow.block * context_.shape.warps_per_block) + flow.warp;
  return mix((std::uint64_t{number} << 16U) + access.array, ((warp * access.lines) + line) / 32);
}

void OracleSm::access_global(OracleWarp& warp, OracleRequest base, const OracleEntry& entry,
                             Cycle start, std::vector<OracleRequest>& requests) {
  const Instruction& in = program().code[entry.pc];
  const MemoryAccess& access = program().accesses[in.operand];
  const bool load = is_load(access);
  const bool remote = access.space == Space::dsmem;
  const bool returns = load || access.kind == AccessKind::atomic;
  const Touched touched =
      touched_by(access, entry.lanes, unit_interval(mix(warp.key, entry.number)));
  const std::uint32_t lines = touched.lines;
  const std::uint32_t sectors = touched.sectors;
  base.request.kind = remote              ? memory::RequestKind::dsmem
                      : load              ? memory::RequestKind::load
                      : is_atomic(access) ? memory::RequestKind::atomic
                                          : memory::RequestKind::store;
  base.request.lanes = static_cast<std::uint8_t>(std::max(1U, entry.lanes / lines));
  base.request.back.holds_block = !returns;
  base.request.back.acknowledge = !load;
  if (returns) base.request.back.scoreboard = in.write_scoreboard;
  base.counts_as_outstanding = load && !remote;
  const std::uint64_t key = mix(warp.key, entry.number);
  for (std::uint32_t line = 0; line < lines; ++line) {
    // Sectors are spread over the lines as evenly as possible, the first lines get more.
    const std::uint32_t part = sectors / lines + (line < sectors % lines ? 1 : 0);
    OracleRequest one = base;
    one.request.key = mix(key + line);
    one.request.place = place_of(access, warp.flow, entry.number, line, one.request.key);
    one.request.sectors = static_cast<std::uint8_t>(part);
    if (load && !remote) {
      counters.l1_load_sectors += part;
      if (l1_.hit(in.operand, one.request.key)) {
        counters.l1_load_hit_sectors += part;
        const bool pending = gpu().l1.hit_on_miss && access.l1_pending > 0 &&
                             unit_interval(mix(one.request.key, 0x70656e64)) < access.l1_pending;
        if (!pending) continue;
        one.request.sectors = 0;
        one.counts_as_outstanding = false;
        if (one.request.back.scoreboard < kScoreboards) {
          ++warp.scoreboards[in.write_scoreboard].answers_missing;
        }
        send(one, start + context_.machine.l1_miss_latency, requests);
        continue;
      }
      outstanding_sectors_ += part;
    }
    const bool drawn_store = access.kind == AccessKind::store && !remote && access.l1_hit > 0;
    if (drawn_store && l1_.hit(in.operand, one.request.key)) continue;
    if (one.request.back.scoreboard < kScoreboards) {
      ++warp.scoreboards[in.write_scoreboard].answers_missing;
    }
    if (one.request.back.acknowledge) ++warp.unacknowledged;
    if (one.request.back.holds_block) ++blocks_[warp.block].stores_left;
    send(one, start + context_.machine.l1_miss_latency, requests);
  }
  if (access.kind == AccessKind::store) {
    counters.l1_store_sectors += sectors;
    const bool loaded_somewhere = std::any_of(
        program().accesses.begin(), program().accesses.end(), [&access](const MemoryAccess& other) {
          return other.kind == AccessKind::load && access.array != kNoArray &&
                 other.array == access.array;
        });
    if (loaded_somewhere) counters.l1_store_hit_sectors += sectors;
  }
  if (in.write_scoreboard >= kScoreboards) return;
  OracleScoreboard& board = warp.scoreboards[in.write_scoreboard];
  --board.answers_missing;
  board.clear_at =
      std::max(board.clear_at, start + context_.machine.l1_hit_latency + width_cycles(access));
}

void OracleSm::bulk_copy(OracleWarp& warp, OracleRequest base, const OracleEntry& entry,
                         Cycle start, std::vector<OracleRequest>& requests) {
  const Instruction& in = program().code[entry.pc];
  const MemoryAccess& access = program().accesses[in.operand];
  const std::uint32_t lines = std::max(1U, (access.bulk_bytes + 127) / 128);
  base.copy = static_cast<std::uint32_t>(copies_.size());
  base.request.back.to_mbarrier = true;
  base.request.sectors = 4;
  copies_.push_back(lines);
  const std::uint64_t key = mix(warp.key, entry.number);
  for (std::uint32_t line = 0; line < lines; ++line) {
    base.request.key = mix(key + line);
    base.request.place = place_of(access, warp.flow, entry.number, line / 32, base.request.key);
    send(base, start + context_.machine.l1_miss_latency, requests);
  }
  if (in.write_scoreboard >= kScoreboards) return;
  OracleScoreboard& board = warp.scoreboards[in.write_scoreboard];
  --board.answers_missing;
  board.clear_at = std::max(board.clear_at, start + 1);
}

// Rule 17.
void OracleSm::send(OracleRequest request, Cycle ready, std::vector<OracleRequest>& requests) {
  const bool store = request.request.kind == memory::RequestKind::store;
  Tick& path_free = store ? store_path_free_ : load_path_free_;
  const Tick sector =
      store ? context_.machine.store_sector_ticks : context_.machine.load_sector_ticks;
  const Tick leaves = std::max(to_ticks(ready), path_free);
  path_free = leaves + (sector * request.request.sectors);
  request.request.time = to_cycle_up(leaves);
  requests.push_back(request);
}

}  // namespace smsim::test
