// Asynchronous copies, mbarriers, clusters, and what only delays a warp.
#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

namespace {

// Visits every statement of a body, those of nested bodies included.
template <class Visit>
void for_each_statement(const Body& body, const Visit& visit) {
  for (const Statement& statement : body) {
    visit(statement);
    if (const auto* loop = std::get_if<ForStatement>(&statement.what)) {
      for_each_statement(loop->body, visit);
    } else if (const auto* tasks = std::get_if<TasksStatement>(&statement.what)) {
      for_each_statement(tasks->body, visit);
    } else if (const auto* branch = std::get_if<IfStatement>(&statement.what)) {
      for_each_statement(branch->then_body, visit);
      for_each_statement(branch->else_body, visit);
    }
  }
}

}  // namespace

// Groups that can be on their way at once: those that any wait leaves, and the one being filled.
std::uint64_t Lowering::count_copy_groups() const {
  std::uint64_t groups = 1;
  for_each_statement(source_.body, [&groups](const Statement& statement) {
    if (const auto* wait = std::get_if<WaitCopiesStatement>(&statement.what)) {
      groups = std::max(groups, static_cast<std::uint64_t>(wait->pending) + 1);
    }
  });
  return groups;
}

// Copies of a loop body after which the turns of the groups begin anew.
std::uint64_t Lowering::copies_for_groups(const ForStatement& loop) const {
  std::uint64_t commits = 0;
  for_each_statement(loop.body, [&commits](const Statement& statement) {
    commits += std::holds_alternative<CommitStatement>(statement.what) ? 1 : 0;
  });
  std::uint64_t copies = loop.unroll;
  while (commits * copies % copy_groups_ != 0) {
    ++copies;
  }
  return copies;
}

// Hardware counts the copies of a group on a scoreboard. Here the groups that can be on their way
// at once take turns on as many scoreboards.
void Lowering::lower(const CommitStatement& /*commit*/, SourcePosition /*at*/) {
  Draft made = draft("LDGDEPBAR", "");
  made.effect = MemoryEffect::fence;
  emit(std::move(made));
  ++copy_group_;
}

void Lowering::lower(const WaitCopiesStatement& wait, SourcePosition /*at*/) {
  Draft made = draft("DEPBAR.LE", fmt::format("SB0, {:#x}", wait.pending));
  made.effect = MemoryEffect::fence;
  for (std::uint64_t slot = 0; slot < copy_groups_; ++slot) {
    // The `pending` newest groups may stay.
    const std::uint64_t age = (copy_group_ + copy_groups_ - 1 - slot) % copy_groups_;
    if (age >= static_cast<std::uint64_t>(wait.pending)) {
      made.async_waits |= static_cast<std::uint8_t>(1U << slot);
    }
  }
  emit(std::move(made));
}

void Lowering::lower(const MbarrierStatement& barrier, SourcePosition at) {
  const std::vector<Mbarrier>& all = program_.tables.mbarriers;
  const auto found = std::find_if(all.begin(), all.end(), [&barrier](const Mbarrier& other) {
    return other.name == barrier.mbarrier;
  });
  if (found == all.end()) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const Mbarrier& other : all) {
      names.push_back(other.name);
    }
    problem(at, fmt::format("found '{}', expected an mbarrier of 'mbarriers:'", barrier.mbarrier),
            barrier.mbarrier, names);
    return;
  }
  Draft made = barrier.wait
                   ? draft("SYNCS.PHASECHK.TRANS64.TRYWAIT", "PT, [" + barrier.mbarrier + "]")
                   : draft("SYNCS.ARRIVE.TRANS64", "RZ, [" + barrier.mbarrier + "]");
  made.action = barrier.wait ? Action::mbarrier_wait : Action::mbarrier_arrive;
  made.operand = static_cast<std::uint16_t>(found - all.begin());
  made.effect = MemoryEffect::fence;
  emit(std::move(made));
}

void Lowering::lower(const ClusterStatement& cluster, SourcePosition at) {
  if (source_.launch.cluster < 2) {
    problem(at,
            "found a cluster barrier in a kernel without clusters, expected launch.cluster of "
            "2 or more");
  }
  if (cluster.arrive) {
    Draft made = draft("UCGABAR_ARV", "");
    made.action = Action::cluster_arrive;
    made.effect = MemoryEffect::fence;
    emit(std::move(made));
  }
  if (cluster.wait) {
    Draft made = draft("UCGABAR_WAIT", "");
    made.action = Action::cluster_wait;
    made.effect = MemoryEffect::fence;
    emit(std::move(made));
  }
}

void Lowering::lower(const SetRegistersStatement& registers, SourcePosition /*at*/) {
  emit(draft("USETMAXREG", fmt::format("{:#x}", registers.registers)));
}

void Lowering::lower(const SleepStatement& sleep, SourcePosition /*at*/) {
  Draft made = draft("NANOSLEEP", fmt::format("{:#x}", sleep.cycles));
  made.action = Action::sleep;
  made.timing.latency_cycles = static_cast<int>(sleep.cycles);
  emit(std::move(made));
}

}  // namespace smsim::sass
