// What smsim knows about one GPU: plain data, filled from configs/gpus/*.yaml.
//
// All times are SM clock cycles unless the name says otherwise. Where a figure comes from is kept
// beside the value in the GPU file (see configs/gpus/README.md); the engine only sees the numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace smsim {

struct ComputeCapability {
  int major = 0;
  int minor = 0;
};

// Per-SM limits that decide how many blocks are resident (NVIDIA's occupancy rules).
struct SmLimits {
  int max_warps = 0;
  int max_blocks = 0;
  int max_threads_per_block = 1024;
  int registers = 65536;  // 32-bit registers per SM
  int registers_per_block = 65536;
  int max_registers_per_thread = 255;
  int register_allocation_unit = 256;   // registers, allocated per warp
  int warp_allocation_granularity = 4;  // only in the per-block register check
  int smem_bytes = 0;                   // shared memory per SM at the largest split
  int smem_per_block_default_bytes = 49152;
  int smem_per_block_optin_bytes = 0;
  int smem_reserved_per_block_bytes = 0;
  int smem_allocation_unit_bytes = 128;
  std::vector<int> smem_splits_kb;  // selectable sizes of the shared part, ascending
  int l1_smem_kb = 0;               // L1 and shared memory together
  int barriers = 0;                 // hardware barriers per SM; 0 = not enforced
  int named_barriers_per_block = 16;
  int virtual_resources = 0;     // CUDA 13 "virtual resources" per SM; 0 = none
  int max_cluster_portable = 0;  // 0 = no clusters
  int max_cluster = 0;           // with the non-portable attribute
};

// Execution pipes of one sub-partition. `fma` means "whichever half of the FMA pipe is free".
enum class Pipe : std::uint8_t {
  none,       // issues without a pipe (NOP, DEPBAR)
  alu,        // integer, logic, compare: 16 lanes
  fma,        // FFMA FADD FMUL: heavy or lite half, whichever is free
  fma_heavy,  // IMAD, IDP: the heavy half only
  fma_both,   // HFMA2: both halves at once
  fp64,
  xu,  // MUFU, conversions, POPC
  tensor,
  uniform,  // uniform datapath
  branch,   // CBU: BRA, EXIT, BSSY, ...
  lsu,      // memory instructions and SHFL, through the MIO queues
  adu,      // S2R, LDC, BAR: through the MIO queue, but not the LSU port
  tma,      // bulk asynchronous copies
  count
};

// How one family of SASS operations behaves (FFMA, IADD3, MUFU, ...).
struct Operation {
  Pipe pipe = Pipe::none;
  int issue_interval_cycles =
      1;                   // the pipe accepts the next warp instruction after this many cycles
  int latency_cycles = 1;  // until a dependent instruction on the same pipe may issue
  bool variable_latency = false;  // completion is signalled on a scoreboard, not by the stall count
};

// Distances between instructions that the compiler encodes as stall counts.
struct DependenceSpec {
  int cross_pipe_extra_cycles = 1;     // FMA <-> ALU: 5 instead of 4
  int predicate_to_guard_cycles = 13;  // ISETP to a guard or branch
  int to_memory_extra_cycles = 1;      // result used as address or store data
  int uniform_to_vector_extra_cycles = 2;
  int min_stall_before_wait_cycles = 2;  // producer of a scoreboard to a waiting successor
};

// The register file of a sub-partition.
struct RegisterFileSpec {
  bool bank_conflicts = false;  // two banks, by register parity, of one read a cycle each
  int window_cycles = 2;        // operands may arrive this late without holding up the issue
};

// Fetch, branches and the end of a warp.
struct FrontEndSpec {
  int warp_start_cycles = 0;  // block start to first possible issue: initial fetch (no_instruction)
  int branch_resolve_cycles = 0;  // after a taken branch, beyond its stall count (branch_resolving)
  int exit_cycles =
      0;  // EXIT to the warp leaving its slot, beyond draining stores (branch_resolving)
  bool instruction_cache = true;  // off: ideal fetch
  bool uneven_loops = true;  // loops of machine code keep their `spread` of trips between warps
  int icache_line_instructions = 8;   // 128 B lines of 16 B instructions
  int icache_l0_instructions = 128;   // per sub-partition
  int icache_l1_instructions = 2048;  // per SM; beyond it every new line comes from L2
  int icache_l1_hit_cycles = 0;       // fetch of a line that L0 misses and L1 holds
  int icache_miss_cycles = 0;         // first touch of a line by an SM
  int icache_prefetch_interval_cycles =
      0;  // a sequential next line follows its predecessor by this much
};

// Queues between the warp scheduler and the units shared by the SM. Each sub-partition has an LG
// queue (global and local memory) and an MIO queue (shared memory, SHFL, S2R, LDC). An entry is
// held from issue until the unit accepts it.
struct MioSpec {
  int lg_queue_entries = 5;
  int mio_queue_entries = 5;
  int dispatch_latency_cycles =
      11;  // issue to earliest acceptance; also the engine's look-ahead inside an SM
  // Between two acceptances from one sub-partition's queue, after
  int load_interval_cycles = 4;    // a global or local load, or an atomic
  int store_interval_cycles = 4;   // a global or local store
  int shared_interval_cycles = 2;  // each wavefront of a shared-memory access or SHFL
  int adu_interval_cycles = 2;     // S2R, LDC
  // How long the LSU port of the SM is taken at least by
  int port_interval_cycles = 1;  // any request
  int store_port_cycles = 1;     // a global or local store
  bool queue_when_off = true;    // memory, SHFL, S2R, LDC: a false predicate still passes the queue
  int store_drain_cycles = 0;    // acceptance of a store to its data having left the SM, at least
};

