#include "sim/arch/gpu_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <type_traits>

#include "sim/arch/machine.hpp"

namespace smsim {

namespace {

// Ranges are those of any plausible machine, not of today's: they catch a slip of the pen, and keep
// the engine's arithmetic far from overflow. Sub-partitions and queues have the engine's own sizes.
constexpr double kMaxCycles = 1'000'000;
constexpr double kMaxBytes = 1e12;
constexpr double kMaxCount = 1'000'000;

class FieldList {
 public:
  void section(std::string_view name) { prefix_ = std::string(name) + "."; }

  void text(std::string_view name, std::string& value) { add(name, &value, 0, 0); }
  void flag(std::string_view name, bool& value) { add(name, &value, 0, 1); }
  void cycles(std::string_view name, int& value) { add(name, &value, 0, kMaxCycles); }
  void interval(std::string_view name, int& value) { add(name, &value, 1, kMaxCycles); }
  template <class T>
  void number(std::string_view name, T& value, double min, double max) {
    add(name, &value, min, max);
  }

  std::vector<GpuField> take() { return std::move(fields_); }

 private:
  void add(std::string_view name, GpuFieldPointer value, double min, double max) {
    fields_.push_back({prefix_ + std::string(name), value, min, max});
  }

  std::string prefix_;
  std::vector<GpuField> fields_;
};

void add_machine(FieldList& list, GpuSpec& gpu) {
  list.text("title", gpu.title);
  list.number("compute_capability", gpu.compute_capability, 0, 0);
  list.text("reference_product", gpu.reference_product);
  list.text("scheduler", gpu.scheduler);

  list.section("topology");
  list.number("sms", gpu.topology.sms, 0, 4096);  // 0: a compute capability, no product
  list.number("sub_partitions", gpu.topology.sub_partitions, kSubPartitions, kSubPartitions);
  list.number("sms_per_gpc", gpu.topology.sms_per_gpc, 1, 4096);

  list.section("clocks");
  list.number("sm_mhz", gpu.clocks.sm_mhz, 0, 100'000);
  list.number("memory_mhz", gpu.clocks.memory_mhz, 0, 100'000);
}

void add_limits(FieldList& list, SmLimits& limits) {
  list.section("limits");
  list.number("max_warps", limits.max_warps, 1, 64);
  list.number("max_blocks", limits.max_blocks, 1, 64);
  list.number("max_threads_per_block", limits.max_threads_per_block, 32, 2048);
  list.number("registers", limits.registers, 32, 1 << 24);
  list.number("registers_per_block", limits.registers_per_block, 32, 1 << 24);
  list.number("max_registers_per_thread", limits.max_registers_per_thread, 32, 1024);
  list.number("register_allocation_unit", limits.register_allocation_unit, 1, 1 << 16);
  list.number("warp_allocation_granularity", limits.warp_allocation_granularity, 1, 64);
  list.number("smem_bytes", limits.smem_bytes, 0, 1 << 28);
  list.number("smem_per_block_default_bytes", limits.smem_per_block_default_bytes, 0, 1 << 28);
  list.number("smem_per_block_optin_bytes", limits.smem_per_block_optin_bytes, 0, 1 << 28);
  list.number("smem_reserved_per_block_bytes", limits.smem_reserved_per_block_bytes, 0, 1 << 20);
  list.number("smem_allocation_unit_bytes", limits.smem_allocation_unit_bytes, 1, 1 << 20);
  list.number("smem_splits_kb", limits.smem_splits_kb, 0, 1 << 18);
  list.number("l1_smem_kb", limits.l1_smem_kb, 0, 1 << 18);
  list.number("barriers", limits.barriers, 0, 1024);
  list.number("named_barriers_per_block", limits.named_barriers_per_block, 1, 16);
  list.number("virtual_resources", limits.virtual_resources, 0, 1 << 16);
  list.number("max_cluster_portable", limits.max_cluster_portable, 0, 64);
  list.number("max_cluster", limits.max_cluster, 0, 64);
}

void add_front_end(FieldList& list, GpuSpec& gpu) {
  DependenceSpec& dependence = gpu.dependence;
  list.section("dependence");
  list.number("cross_pipe_extra_cycles", dependence.cross_pipe_extra_cycles, 0, 100);
  list.number("predicate_to_guard_cycles", dependence.predicate_to_guard_cycles, 1, 100);
  list.number("to_memory_extra_cycles", dependence.to_memory_extra_cycles, 0, 100);
  list.number("uniform_to_vector_extra_cycles", dependence.uniform_to_vector_extra_cycles, 0, 100);
  list.number("min_stall_before_wait_cycles", dependence.min_stall_before_wait_cycles, 1, 15);

  list.section("register_file");
  list.flag("bank_conflicts", gpu.register_file.bank_conflicts);
  list.number("window_cycles", gpu.register_file.window_cycles, 1, 100);

  FrontEndSpec& front_end = gpu.front_end;
  list.section("front_end");
  list.cycles("warp_start_cycles", front_end.warp_start_cycles);
  list.cycles("branch_resolve_cycles", front_end.branch_resolve_cycles);
  list.cycles("exit_cycles", front_end.exit_cycles);
  list.flag("instruction_cache", front_end.instruction_cache);
  list.flag("uneven_loops", front_end.uneven_loops);
  list.number("icache_line_instructions", front_end.icache_line_instructions, 1, 1024);
  list.number("icache_l0_instructions", front_end.icache_l0_instructions, 1, kMaxCount);
  list.number("icache_l1_instructions", front_end.icache_l1_instructions, 1, kMaxCount);
  list.cycles("icache_l1_hit_cycles", front_end.icache_l1_hit_cycles);
  list.cycles("icache_miss_cycles", front_end.icache_miss_cycles);
  list.cycles("icache_prefetch_interval_cycles", front_end.icache_prefetch_interval_cycles);
}

void add_sm_memory(FieldList& list, GpuSpec& gpu) {
  MioSpec& mio = gpu.mio;
  list.section("mio");
  list.number("lg_queue_entries", mio.lg_queue_entries, 1, kQueueEntries);
  list.number("mio_queue_entries", mio.mio_queue_entries, 1, kQueueEntries);
  list.interval("dispatch_latency_cycles", mio.dispatch_latency_cycles);
  list.interval("load_interval_cycles", mio.load_interval_cycles);
  list.interval("store_interval_cycles", mio.store_interval_cycles);
  list.interval("shared_interval_cycles", mio.shared_interval_cycles);
  list.interval("adu_interval_cycles", mio.adu_interval_cycles);
  list.interval("port_interval_cycles", mio.port_interval_cycles);
  list.interval("store_port_cycles", mio.store_port_cycles);
  list.flag("queue_when_off", mio.queue_when_off);
  list.cycles("store_drain_cycles", mio.store_drain_cycles);

  SharedMemorySpec& shared = gpu.shared_memory;
  list.section("shared_memory");
  list.cycles("load_latency_cycles", shared.load_latency_cycles);
  list.cycles("shuffle_latency_cycles", shared.shuffle_latency_cycles);
  list.cycles("atomic_latency_cycles", shared.atomic_latency_cycles);
  list.cycles("cycles_per_extra_wavefront", shared.cycles_per_extra_wavefront);
  list.cycles("latency_per_extra_wavefront_cycles", shared.latency_per_extra_wavefront_cycles);

  L1Spec& l1 = gpu.l1;
  list.section("l1");
  list.cycles("hit_latency_cycles", l1.hit_latency_cycles);
  list.number("line_bytes", l1.line_bytes, 32, 4096);
  list.interval("cycles_per_tag", l1.cycles_per_tag);
  list.number("sectors_per_cycle", l1.sectors_per_cycle, 1, 1024);
  list.number("max_outstanding_sectors", l1.max_outstanding_sectors, 0, kMaxCount);
  list.number("request_bytes_per_cycle", l1.request_bytes_per_cycle, 1, kMaxCount);
  list.number("store_bytes_per_cycle", l1.store_bytes_per_cycle, 1, kMaxCount);
  list.flag("hit_on_miss", l1.hit_on_miss);
}

void add_gpu_memory(FieldList& list, GpuSpec& gpu) {
  L2Spec& l2 = gpu.l2;
  list.section("l2");
  list.number("size_bytes", l2.size_bytes, 0, kMaxBytes);
  list.number("effective_bytes", l2.effective_bytes, 0, kMaxBytes);
  list.number("slices", l2.slices, 0, 4096);
  list.number("partitions", l2.partitions, 1, 64);
  list.number("slice_bytes_per_cycle", l2.slice_bytes_per_cycle, 0, 1e6);
  list.number("slice_request_cycles", l2.slice_request_cycles, 0, 1e6);
  list.flag("completes_partial_sectors", l2.completes_partial_sectors);
  list.flag("merges_partial_writes", l2.merges_partial_writes);
  list.cycles("hit_latency_cycles", l2.hit_latency_cycles);
  list.cycles("slice_spread_cycles", l2.slice_spread_cycles);
  list.cycles("far_extra_cycles", l2.far_extra_cycles);
  list.cycles("request_latency_cycles", l2.request_latency_cycles);
  list.cycles("write_ack_cycles", l2.write_ack_cycles);
  list.number("dirty_bytes", l2.dirty_bytes, 0, kMaxBytes);

  DramSpec& dram = gpu.dram;
  list.section("dram");
  list.number("bandwidth_gbps", dram.bandwidth_gbps, 0, 1e6);
  list.number("efficiency", dram.efficiency, 0.01, 1);
  list.number("channels", dram.channels, 0, 4096);
  list.number("banks_per_channel", dram.banks_per_channel, 1, 4096);
  list.cycles("latency_cycles", dram.latency_cycles);
  list.cycles("bank_busy_cycles", dram.bank_busy_cycles);
  list.cycles("refresh_interval_cycles", dram.refresh_interval_cycles);
  list.cycles("refresh_cycles", dram.refresh_cycles);
  list.number("write_cost", dram.write_cost, 0.01, 100);

  AtomicSpec& atomic = gpu.atomic;
  list.section("atomic");
  list.number("same_address_interval_cycles", atomic.same_address_interval_cycles, 0, 1e6);
  list.number("sector_interval_cycles", atomic.sector_interval_cycles, 0, 1e6);
  list.number("cas_interval_cycles", atomic.cas_interval_cycles, 0, 1e6);
  list.flag("near_lines_share_slice", atomic.near_lines_share_slice);
  list.cycles("extra_sector_cycles", atomic.extra_sector_cycles);
  list.cycles("extra_latency_cycles", atomic.extra_latency_cycles);
}

void add_control(FieldList& list, GpuSpec& gpu) {
  BarrierSpec& barrier = gpu.barrier;
  list.section("barrier");
  list.cycles("latency_cycles", barrier.latency_cycles);
  list.cycles("per_warp_cycles", barrier.per_warp_cycles);
  list.cycles("membar_cta_cycles", barrier.membar_cta_cycles);
  list.cycles("membar_gpu_cycles", barrier.membar_gpu_cycles);
  list.cycles("membar_system_cycles", barrier.membar_system_cycles);
  list.cycles("error_barrier_cycles", barrier.error_barrier_cycles);
  list.cycles("cluster_barrier_cycles", barrier.cluster_barrier_cycles);
  list.cycles("dsmem_latency_cycles", barrier.dsmem_latency_cycles);
  list.cycles("mbarrier_cycles", barrier.mbarrier_cycles);
  list.cycles("nanosleep_cycles", barrier.nanosleep_cycles);

  DispatchSpec& dispatch = gpu.dispatch;
  list.section("dispatch");
  list.cycles("kernel_start_cycles", dispatch.kernel_start_cycles);
  list.cycles("kernel_end_cycles", dispatch.kernel_end_cycles);
  list.number("gpu_interval_cycles", dispatch.gpu_interval_cycles, 0, kMaxCycles);
  list.number("gpu_end_interval_cycles", dispatch.gpu_end_interval_cycles, 0, kMaxCycles);
  list.number("sm_interval_cycles", dispatch.sm_interval_cycles, 0, kMaxCycles);
  list.number("sm_warp_interval_cycles", dispatch.sm_warp_interval_cycles, 0, kMaxCycles);
  list.number("warp_interval_cycles", dispatch.warp_interval_cycles, 0, kMaxCycles);
  list.cycles("replacement_cycles", dispatch.replacement_cycles);
  list.text("sm_order", dispatch.sm_order);
}

struct TextOf {
  std::string operator()(const int* value) const { return fmt::format("{}", *value); }
  std::string operator()(const std::int64_t* value) const { return fmt::format("{}", *value); }
  std::string operator()(const double* value) const { return fmt::format("{}", *value); }
  std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
  std::string operator()(const std::string* value) const { return *value; }
  std::string operator()(const std::vector<int>* value) const {
    return fmt::format("[{}]", fmt::join(*value, ", "));
  }
  std::string operator()(const ComputeCapability* value) const { return to_string(*value); }
};

// What was expected instead; "" when the value was set.
struct SetFrom {
  const std::string& text;
  double min;
  double max;

  template <class T>
  std::string number(T* value, const char* kind) const {
    double parsed = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, parsed);
    const bool fits = !std::is_integral_v<T> || parsed == std::floor(parsed);
    if (error != std::errc() || stop != end || !fits || !(parsed >= min && parsed <= max)) {
      return fmt::format("{} from {} to {}", kind, min, max);
    }
    *value = static_cast<T>(parsed);
    return "";
  }
  std::string operator()(int* value) const { return number(value, "an integer"); }
  std::string operator()(std::int64_t* value) const { return number(value, "an integer"); }
  std::string operator()(double* value) const { return number(value, "a number"); }
  std::string operator()(bool* value) const {
    if (text != "true" && text != "false") return "true or false";
    *value = text == "true";
    return "";
  }
  template <class T>
  std::string operator()(T* /*value*/) const {
    return "a figure that is a number or a switch";
  }
};

}  // namespace

std::string change_field(GpuSpec& gpu, std::string_view change) {
  const std::size_t equals = change.find('=');
  if (equals == std::string_view::npos) {
    return fmt::format("found '{}', expected PATH=VALUE", change);
  }
  const std::string path(change.substr(0, equals));
  const std::string text(change.substr(equals + 1));
  for (const GpuField& field : gpu_fields(gpu)) {
    if (field.path != path) continue;
    const std::string expected = std::visit(SetFrom{text, field.min, field.max}, field.value);
    return expected.empty() ? ""
                            : fmt::format("found '{}' as {}, expected {}", text, path, expected);
  }
  return fmt::format("found '{}', expected a path of the GPU file", path);
}

std::vector<GpuField> gpu_fields(GpuSpec& gpu) {
  FieldList list;
  add_machine(list, gpu);
  add_limits(list, gpu.limits);
  add_front_end(list, gpu);
  add_sm_memory(list, gpu);
  add_gpu_memory(list, gpu);
  add_control(list, gpu);
  return list.take();
}

std::string field_text(const GpuField& field) {
  return std::visit(TextOf{}, field.value);
}

std::string operation_text(const Operation& operation) {
  return fmt::format("{{pipe: {}, interval_cycles: {}, latency_cycles: {}{}}}",
                     to_string(operation.pipe), operation.issue_interval_cycles,
                     operation.latency_cycles,
                     operation.variable_latency ? ", variable: true" : "");
}

const std::vector<std::string>& pipe_names() {
  static const std::vector<std::string> kNames{"none", "alu", "fma",    "fma_heavy", "fma_both",
                                               "fp64", "xu",  "tensor", "uniform",   "branch",
                                               "lsu",  "adu", "tma"};
  return kNames;
}

std::string_view to_string(Pipe pipe) {
  return pipe_names().at(static_cast<std::size_t>(pipe));
}

std::string to_string(ComputeCapability compute_capability) {
  return fmt::format("{}.{}", compute_capability.major, compute_capability.minor);
}

bool parse_compute_capability(std::string_view text, ComputeCapability& value) {
  ComputeCapability read;
  const char* end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, read.major);
  if (error != std::errc() || dot == end || *dot != '.') {
    return false;
  }
  const auto [stop, error2] = std::from_chars(dot + 1, end, read.minor);
  if (error2 != std::errc() || stop != end || read.major < 0 || read.minor < 0) {
    return false;
  }
  value = read;
  return true;
}

}  // namespace smsim
