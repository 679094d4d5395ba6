// A kernel as the engine executes it: machine instructions with Volta-style control codes, plus the
// tables they point into. Front ends (the YAML kernel language, SASS listings, traces) produce it;
// the engine only reads it.
//
// One warp walks the code with a program counter. Each instruction says what issuing it starts
// (`Action`) and which instruction comes next (`Flow`). Everything random is a pure function of the
// launch's seed and of who asks (instruction, block, warp, lane, visit), so results never depend on
// the order of simulation.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "smsim/gpu_spec.hpp"

namespace smsim {

inline constexpr std::uint8_t kNoScoreboard = 7;
inline constexpr std::uint16_t kNoPredicate = 0xffff;
inline constexpr std::uint32_t kOwnDraw = 0xffffffff;
inline constexpr int kScoreboards = 6;        // per warp (SASS encoding)
inline constexpr int kMaxLoopDepth = 8;       // nested loops of one warp
inline constexpr int kMaxBranchDepth = 16;    // nested if/else of one warp
inline constexpr int kMaxNamedBarriers = 16;  // per block (hardware)
inline constexpr int kMaxMbarriers = 8;       // counting mbarriers per block
inline constexpr int kMaxSpinWaits = 4;       // spin waits per program
inline constexpr int kMaxPartings = 16;       // of a warp: open BSSY, parts that wait, calls

// What issuing an instruction starts.
enum class Action : std::uint8_t {
  none,            // fixed latency: the stall counts cover it
  complete_later,  // variable latency inside the sub-partition (MUFU, async tensor): done
                   // latency_cycles after issue
  mio,      // through the MIO queue, no memory access (SHFL on Pipe::lsu; S2R, LDC on Pipe::adu):
            // done latency_cycles after issue on an idle machine
  memory,   // operand: Program::accesses
  barrier,  // operand: Program::barriers
  fence,    // operand: FenceScope
  mbarrier_arrive,  // operand: Program::mbarriers
  mbarrier_wait,    // operand: Program::mbarriers; blocks until the warp's next phase is complete
  cluster_arrive,   // barrier over all warps of a cluster
  cluster_wait,
  sleep,  // latency_cycles: not eligible for that long (sleeping)
  exit
};

enum class FenceScope : std::uint8_t {
  cta,
  gpu,
  system,
  errors  // CGAERRBAR after a fence: waits for reports of errors
};

// Which instruction comes next.
enum class Flow : std::uint8_t {
  next,        // pc + 1
  jump,        // flow_operand: pc
  loop_enter,  // flow_operand: Program::loops; sets the trip counter; no trips: to the loop's end
  loop_back,   // flow_operand: Program::loops; to the loop's begin while trips are left
  branch_if,   // flow_operand: Program::branches; lanes where the condition holds go on, the others
               // to `else_pc`
  branch_else,  // end of the then-side: to `end_pc`, or to `else_pc` when the warp is split
  branch_end,   // reconvergence
  guard,        // flow_operand: Program::conditions; lanes where it does not hold exit
  task_check,   // flow_operand: Program::task_loops; takes the next task, or leaves the loop when
                // none is left
  task_back,    // flow_operand: Program::task_loops; next task of the batch, or back to `fetch_pc`
  spin_back,    // flow_operand: Program::spins; to `poll_pc` until the last poll saw the flag high
                // enough
  route,  // flow_operand: Program::routes; jumps, falls through, or does both one after another
  converge_open,  // BSSY: parts of the warp that a route splits from here on meet at `converge`
  converge,       // BSYNC: the warp's next part goes on first; after the last one, pc + 1
  call,           // flow_operand: pc; returns to pc + 1
  ret,            // after the last `call`
  recorded,       // to the next step of the warp's trace (KernelSpec::trace)
  exit
};

// One SASS instruction. Control code as in the 128-bit encoding of Volta to Blackwell.
struct Instruction {
  std::uint8_t stall_cycles = 1;  // 0..15: the warp's next instruction may issue this much later
  bool yield = false;             // the warp may not issue in the very next cycle
  std::uint8_t write_scoreboard = kNoScoreboard;  // released when the result is written
  std::uint8_t read_scoreboard = kNoScoreboard;   // released when the operands are read
  std::uint8_t wait_mask = 0;                     // scoreboards that must be clear before issue
  Pipe pipe = Pipe::none;
  std::uint8_t issue_interval_cycles = 1;  // how long the pipe is taken
  Action action = Action::none;
  Flow flow = Flow::next;
  std::uint16_t latency_cycles = 0;
  std::uint16_t operand = 0;
  std::uint32_t flow_operand = 0;
  // Program::conditions: only lanes where it holds act; a warp with none issues the instruction
  // without effect. With MioSpec::queue_when_off, Action::memory and Action::mio still pass their
  // queue and touch nothing; memory answers as late as a shared-memory load (H200:
  // micro_lds_off_*, micro_ldg_off_*).
  std::uint16_t predicate = kNoPredicate;
  // 32-bit registers that it reads from the even and the odd bank of the register file;
  // instructions of fixed latency in machine code only.
  std::array<std::uint8_t, 2> bank_reads{};
};

enum class Scope : std::uint8_t { thread, warp, block, grid, visit };

// A random amount; values are rounded and clamped to [minimum, maximum].
struct Distribution {
  enum class Kind : std::uint8_t {
    constant,
    uniform,
    normal,
    exponential,
    lognormal,
    pareto,
    bimodal
  };
  Kind kind = Kind::constant;
  double mean = 0;  // constant: the value; bimodal: the common value
  double spread =
      0;  // normal, lognormal: standard deviation; pareto: shape (> 1); bimodal: the rare value
  double share = 0;  // bimodal: share of rare values, 0..1
  double minimum = 0;
  double maximum = 4294967295.0;
};

// How often a loop runs; fixed when a warp enters it.
struct TripCount {
  enum class Kind : std::uint8_t { constant, list, distribution, grid_stride, task_work };
  Kind kind = Kind::constant;
  Scope scope = Scope::grid;  // list and distribution: one value per thread/warp/block; a warp
                              // takes its longest lane
  std::uint64_t count = 0;    // constant
  std::vector<std::uint32_t> list;  // by block or warp number, repeated when shorter
  Distribution distribution;
  std::uint64_t items = 0;  // grid_stride: thread t of T does items t, t+T, ... below this
  // An unrolled loop does `unroll` iterations in a trip; a second loop does the remainder.
  std::uint32_t unroll = 1;
  bool remainder = false;            // trips: count % unroll instead of count / unroll
  std::uint32_t draw_of = kOwnDraw;  // the loop whose count this one shares
};

struct Loop {
  TripCount trips;
  std::uint8_t depth = 0;      // nesting level, 0..kMaxLoopDepth-1
  std::uint32_t begin_pc = 0;  // first instruction of the body
  std::uint32_t end_pc = 0;    // first instruction after the loop
};

// For which lanes of a warp something holds.
struct Condition {
  enum class Kind : std::uint8_t {
    fraction,  // a share `fraction` of threads, warps or blocks (`scope`), drawn; scope visit draws
               // each time
    warp_range,    // warps first..last-1 of the block
    thread_range,  // threads first..last-1 of the block
    block_range,   // blocks first..last-1 of the grid
    index_below,   // threads whose global number is below `last`
    last_ticket,   // the block whose last atomic ticket (QueueOp::pop) was `last` - 1
    lane_range,    // lanes first..last-1 of every warp
    recorded       // the lanes that the warp's trace has active
  };
  Kind kind = Kind::fraction;
  Scope scope = Scope::warp;
  double fraction = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

struct Branch {
  std::uint32_t condition = 0;  // Program::conditions
  std::uint8_t depth = 0;       // nesting level, 0..kMaxBranchDepth-1
  std::uint32_t else_pc = 0;    // first instruction of the else-side, or end_pc when there is none
  std::uint32_t end_pc = 0;     // the reconvergence instruction (Flow::branch_end)
};

inline constexpr std::uint32_t kExitPc = 0xffffffff;

// A conditional branch of which only the outcomes' numbers are known, as from a profile. Which
// warps jump on which visits is spread evenly over both, without chance: of any n visits the
// number of jumps is n times its share, rounded.
struct Route {
  enum class Pattern : std::uint8_t {
    even,        // jumps spread over visits and warps
    loop_exit,   // the same, but as late as the share allows: every stay in the loop has the mean
                 // number of trips, rounded up or down; with `spread`, one drawn around it
    first_warps  // always the same warps of a block: the first `first_warps` fall through, the last
                 // `split` of them jump with some lanes besides
  };
  Pattern pattern = Pattern::even;
  bool jump_leaves = false;     // loop_exit: jumping leaves the loop (else falling through does)
  Scope scope = Scope::warp;    // block: all warps of a block decide alike
  std::uint32_t target_pc = 0;  // kExitPc: lanes that jump exit
  double taken = 0;             // share of visits on which lanes jump, 0..1
  double spread = 0;            // loop_exit: standard deviation of a stay's trips over their mean
  double split = 0;             // share of visits on which others fall through besides, 0..taken
  std::uint32_t first_warps = 0;
};

enum class Space : std::uint8_t { global, local, shared, dsmem };
enum class AccessKind : std::uint8_t {
  load,
  store,
  atomic,      // returns a value
  reduction,   // atomic without a result
  async_copy,  // LDGSTS: global to shared, completes on a scoreboard
  bulk_copy    // TMA: global to shared, arrives on an mbarrier
};

// What a global access does beyond moving data.
enum class QueueOp : std::uint8_t {
  none,
  pop,     // takes the next ticket of queue `queue`; all lanes of the warp (or block) get it
  signal,  // adds `amount` to flag `queue`
  poll     // reads flag `queue`; Flow::spin_back looks at what it saw
};

inline constexpr std::uint16_t kNoArray = 0xffff;

// One memory instruction: what a warp with all 32 lanes active asks for. Fewer lanes ask for
// proportionally less.
struct MemoryAccess {
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes_per_thread = 4;
  std::uint16_t lines = 1;        // distinct 128-byte lines (global, local)
  std::uint16_t sectors = 4;      // distinct 32-byte sectors (global, local)
  std::uint16_t wavefronts = 1;   // passes through shared memory, conflicts included
  bool scales_with_lanes = true;  // false: a broadcast costs the same for any number of lanes
  // Where executions differ, the means of lines, sectors and wavefronts: each execution rounds them
  // up or down. 0: always the numbers above.
  double mean_lines = 0;
  double mean_sectors = 0;
  double mean_wavefronts = 0;
  double l1_hit = 0;         // probability per line, 0..1; negative: follows from `array`
  double l1_pending = 0;     // share of the L1 hits whose line is still on its way
  double l2_hit = 0;         // for what misses L1; negative: follows from `array`
  double l2_far = 0;         // share of the L2 hits that only the other partition has
  double dram_fill = 0;      // sectors that DRAM sends per sector that misses; 0: at least two
  double partial_share = 0;  // stores: share of the sectors that L2 completes from DRAM
  double dirty_share = 1;    // stores: share of the sectors that DRAM will have to take
  std::uint16_t array = kNoArray;  // Program::arrays
  std::uint32_t distinct_addresses =
      0;                  // atomics: how many addresses the whole grid shares; 0 = no sharing
  bool compares = false;  // atomics: compare and swap
  std::uint16_t lanes_per_address = 1;  // atomics: lanes of one request that meet on one address
  std::uint32_t bulk_bytes = 0;         // bulk_copy: size of the copy
  std::uint16_t mbarrier = 0;           // bulk_copy: Program::mbarriers
  QueueOp queue_op = QueueOp::none;
  std::uint16_t queue = 0;          // Program::queues (pop) or first flag number (signal, poll)
  std::int32_t flag_per_block = 0;  // flag number = queue + flag_per_block * block + flag_offset;
  std::int32_t flag_offset = 0;     // outside the flags: a poll is satisfied, a signal is lost
  std::uint32_t amount = 1;         // signal: added; poll: the value waited for
  std::uint32_t amount_per_epoch =
      0;                       // poll: added to `amount` each time this warp has passed the wait
  bool pop_for_block = false;  // pop: the ticket belongs to the block instead of the warp
};

// Data that several accesses touch; lets hit rates follow from sizes.
struct Array {
  enum class Reuse : std::uint8_t {
    streaming,  // lines in order; a later pass over them hits where all of them fit
    random      // any line equally likely
  };
  std::string name;
  std::uint64_t bytes = 0;  // distinct bytes that the grid touches
  std::uint64_t bytes_per_sm =
      0;  // what one SM touches at a time; 0 = no reuse in L1 (random: all of it)
  Reuse reuse = Reuse::streaming;
};

struct BarrierUse {
  std::uint8_t id = 0;               // 0..15
  std::uint16_t expected_warps = 0;  // 0 = all warps of the block that have not exited
  bool wait = true;                  // false: BAR.ARV
};

// A counting mbarrier of one block: a ring of pipeline stages folded into one counter. Every
// `arrivals_per_phase` arrivals complete a phase; a warp's n-th wait passes when n phases are
// complete (initial ones included).
struct Mbarrier {
  std::string name;
  std::uint16_t arrivals_per_phase = 1;
  std::uint16_t initial_phases = 0;
};

// A counter in global memory from which blocks take work.
struct TaskQueue {
  std::string name;
  std::uint64_t tasks = 0;
  Distribution work;                     // trips of a loop of kind task_work, by task number
  std::vector<std::uint32_t> work_list;  // instead of the distribution, when not empty
};

struct TaskLoop {
  std::uint16_t queue = 0;  // Program::queues
  bool dynamic = true;      // tickets from QueueOp::pop; false: static stride
  bool per_block = false;   // whole blocks take tasks; false: every warp for itself
  std::uint32_t batch = 1;  // tasks per ticket
  std::uint32_t fetch_pc =
      0;  // where the next ticket is taken (dynamic), or the check itself (static)
  std::uint32_t body_pc = 0;
  std::uint32_t end_pc = 0;
};

struct SpinWait {
  std::uint16_t access = 0;  // the polling access
  std::uint32_t poll_pc = 0;
};

struct Program {
  std::vector<Instruction> code;           // ends with an exit on every path
  std::vector<std::string> text;           // one line per instruction, as SASS would show it
  std::vector<std::uint32_t> source_line;  // line in the kernel file, 0 = none
  // Active threads of each instruction on average, 0..32, where the warps' own lanes do not tell
  // (profiles); empty otherwise.
  std::vector<double> mean_lanes;
  std::vector<Loop> loops;
  std::vector<Condition> conditions;
  std::vector<Branch> branches;
  std::vector<MemoryAccess> accesses;
  std::vector<Array> arrays;
  std::vector<BarrierUse> barriers;
  std::vector<Mbarrier> mbarriers;
  std::vector<TaskQueue> queues;
  std::vector<TaskLoop> task_loops;
  std::vector<SpinWait> spins;  // at most kMaxSpinWaits
  std::vector<Route> routes;
  std::uint32_t flags = 0;  // flags in global memory, all 0 at kernel start
};

}  // namespace smsim
