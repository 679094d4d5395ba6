#include "sim/memory/memory_system.hpp"

#include <algorithm>
#include <limits>

#include "sim/kernel/random.hpp"
#include "sim/kernel/warp_flow.hpp"

namespace smsim::memory {
namespace {

constexpr std::uint64_t kSectorBytes = 32;
// L2 reads at least two sectors from DRAM (H200: validate/reference/h200/gather_dram, 64 bytes per
// random sector).
constexpr std::uint64_t kFillSectors = 2;
// A stored sector takes a slice twice as long as a loaded one (H200: write_back.csv, store_only of
// 8 to 24 MB, which DRAM does not see: 2,200 to 2,400 bytes a cycle, where loads get 4,600).
constexpr Tick kStoreSliceFactor = 2;
// One that is written in part, more than twice as long again (H200: micro_store_word_a_sector and
// transpose_naive, 2.8 to 2.9 cycles of a slice each).
constexpr double kPartialSliceCycles = 2.85;
constexpr std::uint64_t kWordsPerLine = 32;
// Apart from all other draws of a request.
constexpr std::uint64_t kFillSalt = 0x66696c6c;
constexpr std::uint64_t kFarSalt = 0x66617220;
constexpr std::uint64_t kQueueAddresses = 1ULL << 40U;  // queues and flags lie apart from arrays
constexpr std::uint64_t kFlagAddresses = 1ULL << 41U;
constexpr std::size_t kAddressSlots = 1U << 14U;  // distinct addresses told apart by the atomics

std::size_t at_least_one(int count) {
  return static_cast<std::size_t>(std::max(count, 1));
}

// Channel time of one 32-byte sector.
double sector_cycles(const GpuSpec& gpu) {
  const double bytes_per_second = gpu.dram.bandwidth_gbps * 1e9 * gpu.dram.efficiency;
  const double bytes_per_cycle = bytes_per_second / (gpu.clocks.sm_mhz * 1e6);
  const double per_channel = bytes_per_cycle / static_cast<double>(at_least_one(gpu.dram.channels));
  return per_channel > 0 ? kSectorBytes / per_channel : 0;
}

std::uint64_t l2_capacity(const GpuSpec& gpu) {
  const std::int64_t bytes =
      gpu.l2.effective_bytes > 0 ? gpu.l2.effective_bytes : gpu.l2.size_bytes;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
}

}  // namespace

MemorySystem::MemorySystem(const Machine& machine, const Program& program, const LaunchSpec& launch)
    : machine_(machine),
      program_(program),
      l2_(program, CacheModel::Level::l2, l2_capacity(machine.gpu), launch.warm_caches),
      l2_lines_(follows_trace(program) ? l2_capacity(machine.gpu) : 0),
      slice_free_(at_least_one(machine.gpu.l2.slices)),
      channels_(at_least_one(machine.gpu.dram.channels)),
      banks_(channels_.size() * at_least_one(machine.gpu.dram.banks_per_channel)),
      address_free_(kAddressSlots),
      flags_(program.flags),
      tickets_(program.queues.size()),
      written_bytes_(program.arrays.size() + 1) {
  const GpuSpec& gpu = machine.gpu;
  if (gpu.l2.slice_bytes_per_cycle > 0) {
    slice_sector_ticks_ = to_ticks(kSectorBytes / gpu.l2.slice_bytes_per_cycle);
  }
  slice_request_ticks_ = to_ticks(gpu.l2.slice_request_cycles);
  for (const MemoryAccess& access : program.accesses) {
    const double sectors = access.mean_sectors > 0 ? access.mean_sectors : access.sectors;
    constexpr double kWhole = 0.9;
    writes_in_part_.push_back(gpu.l2.completes_partial_sectors &&
                              32.0 * access.bytes_per_thread < kWhole * kSectorBytes * sectors);
  }
  owed_bytes_.assign(program.accesses.size(), 0);
  channel_sector_ticks_ = to_ticks(sector_cycles(gpu));
  channel_turned_ticks_ = to_ticks(sector_cycles(gpu) * gpu.dram.write_cost);
}

Answer MemorySystem::serve(const Request& request) {
  switch (request.kind) {
    case RequestKind::load:
      return serve_load(request);
    case RequestKind::store:
      return serve_store(request);
    case RequestKind::atomic:
      return serve_atomic(request);
    case RequestKind::dsmem:
      return {request.time +
                  std::max<Cycle>(static_cast<Cycle>(machine_.gpu.barrier.dsmem_latency_cycles),
                                  machine_.min_round_trip),
              0};
  }
  return {};
}

std::uint64_t MemorySystem::flag(std::int64_t index) const {
  return index < 0 ? std::numeric_limits<std::uint64_t>::max()
                   : flags_[static_cast<std::size_t>(index)];
}

// The slices of a partition lie at different distances.
Cycle MemorySystem::answer_at(const Request& request, Tick done, int extra) const {
  const int spread = machine_.gpu.l2.slice_spread_cycles;
  const auto slices = static_cast<int>(slice_free_.size());
  const auto slice = static_cast<int>(below(request.key, slice_free_.size()));
  const int offset = (spread * slice / slices) - (spread / 2);
  const auto latency = static_cast<int>(machine_.return_latency) + offset + extra;
  const Cycle arrival = to_cycle_up(done) + static_cast<Cycle>(std::max(latency, 1));
  return std::max(arrival, request.time + machine_.min_round_trip);
}

// Half of the lines have their home in the other partition: misses and atomics go there (for loads
// that hit see hit_extra).
int MemorySystem::far_extra(const Request& request) const {
  const bool far = machine_.gpu.l2.partitions > 1 && (request.place & 1U) != 0;
  return far ? machine_.gpu.l2.far_extra_cycles : 0;
}

// Lines that nobody of the SM's partition has read before are still in the other one.
int MemorySystem::hit_extra(const Request& request) const {
  const double far = program_.accesses[request.access].l2_far;
  const bool goes_there =
      machine_.gpu.l2.partitions > 1 && far > 0 && unit_interval(mix(request.key, kFarSalt)) < far;
  return goes_there ? machine_.gpu.l2.far_extra_cycles : 0;
}

// Looking up takes a slice its time, whatever is moved.
Tick MemorySystem::slice_ticks(std::uint64_t sectors) const {
  return std::max(slice_request_ticks_, slice_sector_ticks_ * sectors);
}

// Returns when slice number `slice` is done with the request.
Tick MemorySystem::serve_slice(const Request& request, std::uint64_t slice, Tick ticks) {
  const auto latency = static_cast<Cycle>(machine_.gpu.l2.request_latency_cycles);
  Tick& free = slice_free_[slice];
  const Tick start = std::max(to_ticks(request.time + latency), free);
  free = start + ticks;
  return free;
}

// Each bank is away for `refresh_cycles` of every refresh interval.
Tick MemorySystem::after_refresh(Tick start, std::size_t bank) const {
  const DramSpec& dram = machine_.gpu.dram;
  if (dram.refresh_interval_cycles <= 0) return start;
  const Tick interval = to_ticks(static_cast<Cycle>(dram.refresh_interval_cycles));
  const Tick phase = (start + (mix(bank) % interval)) % interval;
  const Tick away = to_ticks(static_cast<Cycle>(dram.refresh_cycles));
  return phase < away ? start + (away - phase) : start;
}

// The channel moves data in the order of arrival; a bank that is busy or away delays its own
// request only. Opening another row keeps the bank busy for a while; further lines of a row only
// take their transfer. As the controller serves open rows first, lines of the row before still find
// it open while it is in use.
// A write costs more where the channel has to turn round for it, after a read.
Tick MemorySystem::use_bank(std::uint64_t place, Tick arrive, std::uint64_t sectors, bool write) {
  const DramSpec& dram = machine_.gpu.dram;
  const std::size_t number = below(place, channels_.size());
  const std::size_t banks = banks_.size() / channels_.size();
  const std::size_t index = (number * banks) + below(mix(place), banks);
  Channel& channel = channels_[number];
  const bool turns = write && !channel.wrote;
  const Tick transfer = sectors * (turns ? channel_turned_ticks_ : channel_sector_ticks_);
  const Tick turn = std::max(arrive, channel.free);
  channel = {turn + transfer, write};
  Bank& bank = banks_[index];
  for (Row& row : bank.rows) {
    if (row.place != place || turn >= row.open_until) continue;
    row.data_free = std::max(row.data_free, turn) + transfer;
    return row.data_free;
  }
  const Tick start = after_refresh(std::max(turn, bank.free), index);
  bank.free = start + std::max(transfer, to_ticks(static_cast<Cycle>(dram.bank_busy_cycles)));
  bank.rows[1] = bank.rows[0];
  bank.rows[0] = {place, start + transfer, bank.free};
  return start + transfer;
}

// How many sectors DRAM sends for those that miss.
std::uint64_t MemorySystem::fill_sectors(const Request& request, const MemoryAccess& access) {
  if (access.dram_fill <= 0) return std::max<std::uint64_t>(request.sectors, kFillSectors);
  const double mean = request.sectors * access.dram_fill;
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(mean + unit_interval(mix(request.key, kFillSalt))));
}

