// Loops: counter, test and branch; unrolled copies; grid-stride loops; repeats.
#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

namespace {

using Kind = TripCount::Kind;

double mean_trips(const TripCount& trips) {
  switch (trips.kind) {
    case Kind::constant:
      return static_cast<double>(trips.count);
    case Kind::list: {
      double sum = 0;
      for (const std::uint32_t value : trips.list) {
        sum += value;
      }
      return trips.list.empty() ? 0 : sum / static_cast<double>(trips.list.size());
    }
    case Kind::distribution:
      return trips.distribution.mean;
    default:
      return 1;
  }
}

}  // namespace

void Lowering::lower(const ForStatement& loop, SourcePosition at) {
  if (loops_.size() + 2 > kMostNestedLoops) {
    problem(at, fmt::format("found more than {} loops inside each other, expected fewer",
                            kMostNestedLoops));
    return;
  }
  if (const std::uint64_t copies = copies_for_groups(loop); copies != loop.unroll) {
    if (loop.trips.kind != Kind::constant) {
      problem(at,
              "found asynchronous copies in flight around a loop whose trips vary, expected a "
              "constant number of trips");
      return;
    }
    ForStatement unrolled = loop;
    unrolled.unroll = copies;
    lower(unrolled, at);
    return;
  }
  const double outer_weight = weight_;
  if (loop.trips.kind == Kind::grid_stride) {
    const double threads = static_cast<double>(source_.launch.grid.count()) *
                           static_cast<double>(source_.launch.block.count());
    weight_ *= static_cast<double>(loop.trips.items) / std::max(1.0, threads);
    lower_grid_stride(loop, at);
  } else if (loop.trips.kind == Kind::constant && loop.trips.count <= loop.unroll) {
    lower_in_a_row(loop, loop.trips.count);
  } else {
    weight_ *= loop.trips.kind == Kind::task_work && source_.tasks
                   ? source_.tasks->work.mean
                   : mean_trips(loop.trips) / static_cast<double>(loop.unroll);
    lower_counted(loop, at);
  }
  weight_ = outer_weight;
}

void Lowering::append(Buffer& from) {
  if (!from.empty()) {
    close_branch();
  }
  current_->insert(current_->end(), std::make_move_iterator(from.begin()),
                   std::make_move_iterator(from.end()));
  from.clear();
}

void Lowering::lower_copies(const ForStatement& loop, std::uint64_t copies) {
  const int outer = copy_number_;
  for (std::uint64_t copy = 0; copy < copies && !too_large_; ++copy) {
    loops_.back().copy = copy;
    copy_number_ = copies > 1 ? ++copies_written_ : outer;
    lower_body(loop.body);
  }
  loops_.back().copy = 0;
  copy_number_ = outer;
}

void Lowering::lower_in_a_row(const ForStatement& loop, std::uint64_t copies) {
  enter_scope(loop.index, loop.body, false);
  lower_copies(loop, copies);
  leave_scope();
}

std::uint32_t Lowering::new_loop(const TripCount& trips) {
  Loop loop;
  loop.trips = trips;
  loop.depth = static_cast<std::uint8_t>(loop_depth_);
  loop.begin_pc = new_label();
  loop.end_pc = new_label();
  program_.tables.loops.push_back(loop);
  return static_cast<std::uint32_t>(program_.tables.loops.size() - 1);
}

// Counter against bound: a register that holds the bound, or a number; and a predicate that may end
// the loop earlier.
Draft Lowering::loop_test(Operand counter, const ForStatement& loop) {
  const Operand again{new_value("again", RegisterFile::predicate)};
  std::vector<Operand> sources{counter};
  std::string bound = loop.trips.kind == Kind::constant
                          ? fmt::format("{:#x}", loop.trips.count / loop.unroll * loop.unroll)
                          : std::string("c[0x0][trips]");
  std::string also = "PT";
  if (loop.bound) {
    const Resolved resolved = resolve(*loop.bound);
    if (resolved.operand) {
      sources.push_back(*resolved.operand);
    }
    const bool predicate = resolved.operand &&
                           program_.values[resolved.operand->value].file == RegisterFile::predicate;
    (predicate ? also : bound) = resolved.operand ? "%s1" : resolved.literal;
  }
  return draft("ISETP.LT.AND", fmt::format("%d0, PT, %s0, {}, {}", bound, also), {again}, sources);
}

