// L2 slices, DRAM channels, atomics, flags and work queues: everything beyond the SMs.
//
// Requests are served one by one in the order in which they left their SMs (time, SM, sequence).
// Each reserves the slice, address, bank and channel it needs from the moment it gets there, so
// waiting grows with load.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/arch/machine.hpp"
#include "sim/arch/time.hpp"
#include "sim/memory/address_cache.hpp"
#include "sim/memory/cache_model.hpp"
#include "sim/memory/request.hpp"
#include "smsim/counters.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim::memory {

// The answer to one request.
struct Answer {
  Cycle arrival = 0;        // at the SM: the dependent instruction may issue
  std::uint64_t value = 0;  // pop: the ticket; poll: the flag as read
};

class MemorySystem {
 public:
  MemorySystem(const Machine& machine, const Program& program, const LaunchSpec& launch);

  Answer serve(const Request& request);

  // The last block has ended at `end`. Returns when DRAM has also delivered what no warp waited
  // for; what it would take later stays in L2.
  Cycle close(Cycle end);

  [[nodiscard]] const MemoryCounters& counters() const { return counters_; }
  [[nodiscard]] std::uint64_t flag(std::int64_t index) const;
  // Grows whenever a flag moves or a ticket is taken: spinning warps make progress only then.
  [[nodiscard]] std::uint64_t flag_changes() const { return flag_changes_; }

 private:
  struct Channel {
    Tick free = 0;
    bool wrote = false;  // last
  };
  struct Row {
    std::uint64_t place = 0;
    Tick data_free = 0;  // can deliver its next line
    Tick open_until = 0;
  };
  struct Bank {
    Tick free = 0;  // can open another row
    std::array<Row, 2> rows;
  };

  Tick serve_slice(const Request& request, std::uint64_t slice, Tick ticks);
  Tick use_bank(std::uint64_t place, Tick arrive, std::uint64_t sectors, bool write);
  Tick serve_dram(const Request& request, Tick arrive);
  Answer wait_for_other(const Request& request);
  static std::uint64_t fill_sectors(const Request& request, const MemoryAccess& access);
  [[nodiscard]] Tick slice_ticks(std::uint64_t sectors) const;
  [[nodiscard]] int hit_extra(const Request& request) const;
  [[nodiscard]] std::uint64_t atomic_slice(std::uint64_t line) const;
  [[nodiscard]] Tick after_refresh(Tick start, std::size_t bank) const;
  bool hits(const Request& request);
  Answer serve_load(const Request& request);
  Answer serve_store(const Request& request);
  Answer serve_atomic(const Request& request);
  void complete_sectors(const Request& request, const MemoryAccess& access, Tick when);
  Tick write_back(const Request& request, const MemoryAccess& access, Tick when);
  void forget_oldest_write();
  std::uint64_t apply(const Request& request, const MemoryAccess& access, Cycle waited);
  [[nodiscard]] std::uint64_t atomic_address(const Request& request,
                                             const MemoryAccess& access) const;
  [[nodiscard]] Cycle answer_at(const Request& request, Tick done, int extra = 0) const;
  [[nodiscard]] int far_extra(const Request& request) const;

  const Machine& machine_;
  const Program& program_;
  CacheModel l2_;
  AddressCache l2_lines_;  // with a trace
  std::vector<Tick> slice_free_;
  std::vector<Channel> channels_;
  std::vector<Bank> banks_;         // [channel][bank]
  std::vector<Tick> address_free_;  // atomics, by address
  std::vector<std::uint64_t> flags_;
  std::vector<std::uint64_t> tickets_;
  std::vector<std::uint64_t> written_bytes_;  // by array; the last entry: no array
  std::uint64_t dirty_bytes_ = 0;             // that nobody has asked DRAM to take
  struct Write {
    Tick taken = 0;  // by DRAM
    std::uint32_t bytes = 0;
  };
  std::deque<Write> writes_;       // asked for and not known to be taken
  std::uint64_t write_bytes_ = 0;  // their sum
  Tick reads_done_ = 0;
  std::uint64_t flag_changes_ = 0;
  std::vector<bool> writes_in_part_;  // by access
  std::vector<double> owed_bytes_;    // by access: written, and not yet a whole store for DRAM
  Tick slice_sector_ticks_ = 0;
  Tick slice_request_ticks_ = 0;
  Tick channel_sector_ticks_ = 0;
  Tick channel_turned_ticks_ = 0;
  MemoryCounters counters_;
};

}  // namespace smsim::memory