// A request for nothing: what another request asked for a moment ago. It takes no time of a slice
// or a channel and finds the queues as they are.
Answer MemorySystem::wait_for_other(const Request& request) {
  const Tick at_slice = serve_slice(request, below(request.key, slice_free_.size()), 0);
  if (hits(request)) return {answer_at(request, at_slice, hit_extra(request)), 0};
  const std::size_t channel = below(request.place, channels_.size());
  const Tick data =
      std::max(at_slice, channels_[channel].free) + (kFillSectors * channel_sector_ticks_);
  return {answer_at(request, data, machine_.gpu.dram.latency_cycles + far_extra(request)), 0};
}

Tick MemorySystem::serve_dram(const Request& request, Tick arrive) {
  const std::uint64_t sectors = fill_sectors(request, program_.accesses[request.access]);
  counters_.dram_read_bytes += kSectorBytes * sectors;
  const Tick done = use_bank(request.place, arrive, sectors, false);
  reads_done_ = std::max(reads_done_, done);
  return done;
}

Answer MemorySystem::serve_load(const Request& request) {
  if (request.sectors == 0) return wait_for_other(request);
  const MemoryAccess& access = program_.accesses[request.access];
  const Tick at_slice =
      serve_slice(request, below(request.key, slice_free_.size()), slice_ticks(request.sectors));
  counters_.l2_read_sectors += request.sectors;
  Answer answer;
  if (hits(request)) {
    counters_.l2_read_hit_sectors += request.sectors;
    answer.arrival = answer_at(request, at_slice, hit_extra(request));
  } else {
    const int extra = machine_.gpu.dram.latency_cycles + far_extra(request);
    answer.arrival = answer_at(request, serve_dram(request, at_slice), extra);
  }
  if (access.queue_op != QueueOp::none) answer.value = apply(request, access, 0);
  ++counters_.load_requests;
  counters_.load_latency_cycles += answer.arrival - request.time;
  return answer;
}

