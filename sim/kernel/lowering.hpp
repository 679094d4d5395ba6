// From what the author wrote to what a compiler emits: thread index, guard, parameters, address
// arithmetic, loop counters and branches become instructions. One class, spread over the files
// lower_*.cpp by theme.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/access_pattern.hpp"
#include "sim/kernel/dialect.hpp"
#include "sim/kernel/draft.hpp"
#include "sim/kernel/operations.hpp"
#include "sim/kernel/problem.hpp"
#include "sim/kernel/source.hpp"

namespace smsim::sass {

/// Most instructions of one program; larger ones are refused.
inline constexpr std::size_t kMaxInstructions = 16384;

/// Loops inside loops, unrolled ones included.
inline constexpr std::size_t kMostNestedLoops = 64;

/// Names that mean something by themselves: thread, block and lane numbers.
bool is_builtin_name(const std::string& name);

class Lowering {
 public:
  Lowering(const KernelSource& source, const GpuSpec& gpu);

  /// The whole program. Meaningless when problems() is not empty.
  DraftProgram run();
  const std::vector<SourceProblem>& problems() const { return problems_; }
  /// Arithmetic of one thread, on average.
  double flops() const { return flops_; }

 private:
  using Buffer = std::vector<Draft>;

  // A pointer that a loop carries from iteration to iteration.
  struct Induction {
    std::string key;
    ValueId pointer = 0;
    std::int64_t step_bytes = 0;  // of one iteration
    bool wide = true;
  };
  struct LoopScope {
    std::string index;
    bool rolled = false;     // there is a loop; otherwise its copies stand in a row
    std::uint64_t copy = 0;  // which unrolled copy is being written
    std::optional<ValueId> counter;
    Buffer preheader;
    ValueId values_before = 0;   // values with smaller numbers exist before the loop
    std::set<ValueId> assigned;  // values that the body changes
    std::vector<Induction> inductions;
    std::size_t address_scope = 0;  // where addresses computed in front of the loop are kept
  };
  // An operand of an instruction: a register, or text that needs none.
  struct Resolved {
    std::optional<Operand> operand;
    std::string literal;
  };
  struct ValueTerm {
    Operand operand;
    std::int64_t factor = 1;
  };
  struct LoopTerm {
    std::size_t scope = 0;
    std::int64_t factor = 1;
  };
  // An index taken apart: registers, loops that carry a pointer, and what is known now.
  struct SplitIndex {
    std::vector<ValueTerm> values;
    std::vector<LoopTerm> loops;  // outer first
    std::int64_t offset = 0;
  };
  struct Address {
    std::optional<Operand> pointer;  // none: an absolute shared address
    std::int64_t offset_bytes = 0;
  };
  struct OpenBranch {
    std::uint32_t branch = 0;
    bool diverges = true;
  };
  struct CachedAddress {
    Operand pointer;
    std::vector<ValueId> depends_on;
  };

  // lower.cpp: the program as a whole, problems, emitting.
  void problem(SourcePosition at, std::string message, std::string word = "",
               std::vector<std::string> candidates = {});
  Draft draft(std::string mnemonic, std::string operands, std::vector<Operand> results = {},
              std::vector<Operand> sources = {});
  Draft& emit(Draft made);
  void place(LabelId label);
  void close_branch();
  LabelId new_label() { return program_.labels++; }
  ValueId new_value(std::string name, RegisterFile file = RegisterFile::vector, int width = 1);
  std::vector<Draft> assemble_buffers();
  void lower_body(const Body& body);
  void lower_statement(const Statement& statement, bool last);

  // lower_values.cpp: names, thread indices, kernel arguments.
  Resolved resolve(const ValueSource& source);
  std::optional<Operand> resolve_operand(const ValueSource& source);
  std::optional<Resolved> find_value(const std::string& name);
  Resolved loop_index(std::size_t scope);
  Operand builtin(const std::string& name);
  Operand global_index(const std::string& axis);
  Resolved scalar(const std::string& name);
  Operand pointer(const std::string& array);
  Operand descriptor();
  Operand shared_base();
  ValueId define(const ValueSource& result, RegisterFile file, int width, int& component);
  void forget_addresses_of(ValueId value);
  std::vector<std::string> known_names() const;

