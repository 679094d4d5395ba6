// Guards and conditions: predicates, branches, short bodies without a branch.
#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

namespace {

using Kind = Condition::Kind;

constexpr std::size_t kLongestPredicated = 7;  // operations that nvcc predicates rather than branch

// Can lanes of one warp disagree?
bool can_diverge(const Condition& condition) {
  switch (condition.kind) {
    case Kind::fraction:
      return condition.scope == Scope::thread || condition.scope == Scope::visit;
    case Kind::thread_range:
    case Kind::lane_range:
      return condition.first % 32 != 0 || condition.last % 32 != 0;
    case Kind::index_below:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::uint32_t Lowering::add_condition(const Condition& condition) {
  program_.tables.conditions.push_back(condition);
  return static_cast<std::uint32_t>(program_.tables.conditions.size() - 1);
}

// The bound of a guard is a kernel argument.
Operand Lowering::bound_argument() {
  const Operand bound{new_value("n", RegisterFile::uniform)};
  emit(draft(dialect_.load_uniform, "%d0, c[0x0][n]", {bound}));
  return bound;
}

// Same inside a loop: read once.
Operand Lowering::items_bound() {
  if (const auto found = builtins_.find("items"); found != builtins_.end()) {
    return found->second;
  }
  const bool uniform = !dialect_.constant_operands;
  const Operand bound{new_value("items", uniform ? RegisterFile::uniform : RegisterFile::vector)};
  builtins_["items"] = bound;
  scalar_loads_.push_back(
      draft(uniform ? dialect_.load_uniform : "MOV", "%d0, c[0x0][items]", {bound}));
  return bound;
}

// A predicate that is true where the condition holds.
std::optional<Operand> Lowering::condition_predicate(const ConditionSource& condition) {
  std::vector<Operand> sources;
  if (source_.raw && !condition.depends_on) {
    return std::nullopt;  // whoever writes raw programs writes the comparison too
  }
  if (condition.depends_on) {
    const std::optional<Operand> value = resolve_operand(*condition.depends_on);
    if (value && program_.values[value->value].file == RegisterFile::predicate) {
      return *value;
    }
    if (value) {
      sources.push_back(*value);
    }
  }
  const Condition& what = condition.condition;
  if (what.kind == Kind::index_below) {
    return index_predicate(condition.two_dimensional);
  }
  std::string bound = "c[0x0][n]";
  if (sources.empty() && what.kind != Kind::last_ticket) {
    sources.push_back(builtin(what.kind == Kind::block_range ? "bid" : "tid"));
    bound = fmt::format("{:#x}", what.last);
  }
  const Operand holds{new_value("holds", RegisterFile::predicate)};
  const std::string operand = sources.empty() ? "RZ" : "%s0";
  Draft test =
      draft("ISETP.LT.AND", "%d0, PT, " + operand + ", " + bound + ", PT", {holds}, sources);
  test.comparison = true;
  emit(std::move(test));
  return holds;
}

// i < n, or i < n and j < m.
Operand Lowering::index_predicate(bool two_dimensional) {
  Operand inside;
  for (int axis = 0; axis < (two_dimensional ? 2 : 1); ++axis) {
    std::vector<Operand> sources{builtin(axis == 0 ? "i" : "j")};
    std::string bound = "c[0x0][n]";
    if (!dialect_.constant_operands) {
      sources.push_back(bound_argument());
      bound = "%s1";
    }
    const Operand holds{new_value("holds", RegisterFile::predicate)};
    std::string before = "PT";
    if (axis > 0) {
      before = fmt::format("%s{}", sources.size());
      sources.push_back(inside);
    }
    emit(draft("ISETP.LT.AND", fmt::format("%d0, PT, %s0, {}, {}", bound, before), {holds},
               sources));
    inside = holds;
  }
  return inside;
}

// In front of an instruction that those take for which the condition does not hold.
void Lowering::add_guard(Draft& made, std::optional<Operand> predicate) {
  if (predicate) {
    made.sources.push_back({predicate->value, kWhole, Role::guard});
    made.negated_guard = true;
  }
}

// Threads for which the condition does not hold leave.
void Lowering::lower(const GuardStatement& guard, SourcePosition /*at*/) {
  const std::optional<Operand> holds = condition_predicate(guard.condition);
  exit_unless(guard.condition.condition, holds);
}

void Lowering::exit_unless(const Condition& condition, std::optional<Operand> predicate) {
  Draft exit = draft("EXIT", "");
  add_guard(exit, predicate);
  exit.flow = Flow::guard;
  exit.flow_operand = add_condition(condition);
  emit(std::move(exit));
}

void Lowering::lower(const IfStatement& branch, SourcePosition at, bool ends_program) {
  if (branches_.size() >= kMaxBranchDepth) {
    problem(at, fmt::format("found an if inside {} others, expected at most {} nested ones",
                            branches_.size(), kMaxBranchDepth));
    return;
  }
  const std::optional<Operand> predicate = condition_predicate(branch.condition);
  const double outer_weight = weight_;
  const Condition& condition = branch.condition.condition;
  weight_ *= condition.kind == Kind::fraction ? condition.fraction : 1;
  const bool alone = branch.else_body.empty();
  if (alone && ends_program && loops_.empty() && condition.scope != Scope::visit) {
    exit_unless(condition, predicate);  // nothing follows: nvcc lets the others exit
    lower_body(branch.then_body);
  } else if (alone && can_predicate(branch)) {
    predicate_ = static_cast<std::uint16_t>(add_condition(condition));
    predicate_operand_ = predicate;
    lower_body(branch.then_body);
    predicate_operand_.reset();
    predicate_ = kNoPredicate;
  } else {
    begin_branch(condition, predicate, !branch.else_body.empty());
    lower_body(branch.then_body);
    if (!branch.else_body.empty()) {
      weight_ = outer_weight * (condition.kind == Kind::fraction ? 1 - condition.fraction : 1);
      else_branch();
      lower_body(branch.else_body);
    }
    end_branch();
  }
  weight_ = outer_weight;
}

// nvcc puts a predicate in front of each instruction of a short body instead of jumping around it.
bool Lowering::can_predicate(const IfStatement& branch) const {
  if (predicate_operand_ || source_.raw || branch.condition.condition.scope == Scope::visit ||
      branch.then_body.size() > kLongestPredicated) {
    return false;
  }
  return std::all_of(branch.then_body.begin(), branch.then_body.end(), [](const Statement& s) {
    const auto* operation = std::get_if<OperationStatement>(&s.what);
    return operation != nullptr && !operation->when &&
           !(operation->access && operation->access->aggregated);
  });
}

// Lanes for which the condition holds go on; the others go to the else-side or to the end.
void Lowering::begin_branch(const Condition& condition, std::optional<Operand> predicate,
                            bool has_else) {
  OpenBranch open;
  open.diverges = can_diverge(condition);
  Branch branch;
  branch.condition = add_condition(condition);
  branch.depth = static_cast<std::uint8_t>(branches_.size());
  branch.end_pc = new_label();
  branch.else_pc = has_else ? new_label() : branch.end_pc;
  program_.tables.branches.push_back(branch);
  open.branch = static_cast<std::uint32_t>(program_.tables.branches.size() - 1);
  if (open.diverges) {
    emit(draft("BSSY", "B0"));
  }
  Draft skip = draft("BRA", "%L");
  add_guard(skip, predicate);
  skip.flow = Flow::branch_if;
  skip.flow_operand = open.branch;
  emit(std::move(skip));
  branches_.push_back(open);
  addresses_.emplace_back();
}

void Lowering::else_branch() {
  const OpenBranch& open = branches_.back();
  Draft leave = draft("BRA", "%L");
  leave.flow = Flow::branch_else;
  leave.flow_operand = open.branch;
  emit(std::move(leave));
  place(program_.tables.branches[open.branch].else_pc);
  addresses_.back().clear();
}

void Lowering::end_branch() {
  const OpenBranch open = branches_.back();
  branches_.pop_back();
  addresses_.pop_back();
  place(program_.tables.branches[open.branch].end_pc);
  if (open.diverges) {
    Draft together = draft("BSYNC", "B0");
    together.flow = Flow::branch_end;
    together.flow_operand = open.branch;
    emit(std::move(together));
  } else {
    pending_branch_end_ = {open.branch, current_};
  }
}

}  // namespace smsim::sass