// counter = 0; do { copies of the body; counter += copies } while (counter < bound); then, one by
// one, what the copies leave over.
void Lowering::lower_counted(const ForStatement& loop, SourcePosition at) {
  if (loop_depth_ >= kMaxLoopDepth) {
    problem(at, fmt::format("found a loop inside {} others, expected at most {} nested loops",
                            loop_depth_, kMaxLoopDepth));
    return;
  }
  const bool constant = loop.trips.kind == Kind::constant;
  TripCount trips = loop.trips;
  trips.count = constant ? trips.count / loop.unroll : trips.count;
  trips.unroll = constant ? 1 : static_cast<std::uint32_t>(loop.unroll);
  const bool diverges = !constant && loop.trips.scope == Scope::thread;
  const std::uint32_t number = new_loop(trips);
  if (diverges) {
    emit(draft("BSSY", "B0"));
  }
  Buffer* const outer = current_;
  Buffer body;
  enter_scope(loop.index, loop.body, true);
  current_ = &body;
  lower_iterations(loop, number, loop.unroll);
  lower_remainder(loop, number);
  current_ = outer;
  append(loops_.back().preheader);
  enter_loop(loop, number);
  append(body);
  leave_scope();
  if (diverges) {
    emit(draft("BSYNC", "B0"));
  }
}

// The loop itself: label, `copies` copies of the body, the way back, label.
void Lowering::lower_iterations(const ForStatement& loop, std::uint32_t number,
                                std::uint64_t copies) {
  ++loop_depth_;
  place(program_.tables.loops[number].begin_pc);
  lower_copies(loop, copies);
  const Operand counter{*loops_.back().counter};
  for (const Induction& induction : std::vector<Induction>(loops_.back().inductions)) {
    advance(induction, static_cast<std::int64_t>(copies));
  }
  count_up(draft("IADD3", fmt::format("%d0, %s0, {:#x}, RZ", copies), {counter}, {counter}),
           loop_test(counter, loop), number);
  place(program_.tables.loops[number].end_pc);
  --loop_depth_;
}

void Lowering::lower_remainder(const ForStatement& loop, std::uint32_t number) {
  if (loop.trips.kind == Kind::constant) {
    lower_copies(loop, loop.trips.count % loop.unroll);
  } else if (loop.unroll > 1) {
    TripCount trips = loop.trips;
    trips.unroll = static_cast<std::uint32_t>(loop.unroll);
    trips.remainder = true;
    trips.draw_of = number;
    const std::uint32_t rest = new_loop(trips);
    skip_loop(loop_test({*loops_.back().counter}, loop), rest);
    lower_iterations(loop, rest, 1);
  }
}

// What stands in front of the body. A loop that may run no times at all is jumped over.
void Lowering::enter_loop(const ForStatement& loop, std::uint32_t number) {
  if (source_.raw) {
    enter_raw_loop(number);
    return;
  }
  const Operand counter{*loops_.back().counter};
  Draft start = draft("MOV", "%d0, RZ", {counter});
  if (loop.trips.kind == Kind::constant || loop.at_least_once) {
    start.flow = Flow::loop_enter;
    start.flow_operand = number;
    emit(std::move(start));
    return;
  }
  emit(std::move(start));
  ForStatement before;
  before.trips = loop.trips;
  before.unroll = loop.unroll;
  const std::optional<Operand> bound = loop.bound ? resolve_operand(*loop.bound) : std::nullopt;
  if (!bound || program_.values[bound->value].file != RegisterFile::predicate) {
    before.bound = loop.bound;  // a predicate of the body has not been set yet
  }
  skip_loop(loop_test(counter, before), number);
}

// Without lowering no instruction sets a counter up: the one in front of the loop enters it.
void Lowering::enter_raw_loop(std::uint32_t number) {
  const bool usable = !current_->empty() && !current_->back().is_label() &&
                      current_->back().flow == Flow::next &&
                      current_->back().action == Action::none;
  if (!usable) {
    emit(draft("NOP", ""));
  }
  current_->back().flow = Flow::loop_enter;
  current_->back().flow_operand = number;
}

// Tests whether a loop runs at all.
void Lowering::skip_loop(Draft test, std::uint32_t number) {
  Draft skip = draft("BRA", "%L");
  add_guard(skip, test.results.front());
  emit(std::move(test));
  skip.flow = Flow::loop_enter;
  skip.flow_operand = number;
  emit(std::move(skip));
}

// The end of the body: the counter goes on, and the loop begins again while trips are left.
void Lowering::count_up(Draft step, Draft test, std::uint32_t number) {
  step.loop_control = true;
  test.loop_control = true;
  Draft back = draft("BRA", "%L");
  if (!source_.raw) {
    back.sources.push_back({test.results.front().value, kWhole, Role::guard});
    emit(std::move(step));
    emit(std::move(test));
  }
  back.flow = Flow::loop_back;
  back.flow_operand = number;
  emit(std::move(back));
}

}  // namespace smsim::sass