// By address where there is one.
bool MemorySystem::hits(const Request& request) {
  if (request.line == kNoLine) return l2_.hit(request.access, request.key);
  return l2_lines_.load(request.line, request.sector_mask) == 0;
}

Answer MemorySystem::serve_store(const Request& request) {
  const MemoryAccess& access = program_.accesses[request.access];
  const Tick busy = writes_in_part_[request.access]
                        ? to_ticks(kPartialSliceCycles) * request.sectors
                        : slice_ticks(kStoreSliceFactor * request.sectors);
  const Tick at_slice = serve_slice(request, below(request.key, slice_free_.size()), busy);
  counters_.l2_write_sectors += request.sectors;
  counters_.l2_write_hit_sectors += request.sectors;
  if (request.line != kNoLine) l2_lines_.load(request.line, request.sector_mask);
  complete_sectors(request, access, at_slice);
  const Tick done = write_back(request, access, at_slice);
  if (access.queue_op != QueueOp::none) apply(request, access, 0);
  const auto unloaded = static_cast<Cycle>(machine_.gpu.l2.request_latency_cycles);
  const auto acknowledged = static_cast<Cycle>(machine_.gpu.l2.write_ack_cycles);
  return {to_cycle_up(done) + (acknowledged > unloaded ? acknowledged - unloaded : 0), 0};
}

// Operations on one address follow one another; those on one line share its slice.
Answer MemorySystem::serve_atomic(const Request& request) {
  const MemoryAccess& access = program_.accesses[request.access];
  const AtomicSpec& spec = machine_.gpu.atomic;
  // Among more addresses than these, requests hardly ever meet.
  const bool few = access.distinct_addresses > 0 && access.distinct_addresses <= kAddressSlots;
  const bool shared = few || access.queue_op != QueueOp::none || request.line != kNoLine;
  const std::uint64_t address = shared ? atomic_address(request, access) : 0;
  const std::uint64_t line = mix(atomic_slice(address / kWordsPerLine), access.array);
  // One address alone is bound by its own interval; several on a line make the slice do each sector
  // by itself.
  const bool alone = access.queue_op != QueueOp::none || access.distinct_addresses == 1;
  const bool compares = access.compares && spec.cas_interval_cycles > 0;
  const double interval = compares ? spec.cas_interval_cycles : spec.sector_interval_cycles;
  const Tick busy = alone ? slice_sector_ticks_ : to_ticks(interval) * request.sectors;
  const Tick at_slice =
      serve_slice(request, below(shared ? line : request.key, slice_free_.size()), busy);
  Tick done = at_slice;
  if (shared) {
    Tick& free = address_free_[mix(address, access.array) % kAddressSlots];
    const auto operations = std::min<unsigned>(request.lanes, access.lanes_per_address);
    const Tick start = std::max(at_slice, free);
    free = start + (to_ticks(spec.same_address_interval_cycles) * std::max(operations, 1U));
    done = free;
  }
  counters_.l2_atomic_operations += request.lanes;
  Answer answer;
  const int extra_sectors = spec.extra_sector_cycles * std::max(request.sectors - 1, 0);
  answer.arrival =
      answer_at(request, done, spec.extra_latency_cycles + extra_sectors + far_extra(request));
  answer.value = apply(request, access, (done - at_slice) / kTicksPerCycle);
  return answer;
}