struct SharedMemorySpec {
  int load_latency_cycles = 0;  // issue to dependent issue, no conflict, idle machine
  int shuffle_latency_cycles = 0;
  int atomic_latency_cycles = 0;
  int cycles_per_extra_wavefront = 1;          // port time of each conflict replay
  int latency_per_extra_wavefront_cycles = 2;  // added to the requesting warp's own latency
};

struct L1Spec {
  int hit_latency_cycles = 0;  // LDG issue to dependent issue, idle machine
  int line_bytes = 128;
  int cycles_per_tag = 1;  // port time per distinct 128-byte line
  int sectors_per_cycle = 4;
  int max_outstanding_sectors = 0;   // loads in flight to L2 per SM; 0 = unlimited
  int request_bytes_per_cycle = 64;  // L2 to one SM
  int store_bytes_per_cycle = 64;    // one SM to L2
  bool hit_on_miss = true;           // a hit on a line on its way waits for it (l1_pending)
};

struct L2Spec {
  std::int64_t size_bytes = 0;
  std::int64_t effective_bytes =
      0;  // what one address range can occupy (copies in both halves take room)
  int slices = 0;
  int partitions = 1;
  double slice_bytes_per_cycle = 0;
  double slice_request_cycles = 0;  // a request takes its slice at least this long
  // A sector written in part takes its slice longer and is fetched from DRAM (ECC; partial_share).
  bool completes_partial_sectors = true;
  // What is written again before DRAM takes it costs DRAM nothing (dirty_share).
  bool merges_partial_writes = true;
  int hit_latency_cycles =
      0;  // LDG issue to dependent issue, near partition, idle machine, mean slice
  int slice_spread_cycles = 0;  // nearest to farthest slice of a partition
  int far_extra_cycles =
      0;  // a miss or an atomic whose home is the other partition (half of the lines); a far hit
  int request_latency_cycles = 0;  // SM to slice, part of the hit latency
  int write_ack_cycles = 0;        // a store leaving the SM to its acknowledgement, idle machine
  std::int64_t dirty_bytes = 0;    // dirty data that may stay when the kernel ends
};

struct DramSpec {
  double bandwidth_gbps = 0;  // peak, 10^9 bytes a second
  double efficiency = 1;      // share of the peak that ideal streams reach
  int channels = 0;
  int banks_per_channel = 16;
  int latency_cycles = 0;           // added to an L2 hit's latency by a miss, idle machine
  int bank_busy_cycles = 0;         // one row activation keeps its bank this long
  int refresh_interval_cycles = 0;  // between two refreshes of a bank; 0 = none modelled
  int refresh_cycles = 0;           // a refresh keeps the bank this long
  double write_cost = 1;            // channel time of a write after a read against another read's
};

struct AtomicSpec {
  double same_address_interval_cycles = 1;  // L2: between two operations on one address
  double sector_interval_cycles = 1;        // L2 slice time of one atomic sector
  double cas_interval_cycles = 0;           // the same for compare-and-swap; 0: no different
  bool near_lines_share_slice = true;       // lines by pairs, the eight of a KB in two slices
  int extra_sector_cycles = 0;              // latency of each further sector of a request
  int extra_latency_cycles = 0;             // returning atomic against an L2-hit load
};

struct BarrierSpec {
  int latency_cycles = 20;  // last arrival to first release
  int per_warp_cycles = 2;  // added for every warp that takes part
  int membar_cta_cycles = 0;
  int membar_gpu_cycles = 0;     // from the moment when the last store is acknowledged
  int membar_system_cycles = 0;  // the same
  int error_barrier_cycles = 0;  // CGAERRBAR and what follows it after a fence
  int cluster_barrier_cycles = 0;
  int dsmem_latency_cycles = 0;
  int mbarrier_cycles = 0;  // completing arrival to a waiter's release
  int nanosleep_cycles = 0;
};

// Getting blocks onto SMs.
struct DispatchSpec {
  int kernel_start_cycles = 0;         // launch to the first block's start
  int kernel_end_cycles = 0;           // last block gone to the kernel counted as done
  double gpu_interval_cycles = 1;      // between two block starts on the whole GPU
  double gpu_end_interval_cycles = 0;  // between two block ends handled on the whole GPU
  double sm_interval_cycles = 1;       // between two block starts on one SM, at least
  double sm_warp_interval_cycles = 0;  // the same, for each warp of the block
  double warp_interval_cycles = 1;     // between two warps of one block
  int replacement_cycles = 0;          // block gone to its successor's start in the freed room
  std::string sm_order = "gpc_round_robin";  // first-wave order: gpc_round_robin or linear
};

struct TopologySpec {
  int sms = 0;
  int sub_partitions = 4;
  std::vector<int> sms_per_gpc;  // sums to sms; empty = one group
};

struct ClockSpec {
  double sm_mhz = 0;
  double memory_mhz = 0;
};

struct GpuSpec {
  std::string name;               // "h200"
  std::string title;              // "NVIDIA H200 SXM 141 GB"
  std::string reference_product;  // set when a compute capability stands in for a product
  ComputeCapability compute_capability;
  TopologySpec topology;
  ClockSpec clocks;
  SmLimits limits;
  std::map<std::string, Operation, std::less<>> operations;  // by SASS family
  DependenceSpec dependence;
  RegisterFileSpec register_file;
  FrontEndSpec front_end;
  MioSpec mio;
  SharedMemorySpec shared_memory;
  L1Spec l1;
  L2Spec l2;
  DramSpec dram;
  AtomicSpec atomic;
  BarrierSpec barrier;
  DispatchSpec dispatch;
  std::string scheduler = "cggty";  // default warp-scheduling policy
};

}  // namespace smsim