  // lower_address.cpp.
  SplitIndex split(const IndexSource& index);
  Address raw_address(const IndexSource& index, int bytes);
  Address address(const ArraySource& array, const IndexSource& index, int bytes);
  Operand induction_pointer(const ArraySource& array, const SplitIndex& index, int bytes);
  Operand plain_pointer(const ArraySource& array, const std::vector<ValueTerm>& terms, int bytes);
  Operand compute_pointer(const ArraySource& array, const std::vector<ValueTerm>& terms, int bytes,
                          std::optional<ValueId> into = std::nullopt);
  ValueTerm single_term(const std::vector<ValueTerm>& terms);
  Operand scale_register(std::int64_t scale);
  std::size_t outermost_invariant(const std::vector<ValueTerm>& terms) const;
  bool invariant_in(const LoopScope& scope, const std::vector<ValueTerm>& terms) const;
  void advance(const Induction& induction, std::int64_t iterations);
  static std::string address_key(const ArraySource& array, const std::vector<ValueTerm>& terms,
                                 int bytes);
  std::int64_t shared_offset(const ArraySource& array) const;

  // lower_operation.cpp.
  void lower(const OperationStatement& operation, SourcePosition at);
  void lower_compute(const OperationStatement& operation, const OperationInfo& info);
  void lower_memory(const OperationStatement& operation, const OperationInfo& info,
                    SourcePosition at);
  std::uint16_t make_access(const AccessSource& access, const ArraySource& array,
                            const OperationInfo& info, SourcePosition at);
  std::uint16_t add_access(const MemoryAccess& access);
  static MemoryAccess one_word(AccessKind kind, QueueOp op);
  LaneOffsets lane_offsets(const AccessSource& access, SourcePosition at);
  bool is_uniform(const std::string& name) const;
  std::int64_t thread_number(const std::string& name, std::uint64_t lane) const;
  void add_address(Draft& made, std::string& text, const ArraySource& array,
                   const Address& address);
  void add_result(Draft& draft, const OperationStatement& operation, RegisterFile file, int width);
  void add_predicate(Draft& draft, const OperationStatement& operation);
  Operand elect_lane();
  const ArraySource* find_array(const std::string& name, SourcePosition at);

  // lower_loop.cpp.
  void lower(const ForStatement& loop, SourcePosition at);
  void lower_counted(const ForStatement& loop, SourcePosition at);
  void lower_in_a_row(const ForStatement& loop, std::uint64_t copies);
  void lower_grid_stride(const ForStatement& loop, SourcePosition at);
  void lower_copies(const ForStatement& loop, std::uint64_t copies);
  void lower_iterations(const ForStatement& loop, std::uint32_t number, std::uint64_t copies);
  void lower_remainder(const ForStatement& loop, std::uint32_t number);
  void lower_strides(const ForStatement& loop, std::uint32_t number, Operand item,
                     std::uint64_t copies);
  Draft items_test(Operand item);
  void enter_loop(const ForStatement& loop, std::uint32_t number);
  void enter_raw_loop(std::uint32_t number);
  void skip_loop(Draft test, std::uint32_t number);
  void count_up(Draft step, Draft test, std::uint32_t number);
  Draft loop_test(Operand counter, const ForStatement& loop);
  Operand grid_stride();
  Operand items_bound();
  void enter_scope(const std::string& index, const Body& body, bool rolled);
  void leave_scope();
  void append(Buffer& from);
  std::uint32_t new_loop(const TripCount& trips);
  void collect_assigned(const Body& body, std::set<ValueId>& assigned) const;

  // lower_condition.cpp: guards and if.
  void lower(const GuardStatement& guard, SourcePosition at);
  void lower(const IfStatement& branch, SourcePosition at, bool ends_program);
  bool can_predicate(const IfStatement& branch) const;
  void begin_branch(const Condition& condition, std::optional<Operand> predicate, bool has_else);
  void else_branch();
  void end_branch();
  void exit_unless(const Condition& condition, std::optional<Operand> predicate);
  static void add_guard(Draft& made, std::optional<Operand> predicate);
  std::optional<Operand> condition_predicate(const ConditionSource& condition);
  Operand index_predicate(bool two_dimensional);
  Operand bound_argument();
  std::uint32_t add_condition(const Condition& condition);

