#include "sim/kernel/checks.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace smsim {

namespace {

constexpr std::size_t kMostNotes = 5;

std::string stem(const std::string& name) {
  return name.substr(0, name.find('.'));
}

class Checker {
 public:
  explicit Checker(const KernelSource& source) : source_(source) {}

  std::vector<std::string> run() {
    visit(source_.body, false);
    for (const auto& [line, name] : set_at_) {
      if (used_.count(stem(name)) == 0 && notes_.size() < kMostNotes) {
        notes_.push_back(
            fmt::format("line {}: the result '{}' is never used; a compiler would leave "
                        "the operation out",
                        line, name));
      }
    }
    return std::move(notes_);
  }

 private:
  // Can threads of one block disagree?
  static bool splits_block(const Condition& condition) {
    switch (condition.kind) {
      case Condition::Kind::block_range:
      case Condition::Kind::last_ticket:
        return false;
      case Condition::Kind::fraction:
        return condition.scope != Scope::block;
      default:
        return true;
    }
  }

  void visit(const Body& body, bool split) {
    for (const Statement& statement : body) {
      line_ = statement.at.line;
      std::visit([this, split](const auto& what) { look(what, split); }, statement.what);
    }
  }

  void use(const std::optional<ValueSource>& value) {
    if (value) {
      used_.insert(stem(value->name));
    }
  }
  void use(const std::optional<AccessSource>& access) {
    if (access) {
      for (const IndexSource::Term& term : access->index.terms) {
        used_.insert(stem(term.name));
      }
    }
  }

  void look(const OperationStatement& operation, bool /*split*/) {
    for (const ValueSource& value : operation.sources) {
      // x = f(x) alone is no use of x.
      if (!operation.result || stem(value.name) != stem(operation.result->name)) {
        used_.insert(stem(value.name));
      }
    }
    use(operation.when);
    use(operation.access);
    const bool atomic = operation.op.rfind("ATOM", 0) == 0;  // done for its effect
    if (operation.result && !atomic) {
      set_at_.emplace(line_, operation.result->name);
    }
  }
  void look(const GuardStatement& guard, bool /*split*/) { use(guard.condition.depends_on); }
  void look(const ForStatement& loop, bool split) {
    use(loop.bound);
    visit(loop.body, split || loop.trips.scope == Scope::thread || loop.trips.scope == Scope::warp);
  }
  void look(const IfStatement& branch, bool split) {
    use(branch.condition.depends_on);
    const bool splits = split || splits_block(branch.condition.condition);
    visit(branch.then_body, splits);
    visit(branch.else_body, splits);
  }
  void look(const TasksStatement& tasks, bool split) {
    visit(tasks.body, split || !tasks.per_block);
  }
  void look(const CasStatement& cas, bool split) {
    use(std::optional<AccessSource>(cas.access));
    used_.insert("new");
    visit(cas.body, split);
  }
  void look(const BarrierStatement& barrier, bool split) {
    if (split && barrier.threads == 0) {
      warn("barrier of the whole block");
    }
  }
  void look(const GridSyncStatement& /*sync*/, bool split) {
    if (split) {
      warn("grid_sync");
    }
  }
  template <class Other>
  void look(const Other& /*other*/, bool /*split*/) {}

  void warn(const char* what) {
    if (notes_.size() < kMostNotes) {
      notes_.push_back(
          fmt::format("line {}: {} where threads of a block may go different ways; the "
                      "block hangs if some never come",
                      line_, what));
    }
  }

  const KernelSource& source_;
  std::vector<std::string> notes_;
  std::map<int, std::string> set_at_;  // by line
  std::set<std::string> used_;
  int line_ = 0;
};

}  // namespace

std::vector<std::string> check_source(const KernelSource& source) {
  return Checker(source).run();
}

}  // namespace smsim
