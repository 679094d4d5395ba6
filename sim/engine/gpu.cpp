#include "sim/engine/gpu.hpp"

#include <algorithm>
#include <bit>
#include <thread>

#include "sim/engine/worker_pool.hpp"

namespace smsim::engine {
namespace {

constexpr Cycle kSpinCheckInterval = 65536;

bool uses_cluster_barrier(const Program& program) {
  return std::any_of(program.code.begin(), program.code.end(), [](const Instruction& in) {
    return in.action == Action::cluster_arrive || in.action == Action::cluster_wait;
  });
}

std::uint64_t l1_bytes(const GpuSpec& gpu, int smem_pool_bytes) {
  const int bytes = (gpu.limits.l1_smem_kb * 1024) - smem_pool_bytes;
  return static_cast<std::uint64_t>(std::max(bytes, 0));
}

}  // namespace

Gpu::Gpu(const Machine& machine, const KernelSpec& kernel, const SimulateOptions& options,
         int smem_pool_bytes)
    : options_(options),
      launch_(kernel.launch),
      trace_(kernel.trace),
      decoded_(kernel.program, machine),
      context_{machine,
               kernel.program,
               decoded_,
               launch_shape(kernel.launch),
               l1_bytes(machine.gpu, smem_pool_bytes),
               follows_trace(kernel.program)},
      memory_(machine, kernel.program, kernel.launch),
      dispatcher_(machine.gpu, kernel.launch, smem_pool_bytes),
      blocks_(kernel.launch.grid.count()) {
  const AdvanceFunction advance = advance_for(options.scheduler);
  for (int i = 0; i < machine.gpu.topology.sms; ++i) {
    sms_.push_back(std::make_unique<Sm>(context_, static_cast<std::uint16_t>(i), advance,
                                        launch_.warm_caches));
  }
  window_ = largest_window();
  if (options.window_cycles > 0) {
    window_ = std::min(window_, static_cast<Cycle>(options.window_cycles));
  }
  bucket_.resize(window_ + 1);
}

// Nothing may come back into an SM sooner than this after it has gone out.
Cycle Gpu::largest_window() const {
  const GpuSpec& gpu = context_.machine.gpu;
  Cycle window = context_.machine.min_round_trip;
  const bool replaces = blocks_ > dispatcher_.resident_blocks();
  if (replaces) {
    window = std::min(window, static_cast<Cycle>(std::max(gpu.dispatch.replacement_cycles, 1)));
  }
  if (uses_cluster_barrier(context_.program)) {
    window = std::min(window, static_cast<Cycle>(std::max(gpu.barrier.cluster_barrier_cycles, 1)));
  }
  return std::clamp<Cycle>(window, 1, 4096);
}

Status Gpu::run() {
  // More threads than cores wait for each other; a few do no harm, and tests need them.
  const int most = std::max(4, static_cast<int>(std::thread::hardware_concurrency()));
  int workers = std::clamp(options_.threads, 1, std::min(most, static_cast<int>(sms_.size())));
  WorkerPool pool(workers, [this, &workers](int worker) {
    run_sms(static_cast<std::size_t>(worker), workers);
  });
  workers = pool.workers();
  count_instructions(workers);
  record_timeline();
  const std::vector<Placement> first = dispatcher_.first_wave();
  if (!first.empty()) first_start_ = first.front().start;
  admit(first);
  while (blocks_done_ < blocks_) {
    if (options_.max_cycles > 0 && now_ >= options_.max_cycles) return Status::max_cycles;
    if (options_.interrupt != nullptr && options_.interrupt->load()) return Status::interrupted;
    skip_idle_time();
    window_end_ = now_ + window_;
    if (options_.max_cycles > 0) window_end_ = std::min(window_end_, options_.max_cycles);
    pool.run();
    serve_requests(window_end_);
    open_cluster_barriers();
    dispatch(window_end_);
    now_ = window_end_;
    if (options_.progress) options_.progress(blocks_done_, blocks_, now_);
    if (blocks_done_ < blocks_ && stuck()) return Status::deadlock;
  }
  serve_rest();
  return Status::completed;
}

// Each worker counts for itself.
void Gpu::count_instructions(int workers) {
  if (!options_.count_instructions && !options_.timeline) return;
  by_pc_.assign(static_cast<std::size_t>(workers),
                std::vector<InstructionCounters>(context_.program.code.size()));
  for (std::size_t worker = 0; worker < by_pc_.size(); ++worker) {
    for (std::size_t i = first_sm(worker, workers); i < first_sm(worker + 1, workers); ++i) {
      sms_[i]->count_by_pc(by_pc_[worker].data());
    }
  }
}

void Gpu::record_timeline() {
  if (!options_.timeline) return;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    recorders_.push_back(std::make_unique<SmRecorder>(context_.program, *options_.timeline));
    sms_[i]->record(recorders_.back().get());
    const bool by_block = options_.timeline->with_block.has_value();
    if (!by_block && i == options_.timeline->sm) recorders_.back()->watch(0);
  }
}

