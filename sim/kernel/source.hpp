// A kernel as its author writes it, read from a file but not yet turned into instructions: named
// values, operations, loops, conditions, barriers. Every number is already evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/kernel/sass_listing.hpp"
#include "smsim/kernel_spec.hpp"
#include "smsim/program.hpp"

namespace smsim {

struct SourcePosition {
  int line = 0;
  int column = 0;
};

struct Statement;
using Body = std::vector<Statement>;

/// A value read by an operation: a name, a name with parts ("x.2", "acc.r.c"), or a number.
struct ValueSource {
  std::string name;
  SourcePosition at;
};

/// Which element of an array a thread touches: a sum of factor x name, plus a constant.
struct IndexSource {
  struct Term {
    std::string name;  // a value, a loop's index, or a repeat's
    std::int64_t factor = 1;
  };
  std::vector<Term> terms;
  std::int64_t offset = 0;
  SourcePosition at;
};

/// How the lanes of a warp spread over memory.
struct PatternSource {
  // from_index: as far apart as the index says.
  enum class Kind : std::uint8_t { coalesced, strided, broadcast, random, tile, from_index };
  Kind kind = Kind::from_index;
  std::uint64_t stride = 1;  // strided: elements between neighbouring lanes
  std::uint64_t rows = 1;    // tile: lanes cover rows x columns
  std::uint64_t columns = 32;
  std::optional<std::uint64_t> pitch;  // tile: elements between the rows; unset: rows lie far apart
  std::optional<std::uint64_t> conflict;  // shared memory: lanes that meet in the worst bank
  std::optional<std::uint64_t> lines;     // said outright instead
  std::optional<std::uint64_t> sectors;
};

struct AccessSource {
  std::string array;
  SourcePosition array_at;
  IndexSource index;
  int bytes = 4;  // per thread
  PatternSource pattern;
  std::optional<double> l1_hit;
  std::optional<double> l2_hit;
  std::uint32_t addresses = 0;  // atomics: distinct addresses that the grid shares; 0: no sharing
  std::optional<std::uint64_t> lanes_per_address;
  bool aggregated = false;       // atomics: one lane does it for its warp
  std::string to;                // copies: the shared array written
  std::uint64_t copy_bytes = 0;  // bulk copy
  std::string mbarrier;          // bulk copy
};

struct OperationStatement {
  std::optional<ValueSource> result;
  std::string op;
  std::vector<ValueSource> sources;
  std::optional<ValueSource> when;  // a predicate value
  int registers = 0;                // of the result; 0: what the operation returns
  std::optional<AccessSource> access;
};

/// For which threads something holds, and what must be known to tell.
struct ConditionSource {
  Condition condition;
  std::optional<ValueSource> depends_on;
  bool two_dimensional = false;  // a test of x and y
};

struct GuardStatement {
  ConditionSource condition;
};

struct ForStatement {
  TripCount trips;
  std::uint64_t unroll = 1;
  std::string index;                 // name of the loop's index, or ""
  std::optional<ValueSource> bound;  // the value that says how often
  bool at_least_once = false;        // no test in front of the loop
  Body body;
};

struct IfStatement {
  ConditionSource condition;
  Body then_body;
  Body else_body;
};

/// A loop over the tasks of the kernel's queue.
struct TasksStatement {
  bool dynamic = true;
  bool per_block = true;
  std::uint32_t batch = 1;
  std::string index;  // name of the value that holds the task's number
  Body body;
};

struct BarrierStatement {
  int id = 0;
  std::uint32_t threads = 0;  // 0: the whole block
  bool wait = true;
};

struct FenceStatement {
  FenceScope scope = FenceScope::gpu;
};

struct SyncWarpStatement {};
struct GridSyncStatement {};

/// A flag in global memory: number = first of `flag` + per_block x block + offset.
struct FlagSource {
  std::string flag;
  std::int64_t per_block = 0;
  std::int64_t offset = 0;
  SourcePosition at;
};

struct SignalStatement {
  FlagSource flag;
  std::uint32_t amount = 1;
};

struct WaitStatement {
  FlagSource flag;
  std::uint32_t value = 1;
  std::uint32_t per_visit = 0;
};

/// A read-modify-write by compare-and-swap, tried again until nobody interferes.
struct CasStatement {
  AccessSource access;
  Distribution attempts;
  Body body;  // computes the new value
};

/// Takes the next number of the counter that `last_ticket` conditions look at.
struct TicketStatement {
  std::string counter;
  std::optional<std::string> result;
};

struct CommitStatement {};

struct WaitCopiesStatement {
  int pending = 0;  // groups that may still be on their way
};

struct MbarrierStatement {
  std::string mbarrier;
  bool wait = false;
};

struct ClusterStatement {
  bool arrive = true;
  bool wait = true;
};

struct SetRegistersStatement {
  int registers = 0;
};

struct SleepStatement {
  std::uint32_t cycles = 0;
};

struct Statement {
  using What =
      std::variant<OperationStatement, GuardStatement, ForStatement, IfStatement, TasksStatement,
                   BarrierStatement, FenceStatement, SyncWarpStatement, GridSyncStatement,
                   SignalStatement, WaitStatement, CasStatement, TicketStatement, CommitStatement,
                   WaitCopiesStatement, MbarrierStatement, ClusterStatement, SetRegistersStatement,
                   SleepStatement>;
  SourcePosition at;
  What what;
};

struct ArraySource {
  Array array;
  Space space = Space::global;
};

struct CounterSource {
  std::string name;
  std::uint64_t count = 0;
};

struct FlagsSource {
  std::string name;
  std::uint32_t count = 1;
};

struct KernelSource {
  std::string name;
  LaunchSpec launch;             // launch.registers is ignored
  std::optional<int> registers;  // unset: as many as the program needs
  bool raw = false;              // exactly the listed instructions, no lowering
  std::vector<ArraySource> arrays;
  std::vector<std::string> scalars;  // kernel arguments that are plain numbers
  std::vector<Mbarrier> mbarriers;
  std::vector<FlagsSource> flags;
  std::vector<CounterSource> counters;  // atomic ticket counters
  std::optional<TaskQueue> tasks;
  Body body;
  std::string trace_file;               // instead of a body: where a trace lies
  std::vector<sass::SassLine> listing;  // instead of a body: machine code, as imported
};

}  // namespace smsim