  // lower_sync.cpp: barriers, fences, flags.
  void lower(const BarrierStatement& barrier, SourcePosition at);
  void lower(const FenceStatement& fence, SourcePosition at);
  void lower(const SyncWarpStatement& sync, SourcePosition at);
  void lower(const GridSyncStatement& sync, SourcePosition at);
  void lower(const SignalStatement& signal, SourcePosition at);
  void lower(const WaitStatement& wait, SourcePosition at);
  void block_barrier();
  void add_flag(const MemoryAccess& access);
  void poll_flag(const MemoryAccess& access, SourcePosition at);
  MemoryAccess flag_access(const FlagSource& flag, QueueOp op);
  void begin_first_thread();

  // lower_async.cpp: asynchronous copies, mbarriers, clusters.
  std::uint64_t count_copy_groups() const;
  std::uint64_t copies_for_groups(const ForStatement& loop) const;
  void lower(const CommitStatement& commit, SourcePosition at);
  void lower(const WaitCopiesStatement& wait, SourcePosition at);
  void lower(const MbarrierStatement& barrier, SourcePosition at);
  void lower(const ClusterStatement& cluster, SourcePosition at);
  void lower(const SetRegistersStatement& registers, SourcePosition at);
  void lower(const SleepStatement& sleep, SourcePosition at);

  // lower_tasks.cpp: work queues, tickets, compare-and-swap loops.
  void lower(const TasksStatement& tasks, SourcePosition at);
  void lower(const TicketStatement& ticket, SourcePosition at);
  void lower(const CasStatement& cas, SourcePosition at);
  Operand pop(std::uint16_t queue, std::uint32_t batch, bool for_block);
  Operand take_for_block(std::uint16_t queue, std::uint32_t batch);
  Operand take_for_warp(std::uint16_t queue, std::uint32_t batch);
  void lower_task_body(const TasksStatement& tasks, std::uint32_t number, Operand task);

  const KernelSource& source_;
  const GpuSpec& gpu_;
  Dialect dialect_;
  DraftProgram program_;
  std::vector<SourceProblem> problems_;
  int line_ = 0;  // of the statement being lowered

  Buffer entry_;  // thread indices and leading guards
  Buffer pointer_loads_;
  Buffer scalar_loads_;
  std::optional<Draft> descriptor_load_;
  Buffer shared_base_;
  Buffer main_;
  std::size_t written_ = 0;  // instructions so far
  bool too_large_ = false;
  Buffer* current_ = nullptr;
  // The branch that the next instruction ends.
  // A branch that ends with the next instruction of the buffer it stands in: others may be hoisted
  // before it meanwhile.
  struct PendingBranchEnd {
    std::uint32_t branch = 0;
    const Buffer* buffer = nullptr;
  };
  std::optional<PendingBranchEnd> pending_branch_end_;

  std::map<std::string, ValueId> values_;
  std::map<std::string, Operand> builtins_;
  std::set<ValueId> lane_numbers_;  // besides the thread numbers: one more from lane to lane
  std::set<ValueId> fixed_values_;  // thread numbers: the same everywhere
  std::vector<LoopScope> loops_;
  std::vector<std::map<std::string, CachedAddress>> addresses_{1};
  int loop_depth_ = 0;
  int copy_number_ = -1;  // of the unrolled loop body being written; -1: none
  int copies_written_ = 0;
  std::map<std::string, std::uint16_t> access_of_;  // one for all copies of a statement
  std::vector<OpenBranch> branches_;
  std::uint64_t copy_group_ = 0;            // asynchronous copies committed so far
  std::uint64_t copy_groups_ = 1;           // scoreboards they take turns on
  std::uint16_t predicate_ = kNoPredicate;  // of the short `if` being lowered
  std::optional<Operand> predicate_operand_;
  double weight_ = 1;  // how often a thread gets here
  double flops_ = 0;
};

}  // namespace smsim::sass