std::optional<Timeline> Gpu::take_timeline(const Counters& counters) {
  if (recorders_.empty()) return std::nullopt;
  Timeline timeline;
  for (const auto& recorder : recorders_) {
    timeline.bin_cycles = std::max(timeline.bin_cycles, recorder->bin_cycles());
  }
  for (std::size_t i = 0; i < recorders_.size(); ++i) {
    timeline.sms.push_back(recorders_[i]->take_bins(timeline.bin_cycles));
    if (!recorders_[i]->watched()) continue;
    timeline.sm = static_cast<std::uint32_t>(i);
    recorders_[i]->take_intervals(counters.elapsed_cycles, timeline);
  }
  recorders_.clear();
  return timeline;
}

// Requests that nobody waited for are still on their way when the last block has ended.
void Gpu::serve_rest() {
  std::vector<memory::Request> rest;
  for (const auto& sm : sms_) rest.insert(rest.end(), sm->requests.begin(), sm->requests.end());
  std::stable_sort(
      rest.begin(), rest.end(),
      [](const memory::Request& a, const memory::Request& b) { return a.time < b.time; });
  for (const memory::Request& request : rest) memory_.serve(request);
}

void Gpu::admit(const std::vector<Placement>& placements) {
  for (const Placement& placement : placements) {
    if (!recorders_.empty() && options_.timeline->with_block == placement.block) {
      recorders_[placement.sm]->watch(placement.start);
    }
    auto recorded = trace_ ? trace_->block(placement.block) : nullptr;
    sms_[placement.sm]->admit(placement.block, placement.start, placement.first_sub,
                              std::move(recorded));
  }
}

// Each worker has its own share of the SMs: from here to the next one's first.
std::size_t Gpu::first_sm(std::size_t worker, int workers) const {
  return sms_.size() * worker / static_cast<std::size_t>(workers);
}

void Gpu::run_sms(std::size_t worker, int workers) {
  for (std::size_t i = first_sm(worker, workers); i < first_sm(worker + 1, workers); ++i) {
    sms_[i]->run(window_end_);
  }
}

// With nothing resident anywhere, time jumps to the next block's start.
void Gpu::skip_idle_time() {
  if (!ends_.empty()) return;
  Cycle next = kNever;
  for (const auto& sm : sms_) {
    if (!sm->idle() || sm->next_start() <= now_ + window_) return;
    next = std::min(next, sm->next_start());
  }
  if (next == kNever || next <= now_ + window_) return;
  if (options_.max_cycles > 0) next = std::min(next, options_.max_cycles);
  for (const auto& sm : sms_) sm->skip_to(next - 1);
  now_ = next - 1;
}

