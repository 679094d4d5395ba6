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

  std::optional<Allocation> run(bool spread, RegisterFile* overflow) {
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
        if (overflow != nullptr) {
          *overflow = values_[value].file;
        }
        return std::nullopt;
      }
      file.take(first, values_[value].width);
      made.first[value] = first;
      active_.push_back(value);
    }
    made.vector_used = files_[0].used();
    return made;
  }

  // Goes through the program as if what does not fit were in memory.
  std::vector<ValueId> spills(const std::vector<double>& rank) {
    std::vector<ValueId> moved;
    Allocation made;
    made.first.assign(values_.size(), -1);
    for (const ValueId value : by_begin()) {
      if (values_[value].name == "stack" || values_[value].file != RegisterFile::vector) {
        continue;
      }
      release_before(intervals_[value].begin, made);
      if (make_room(value, rank, made, moved)) {
        made.first[value] = files_[0].find(values_[value].width, false);
        files_[0].take(made.first[value], values_[value].width);
        active_.push_back(value);
      }
    }
    return moved;
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

  // Makes room for a value by moving others, or itself, out. False: it is out itself.
  bool make_room(ValueId value, const std::vector<double>& rank, Allocation& made,
                 std::vector<ValueId>& moved) {
    File& file = files_[0];
    while (file.find(values_[value].width, false) < 0) {
      ValueId worst = value;
      for (const ValueId other : active_) {
        if (values_[other].file == RegisterFile::vector && rank[other] > rank[worst]) {
          worst = other;
        }
      }
      if (rank[worst] < 0) {
        return false;
      }
      moved.push_back(worst);
      if (worst == value) {
        return false;
      }
      file.release(made.first[worst], values_[worst].width, 0);
      active_.erase(std::find(active_.begin(), active_.end(), worst));
    }
    return true;
  }

  const std::vector<Value>& values_;
  std::vector<Interval> intervals_;
  std::array<File, 3> files_;
  std::vector<ValueId> active_;
};

}  // namespace

std::optional<Allocation> allocate_registers(const DraftProgram& program,
                                             const RegisterLimits& limits, bool spread,
                                             RegisterFile* overflow) {
  return LinearScan(program, limits).run(spread, overflow);
}

int register_pressure(const DraftProgram& program) {
  const std::vector<Interval> intervals = live_intervals(program, build_flow_graph(program));
  std::vector<int> change(2 * program.code.size() + 3, 0);
  for (std::size_t value = 0; value < intervals.size(); ++value) {
    const bool counts = intervals[value].used && program.values[value].name != "stack" &&
                        program.values[value].file == RegisterFile::vector;
    if (counts) {
      change[intervals[value].begin] += program.values[value].width;
      change[intervals[value].end + 1] -= program.values[value].width;
    }
  }
  int now = !program.values.empty() && program.values[0].name == "stack" ? 1 : 0;
  int most = now;
  for (const int step : change) {
    now += step;
    most = std::max(most, now);
  }
  return most;
}

std::vector<ValueId> choose_spills(const DraftProgram& program, const RegisterLimits& limits,
                                   const std::vector<double>& rank) {
  return LinearScan(program, limits).spills(rank);
}

}  // namespace smsim::sass
