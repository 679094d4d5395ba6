// The whole GPU: SMs in windows of simulated time, and between the windows what they share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/decoded_program.hpp"
#include "sim/engine/dispatcher.hpp"
#include "sim/engine/sm.hpp"
#include "sim/memory/memory_system.hpp"
#include "smsim/simulate.hpp"

namespace smsim::engine {

class Gpu {
 public:
  Gpu(const Machine& machine, const KernelSpec& kernel, const SimulateOptions& options,
      int smem_pool_bytes);

  // Runs the kernel to its end, or until it cannot go on, is capped or interrupted.
  Status run();
  Counters close();
  // What was recorded, after `close`; nothing unless the options ask for it.
  std::optional<Timeline> take_timeline(const Counters& counters);

  [[nodiscard]] int window_cycles() const { return static_cast<int>(window_); }
  [[nodiscard]] Cycle last_progress() const { return last_progress_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Sm>>& sms() const { return sms_; }
  [[nodiscard]] const Dispatcher& dispatcher() const { return dispatcher_; }
  [[nodiscard]] const memory::MemorySystem& memory() const { return memory_; }
  [[nodiscard]] const Context& context() const { return context_; }

  // Whether the resident warp in `slot` polls a flag that is not high enough.
  [[nodiscard]] bool spins_in_vain(const SubPartition& sub, std::uint8_t slot) const;

 private:
  [[nodiscard]] Cycle largest_window() const;
  void admit(const std::vector<Placement>& placements);
  [[nodiscard]] std::size_t first_sm(std::size_t worker, int workers) const;
  void count_instructions(int workers);
  void record_timeline();
  void run_sms(std::size_t worker, int workers);
  void serve_requests(Cycle end);
  void serve_rest();
  void open_cluster_barriers();
  void dispatch(Cycle end);
  void skip_idle_time();
  bool stuck();
  [[nodiscard]] bool all_quiet() const;
  [[nodiscard]] bool only_spinning() const;
  void count_mean_lanes(Counters& counters) const;

  SimulateOptions options_;
  const LaunchSpec& launch_;
  std::shared_ptr<TraceSource> trace_;  // nothing without one
  DecodedProgram decoded_;
  Context context_;
  std::vector<std::unique_ptr<Sm>> sms_;
  memory::MemorySystem memory_;
  Dispatcher dispatcher_;
  Cycle window_ = 1;
  Cycle now_ = 0;
  Cycle window_end_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t blocks_done_ = 0;
  std::uint64_t issued_ = 0;
  Cycle last_progress_ = 0;
  Cycle next_spin_check_ = 0;
  std::uint64_t spin_check_changes_ = 0;
  bool spin_check_armed_ = false;
  Cycle first_start_ = 0;
  Cycle last_end_ = 0;
  std::vector<std::vector<InstructionCounters>> by_pc_;  // by worker
  std::vector<std::unique_ptr<SmRecorder>> recorders_;   // by SM; none without a timeline
  struct End {
    BlockEnd block;
    std::uint16_t sm;
  };
  std::vector<End> ends_;  // of blocks, not dealt with yet
  // Reused between windows.
  std::vector<std::uint32_t> bucket_;
  std::vector<const memory::Request*> order_;
  struct ClusterBarrier {
    std::uint32_t arrived = 0;  // in the current phase
    std::uint32_t exited = 0;
    Cycle last = 0;  // arrival or exit
  };
  std::vector<std::pair<std::uint64_t, ClusterBarrier>> cluster_barriers_;  // by cluster number
};

}  // namespace smsim::engine