// Requests of the window, in the order (time, SM, sequence).
void Gpu::serve_requests(Cycle end) {
  const std::size_t length = end - now_;
  std::fill(bucket_.begin(), bucket_.begin() + static_cast<std::ptrdiff_t>(length) + 1, 0U);
  std::size_t total = 0;
  for (const auto& sm : sms_) {
    for (const memory::Request& request : sm->requests) {
      if (request.time >= end) continue;
      ++bucket_[request.time - now_];
      ++total;
    }
  }
  if (total == 0) return;
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint32_t here = bucket_[i];
    bucket_[i] = before;
    before += here;
  }
  order_.resize(total);
  for (const auto& sm : sms_) {
    for (const memory::Request& request : sm->requests) {
      if (request.time < end) order_[bucket_[request.time - now_]++] = &request;
    }
  }
  for (const memory::Request* request : order_) {
    sms_[request->back.sm]->deliver(*request, memory_.serve(*request));
  }
  for (const auto& sm : sms_) {
    std::erase_if(sm->requests,
                  [end](const memory::Request& request) { return request.time < end; });
  }
}

void Gpu::open_cluster_barriers() {
  const auto cluster_size = static_cast<std::uint64_t>(std::max(launch_.cluster, 1));
  const auto warps = static_cast<std::uint32_t>(cluster_size * context_.shape.warps_per_block);
  const auto latency =
      static_cast<Cycle>(std::max(context_.machine.gpu.barrier.cluster_barrier_cycles, 1));
  for (const auto& sm : sms_) {
    for (const ClusterArrival& arrival : sm->cluster_arrivals) {
      const std::uint64_t cluster = arrival.block / cluster_size;
      auto found = std::find_if(cluster_barriers_.begin(), cluster_barriers_.end(),
                                [cluster](const auto& entry) { return entry.first == cluster; });
      if (found == cluster_barriers_.end()) {
        found = cluster_barriers_.insert(cluster_barriers_.end(), {cluster, {}});
      }
      ++(arrival.exits ? found->second.exited : found->second.arrived);
      found->second.last = std::max(found->second.last, arrival.cycle);
    }
    sm->cluster_arrivals.clear();
  }
  for (auto& [cluster, barrier] : cluster_barriers_) {
    if (barrier.arrived == 0 || barrier.arrived + barrier.exited < warps) continue;
    barrier.arrived = 0;
    for (std::uint64_t i = 0; i < cluster_size; ++i) {
      for (const auto& sm : sms_) {
        sm->open_cluster_barrier((cluster * cluster_size) + i, barrier.last + latency);
      }
    }
  }
  std::erase_if(cluster_barriers_,
                [warps](const auto& entry) { return entry.second.exited == warps; });
}

// Ends lie in the future where stores are still on their way; they count when their time has come.
void Gpu::dispatch(Cycle end) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    for (const BlockEnd& block : sms_[i]->ended) {
      ends_.push_back({block, static_cast<std::uint16_t>(i)});
    }
    sms_[i]->ended.clear();
  }
  std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
    return std::tuple(a.block.cycle, a.sm, a.block.block) <
           std::tuple(b.block.cycle, b.sm, b.block.block);
  });
  std::vector<Placement> placements;
  auto done = ends_.begin();
  for (; done != ends_.end() && done->block.cycle < end; ++done) {
    ++blocks_done_;
    last_end_ = std::max(last_end_, done->block.cycle);
    sms_[done->sm]->retire(done->block.cycle);
    dispatcher_.release(done->sm, done->block.cycle, done->block.first_sub, placements);
  }
  ends_.erase(ends_.begin(), done);
  admit(placements);
}

bool Gpu::stuck() {
  std::uint64_t issued = 0;
  for (const auto& sm : sms_) issued += sm->issued();
  const bool moved = issued != issued_;
  issued_ = issued;
  if (!moved) return ends_.empty() && all_quiet();
  if (context_.program.spins.empty()) {
    last_progress_ = now_;
    return false;
  }
  if (memory_.flag_changes() != spin_check_changes_) {
    last_progress_ = now_;
    spin_check_changes_ = memory_.flag_changes();
    spin_check_armed_ = false;
  }
  if (now_ < next_spin_check_) return false;
  next_spin_check_ = now_ + kSpinCheckInterval;
  const bool spinning = only_spinning();
  const bool confirmed = spinning && spin_check_armed_;
  spin_check_armed_ = spinning;
  return confirmed;
}