// Neighbouring lines are in one slice by pairs, and a KB is in two slices (H200: atomics.csv, lines
// 128 bytes apart).
std::uint64_t MemorySystem::atomic_slice(std::uint64_t line) const {
  if (!machine_.gpu.atomic.near_lines_share_slice) return line;
  return ((line / 8) * 2) + ((line / 2) % 2);
}

// Queues and flags have an address of their own; other atomics draw one of the access's addresses.
std::uint64_t MemorySystem::atomic_address(const Request& request,
                                           const MemoryAccess& access) const {
  if (request.line != kNoLine) return (request.line * kWordsPerLine) + request.word;
  if (access.queue_op == QueueOp::pop) return kQueueAddresses + (kWordsPerLine * access.queue);
  if (access.queue_op != QueueOp::none) {
    const std::int64_t flag = flag_index(program_, access, request.block);
    return kFlagAddresses + static_cast<std::uint64_t>(std::max<std::int64_t>(flag, 0));
  }
  return below(mix(request.key, 2), access.distinct_addresses);
}

std::uint64_t MemorySystem::apply(const Request& request, const MemoryAccess& access,
                                  Cycle waited) {
  const std::int64_t flag = flag_index(program_, access, request.block);
  switch (access.queue_op) {
    case QueueOp::pop:
      ++counters_.queue_pops;
      counters_.queue_wait_cycles += waited;
      ++flag_changes_;
      return tickets_[access.queue]++;
    case QueueOp::signal:
      if (flag >= 0) flags_[static_cast<std::size_t>(flag)] += access.amount;
      ++flag_changes_;
      return 0;
    case QueueOp::poll:
      return this->flag(flag);
    case QueueOp::none:
      return 0;
  }
  return 0;
}

// Sectors that are written in part are read first, so that their check bits can be made (H200:
// micro_store_word_a_sector reads as many bytes from DRAM as it writes).
void MemorySystem::complete_sectors(const Request& request, const MemoryAccess& access, Tick when) {
  if (access.partial_share <= 0 || !machine_.gpu.l2.completes_partial_sectors) return;
  const double mean = request.sectors * access.partial_share;
  const auto sectors =
      static_cast<std::uint64_t>(mean + unit_interval(mix(request.key, kFillSalt)));
  if (sectors == 0) return;
  counters_.dram_read_bytes += kSectorBytes * sectors;
  reads_done_ = std::max(reads_done_, use_bank(request.place, when, sectors, false));
}

// Beyond a first part of the dirty data that L2 may hold, every store asks DRAM to take as much, or
// its `dirty_share` of it; with all of it in use a store waits until DRAM has taken something. Data
// written again while it is still dirty costs nothing more. Returns when the store's data have
// room.
Tick MemorySystem::write_back(const Request& request, const MemoryAccess& access, Tick when) {
  const std::uint32_t bytes = kSectorBytes * request.sectors;
  if (machine_.gpu.l2.merges_partial_writes && access.dirty_share < 1) {
    double& owed = owed_bytes_[request.access];
    owed += bytes * access.dirty_share;
    if (owed < bytes) return when;
    owed -= bytes;
  }
  const bool known = access.array < program_.arrays.size();
  std::uint64_t& written = known ? written_bytes_[access.array] : written_bytes_.back();
  written += bytes;
  const auto most =
      static_cast<std::uint64_t>(std::max<std::int64_t>(machine_.gpu.l2.dirty_bytes, 0));
  const std::uint64_t quiet = most / 4 * 3;
  if (known && written > program_.arrays[access.array].bytes &&
      program_.arrays[access.array].bytes <= most) {
    return when;
  }
  if (dirty_bytes_ + bytes <= quiet) {
    dirty_bytes_ += bytes;
    return when;
  }
  writes_.push_back({use_bank(mix(request.place, 3), when, request.sectors, true), bytes});
  write_bytes_ += bytes;
  while (!writes_.empty() && writes_.front().taken <= when) forget_oldest_write();
  while (write_bytes_ > most - quiet) {
    when = std::max(when, writes_.front().taken);
    forget_oldest_write();
  }
  return when;
}

void MemorySystem::forget_oldest_write() {
  counters_.dram_write_bytes += writes_.front().bytes;
  write_bytes_ -= writes_.front().bytes;
  writes_.pop_front();
}

Cycle MemorySystem::close(Cycle end) {
  end = std::max(end, to_cycle_up(reads_done_));
  for (const Write& write : writes_) {
    if (write.taken <= to_ticks(end)) counters_.dram_write_bytes += write.bytes;
  }
  writes_.clear();
  return end;
}

}  // namespace smsim::memory
