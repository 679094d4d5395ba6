#include "sim/kernel/registers.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/kernel/flow_graph.hpp"
#include "sim/kernel/liveness.hpp"

namespace smsim::sass {

namespace {

constexpr std::size_t kNever = static_cast<std::size_t>(-1);
constexpr int kStackRegister = 1;

// One register file during the scan.
class File {
 public:
  explicit File(int size) : free_since_(static_cast<std::size_t>(size), 0) {}

  // First of `width` neighbouring free registers, aligned; -1 if there are none.
  [[nodiscard]] int find(int width, bool spread) const {
    const int step = width >= 3 ? 4 : width;
    int best = -1;
    std::size_t oldest = kNever;
    for (int first = 0; first + width <= size(); first += step) {
      std::size_t since = 0;  // of the register that became free last
      for (int part = 0; part < width && since != kNever; ++part) {
        since = std::max(since, free_since_[static_cast<std::size_t>(first + part)]);
      }
      if (since == kNever) {
        continue;
      }
      if (!spread) {
        return first;
      }
      if (since < oldest) {
        oldest = since;
        best = first;
      }
    }
    return best;
  }

  void take(int first, int width) {
    for (int part = 0; part < width; ++part) {
      free_since_[static_cast<std::size_t>(first + part)] = kNever;
    }
    used_ = std::max(used_, first + width);
  }
  void release(int first, int width, std::size_t when) {
    for (int part = 0; part < width; ++part) {
      free_since_[static_cast<std::size_t>(first + part)] = when;
    }
  }
  [[nodiscard]] int used() const { return used_; }

 private:
  [[nodiscard]] int size() const { return static_cast<int>(free_since_.size()); }
  std::vector<std::size_t> free_since_;  // position, or kNever while taken
  int used_ = 0;
};

class LinearScan {
 public:
  LinearScan(const DraftProgram& program, const RegisterLimits& limits)
      : values_(program.values),
        intervals_(live_intervals(program, build_flow_graph(program))),
        files_{File(limits.vector), File(limits.uniform), File(limits.predicate)} {
    if (limits.stack_pointer) {
      files_[0].take(kStackRegister, 1);
    }
  }

  std::optional<Allocation> run(bool spread, Overflow* overflow) {
    Allocation made;
    made.first.assign(values_.size(), -1);
    for (const ValueId value : by_begin()) {
      if (values_[value].name == "stack") {
        made.first[value] = kStackRegister;
        continue;
      }
      const Interval& interval = intervals_[value];
      release_before(interval.begin, made);
      File& file = files_[static_cast<std::size_t>(values_[value].file)];
      const int first = file.find(values_[value].width, spread);
      if (first < 0) {
        report(value, overflow);
        return std::nullopt;
      }
      file.take(first, values_[value].width);
      made.first[value] = first;
      active_.push_back(value);
    }
    made.vector_used = files_[0].used();
    made.uniform_used = files_[1].used();
    made.predicate_used = files_[2].used();
    return made;
  }

 private:
  [[nodiscard]] std::vector<ValueId> by_begin() const {
    std::vector<ValueId> order;
    for (ValueId value = 0; value < values_.size(); ++value) {
      if (intervals_[value].used) {
        order.push_back(value);
      }
    }
    std::stable_sort(order.begin(), order.end(), [this](ValueId a, ValueId b) {
      return intervals_[a].begin < intervals_[b].begin;
    });
    return order;
  }

  void release_before(std::size_t begin, const Allocation& made) {
    const auto done = [this, begin](ValueId value) { return intervals_[value].end < begin; };
    for (const ValueId value : active_) {
      if (done(value)) {
        files_[static_cast<std::size_t>(values_[value].file)].release(
            made.first[value], values_[value].width, intervals_[value].end + 1);
      }
    }
    active_.erase(std::remove_if(active_.begin(), active_.end(), done), active_.end());
  }

  void report(ValueId value, Overflow* overflow) const {
    if (overflow == nullptr) {
      return;
    }
    overflow->file = values_[value].file;
    overflow->position = intervals_[value].begin / 2;
    overflow->live = {value};
    for (const ValueId other : active_) {
      if (values_[other].file == values_[value].file) {
        overflow->live.push_back(other);
      }
    }
  }

  const std::vector<Value>& values_;
  std::vector<Interval> intervals_;
  std::array<File, 3> files_;
  std::vector<ValueId> active_;
};

}  // namespace

std::optional<Allocation> allocate_registers(const DraftProgram& program,
                                             const RegisterLimits& limits, bool spread,
                                             Overflow* overflow) {
  return LinearScan(program, limits).run(spread, overflow);
}

}  // namespace smsim::sass