bool Gpu::all_quiet() const {
  return std::all_of(sms_.begin(), sms_.end(),
                     [](const auto& sm) { return sm->quiet() && sm->waits_for_memory() == 0; });
}

bool Gpu::spins_in_vain(const SubPartition& sub, std::uint8_t slot) const {
  const Program& program = context_.program;
  for (const SpinWait& spin : program.spins) {
    const std::uint32_t pc = sub.pc[slot];
    if (pc < spin.poll_pc) continue;
    bool inside = true;
    for (std::uint32_t i = spin.poll_pc; i < pc; ++i) inside &= program.code[i].flow == Flow::next;
    if (!inside) continue;
    const WarpFlow& flow = sub.flow[slot];
    const MemoryAccess& poll = program.accesses[spin.access];
    const std::int64_t flag = flag_index(program, poll, flow.block);
    return memory_.flag(flag) < awaited_value(program, spin.access, flow);
  }
  return false;
}

bool Gpu::only_spinning() const {
  for (const auto& sm : sms_) {
    if (sm->next_start() != kNever || sm->expects_arrivals()) return false;
    for (const SubPartition& sub : sm->subs()) {
      for (std::uint32_t bits = sub.resident; bits != 0; bits &= bits - 1) {
        const auto slot = static_cast<std::uint8_t>(std::countr_zero(bits));
        const bool waits = (sub.parked & bit_of(slot)) != 0 &&
                           sub.parked_for[slot] != Parked::scoreboard &&
                           sub.parked_for[slot] != Parked::fence;
        if (!waits && !spins_in_vain(sub, slot)) return false;
      }
    }
  }
  return true;
}

Counters Gpu::close() {
  Counters counters;
  const bool finished = blocks_done_ == blocks_;
  const auto drain =
      static_cast<Cycle>(std::max(context_.machine.gpu.dispatch.kernel_end_cycles, 0));
  const Cycle memory_end = finished ? std::max(memory_.close(last_end_), dispatcher_.ends_handled())
                                    : memory_.close(now_);
  counters.elapsed_cycles = finished ? memory_end + drain : now_;
  counters.first_block_start = first_start_;
  counters.last_block_end = finished ? last_end_ : now_;
  counters.blocks_done = blocks_done_;
  for (const auto& sm : sms_) counters.sm.push_back(sm->close(now_));
  counters.memory = memory_.counters();
  if (options_.count_instructions) counters.instruction.resize(context_.program.code.size());
  for (const auto& share : by_pc_) {
    for (std::size_t pc = 0; pc < counters.instruction.size(); ++pc) {
      counters.instruction[pc].issued += share[pc].issued;
      for (std::size_t s = 0; s < kWarpStates; ++s) {
        counters.instruction[pc].state[s] += share[pc].state[s];
      }
    }
  }
  if (!context_.program.mean_lanes.empty()) count_mean_lanes(counters);
  return counters;
}

// Where only means are known, every SM has the mean of the whole run.
void Gpu::count_mean_lanes(Counters& counters) const {
  double threads = 0;
  double issued = 0;
  for (std::size_t pc = 0; pc < counters.instruction.size(); ++pc) {
    const auto here = static_cast<double>(counters.instruction[pc].issued);
    threads += here * context_.program.mean_lanes[pc];
    issued += here;
  }
  if (issued == 0) return;
  for (SmCounters& sm : counters.sm) {
    std::uint64_t of_sm = 0;
    for (const SubPartitionCounters& one : sm.sub) of_sm += one.issued;
    sm.thread_instructions =
        static_cast<std::uint64_t>(static_cast<double>(of_sm) * (threads / issued));
  }
}

}  // namespace smsim::engine
