#include "sim/kernel/warp_flow.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "sim/kernel/random.hpp"
#include "sim/kernel/route_choice.hpp"

namespace smsim {
namespace {

constexpr std::uint64_t kLoopSalt = 0x100000000ULL;
constexpr std::uint64_t kBranchSalt = 0x200000000ULL;
constexpr std::uint64_t kTaskSalt = 0x300000000ULL;

class Walker {
 public:
  Walker(const Program& program, const LaunchShape& shape, WarpFlow& warp, std::uint64_t ticket)
      : program_(program), shape_(shape), warp_(warp), block_ticket_(ticket) {}

  FlowStep follow() {
    const Instruction& instruction = program_.code[warp_.pc];
    const std::uint32_t operand = instruction.flow_operand;
    switch (instruction.flow) {
      case Flow::next:
        return fall_through();
      case Flow::jump:
        return jump(operand);
      case Flow::loop_enter:
        return enter_loop(operand);
      case Flow::loop_back:
        return close_loop(program_.loops[operand]);
      case Flow::branch_if:
        return open_branch(program_.branches[operand]);
      case Flow::branch_else:
        return close_then_side(program_.branches[operand]);
      case Flow::branch_end:
        warp_.lanes = warp_.saved_lanes[program_.branches[operand].depth];
        return fall_through();
      case Flow::guard:
        warp_.lanes = lanes_where(program_.conditions[operand], operand);
        return warp_.lanes == 0 ? FlowStep::exited : fall_through();
      case Flow::task_check:
        return take_task(program_.task_loops[operand]);
      case Flow::task_back:
        return next_task(program_.task_loops[operand]);
      case Flow::spin_back:
        return spin(operand);
      case Flow::route:
        return choose(operand);
      case Flow::converge_open:
        part({Parting::Kind::region, 0});
        return fall_through();
      case Flow::converge:
        return converge();
      case Flow::call:
        part({Parting::Kind::call, warp_.pc + 1});
        return jump(operand);
      case Flow::ret:
        return come_back();
      case Flow::recorded:
        return next_step();
      case Flow::exit:
        return exit_part();
    }
    return FlowStep::exited;
  }

  std::uint8_t lanes_where(std::uint32_t condition) {
    return lanes_where(program_.conditions[condition], condition);
  }

 private:
  FlowStep fall_through() {
    ++warp_.pc;
    return FlowStep::fell_through;
  }

  FlowStep jump(std::uint32_t pc) {
    warp_.pc = pc;
    return FlowStep::jumped;
  }

  FlowStep enter_loop(std::uint32_t index) {
    const Loop& loop = program_.loops[index];
    const bool by_lane = trips_differ_by_lane(loop) && warp_.lane_loop_depth == kNoLaneLoop;
    const std::uint32_t trips = by_lane ? enter_lane_loop(loop, index) : trip_count(loop, index);
    warp_.trips_left[loop.depth] = trips;
    if (trips > 0) return fall_through();
    if (by_lane) leave_lane_loop();
    return jump(loop.end_pc);
  }

  FlowStep close_loop(const Loop& loop) {
    const std::uint32_t left = --warp_.trips_left[loop.depth];
    if (warp_.lane_loop_depth == loop.depth && trips_differ_by_lane(loop)) {
      if (left == 0) {
        leave_lane_loop();
      } else {
        keep_lanes_beyond(warp_.lane_trips.front() - left);
      }
    }
    return left > 0 ? jump(loop.begin_pc) : fall_through();
  }

  // Draws the trips of every lane; returns the most.
  std::uint32_t enter_lane_loop(const Loop& loop, std::uint32_t index) {
    const TripCount& trips = loop.trips;
    const std::uint32_t drawn = trips.draw_of == kOwnDraw ? index : trips.draw_of;
    const std::uint64_t key = mix(shape_.seed, kLoopSalt + drawn, unit(Scope::thread));
    for (std::uint64_t lane = 0; lane < warp_.lanes; ++lane) {
      const std::uint64_t count = draw(trips.distribution, mix(key, lane));
      warp_.lane_trips[lane] = clamp_trips(trips_of(trips, count));
    }
    std::sort(warp_.lane_trips.begin(), warp_.lane_trips.begin() + warp_.lanes,
              std::greater<std::uint32_t>());
    warp_.lane_loop_depth = loop.depth;
    warp_.lanes_before_loop = warp_.lanes;
    keep_lanes_beyond(0);
    return warp_.lane_trips.front();
  }

  // An unrolled loop and the loop for its remainder share a count.
  static std::uint64_t trips_of(const TripCount& trips, std::uint64_t count) {
    if (trips.unroll <= 1) return count;
    return trips.remainder ? count % trips.unroll : count / trips.unroll;
  }

  void keep_lanes_beyond(std::uint32_t trips_done) {
    while (warp_.lanes > 0 && warp_.lane_trips[warp_.lanes - 1U] <= trips_done) --warp_.lanes;
  }

  void leave_lane_loop() {
    warp_.lanes = warp_.lanes_before_loop;
    warp_.lane_loop_depth = kNoLaneLoop;
  }

  static std::uint32_t clamp_trips(std::uint64_t trips) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(trips, std::numeric_limits<std::uint32_t>::max()));
  }

  FlowStep open_branch(const Branch& branch) {
    const std::uint8_t holding =
        lanes_where(program_.conditions[branch.condition], branch.condition);
    warp_.saved_lanes[branch.depth] = warp_.lanes;
    if (holding == 0) return jump(branch.else_pc);
    const auto bit = static_cast<std::uint16_t>(1U << branch.depth);
    if (holding < warp_.lanes && branch.else_pc != branch.end_pc) warp_.split |= bit;
    warp_.lanes = holding;
    return fall_through();
  }

  FlowStep close_then_side(const Branch& branch) {
    const auto bit = static_cast<std::uint16_t>(1U << branch.depth);
    if ((warp_.split & bit) == 0) return jump(branch.end_pc);
    warp_.split &= static_cast<std::uint16_t>(~bit);
    warp_.lanes = static_cast<std::uint8_t>(warp_.saved_lanes[branch.depth] - warp_.lanes);
    return jump(branch.else_pc);
  }

  FlowStep take_task(const TaskLoop& loop) {
    const TaskQueue& queue = program_.queues[loop.queue];
    const std::uint64_t ticket = loop.per_block ? block_ticket_ : warp_.ticket;
    const std::uint64_t unit = loop.per_block ? warp_.block : global_warp();
    const std::uint64_t batch = loop.dynamic ? ticket : unit + warp_.static_stride;
    const std::uint64_t batches = (queue.tasks + loop.batch - 1) / loop.batch;
    if (batch >= batches) return jump(loop.end_pc);
    warp_.task = batch * loop.batch;
    warp_.task_end = std::min<std::uint64_t>(warp_.task + loop.batch, queue.tasks);
    const std::uint64_t units =
        loop.per_block ? shape_.blocks : shape_.blocks * shape_.warps_per_block;
    warp_.static_stride += units;
    return fall_through();
  }

  FlowStep next_task(const TaskLoop& loop) {
    if (warp_.task + 1 < warp_.task_end) {
      ++warp_.task;
      return jump(loop.body_pc);
    }
    return jump(loop.fetch_pc);
  }

  FlowStep choose(std::uint32_t index) {
    const Route& route = program_.routes[index];
    switch (
        choose_way(route, warp_.warp, &warp_.route_phases[kPhasesPerRoute * std::size_t{index}])) {
      case Way::fall_through:
        return fall_through();
      case Way::both:
        part({Parting::Kind::part, route.target_pc});
        return fall_through();
      case Way::jump:
        break;
    }
    return route.target_pc == kExitPc ? exit_part() : jump(route.target_pc);
  }

  // Regions that are never closed (a jump out of one) push the oldest out.
  void part(Parting parting) {
    if (warp_.partings_open == kMaxPartings) {
      std::copy(warp_.partings.begin() + 1, warp_.partings.end(), warp_.partings.begin());
      --warp_.partings_open;
    }
    warp_.partings[warp_.partings_open++] = parting;
  }

  FlowStep converge() {
    if (warp_.partings_open == 0) return fall_through();
    const Parting top = warp_.partings[warp_.partings_open - 1U];
    if (top.kind == Parting::Kind::call) return fall_through();
    --warp_.partings_open;
    return top.kind == Parting::Kind::part ? jump(top.pc) : fall_through();
  }

  FlowStep come_back() {
    while (warp_.partings_open > 0) {
      const Parting top = warp_.partings[--warp_.partings_open];
      if (top.kind != Parting::Kind::region) return jump(top.pc);
    }
    return FlowStep::exited;
  }

  FlowStep exit_part() {
    while (warp_.partings_open > 0) {
      const Parting top = warp_.partings[--warp_.partings_open];
      if (top.kind == Parting::Kind::part) return jump(top.pc);
    }
    return FlowStep::exited;
  }

  FlowStep next_step() {
    if (warp_.step + 1 >= warp_.recorded->steps.size()) return FlowStep::exited;
    const RecordedStep& step = warp_.recorded->steps[++warp_.step];
    warp_.lanes = step.lanes;
    return step.pc == warp_.pc + 1 ? fall_through() : jump(step.pc);
  }

  FlowStep spin(std::uint32_t index) {
    if (!warp_.poll_satisfied) return jump(program_.spins[index].poll_pc);
    ++warp_.epoch[index];
    return fall_through();
  }

  [[nodiscard]] std::uint64_t global_warp() const {
    return (warp_.block * shape_.warps_per_block) + warp_.warp;
  }

  [[nodiscard]] std::uint64_t unit(Scope scope) {
    switch (scope) {
      case Scope::thread:
      case Scope::warp:
        return global_warp();
      case Scope::block:
        return warp_.block;
      case Scope::grid:
        return 0;
      case Scope::visit:
        return mix(global_warp(), ++warp_.visits);
    }
    return 0;
  }

  std::uint32_t trip_count(const Loop& loop, std::uint32_t index) {
    const TripCount& trips = loop.trips;
    std::uint64_t count = 0;
    switch (trips.kind) {
      case TripCount::Kind::constant:
        count = trips.count;
        break;
      case TripCount::Kind::list:
        count = trips.list[unit(trips.scope) % trips.list.size()];
        break;
      case TripCount::Kind::distribution:
        count = drawn_trips(trips, kLoopSalt + (trips.draw_of == kOwnDraw ? index : trips.draw_of));
        break;
      case TripCount::Kind::grid_stride:
        count = grid_stride_trips(trips.items);
        break;
      case TripCount::Kind::task_work:
        count = task_work();
        break;
    }
    return clamp_trips(trips_of(trips, count));
  }

  // A warp runs as long as its longest lane.
  std::uint64_t drawn_trips(const TripCount& trips, std::uint64_t salt) {
    const std::uint64_t key = mix(shape_.seed, salt, unit(trips.scope));
    if (trips.scope != Scope::thread) return draw(trips.distribution, key);
    std::uint64_t longest = 0;
    for (std::uint64_t lane = 0; lane < warp_.lanes; ++lane) {
      longest = std::max(longest, draw(trips.distribution, mix(key, lane)));
    }
    return longest;
  }

  [[nodiscard]] std::uint64_t first_thread() const {
    return (warp_.block * shape_.threads_per_block) + (std::uint64_t{warp_.warp} * 32);
  }

  [[nodiscard]] std::uint64_t grid_stride_trips(std::uint64_t items) const {
    const std::uint64_t stride = shape_.blocks * shape_.threads_per_block;
    const std::uint64_t first = first_thread();
    return first < items ? (items - first + stride - 1) / stride : 0;
  }

  [[nodiscard]] std::uint64_t task_work() const {
    if (program_.queues.empty()) return 0;
    const TaskQueue& queue = program_.queues.front();
    if (!queue.work_list.empty()) return queue.work_list[warp_.task % queue.work_list.size()];
    return draw(queue.work, mix(shape_.seed, kTaskSalt, warp_.task));
  }

  // Active lanes that lie in [first, last) when lane 0 is number `base`.
  [[nodiscard]] std::uint8_t lanes_between(std::uint64_t base, std::uint64_t first,
                                           std::uint64_t last) const {
    const std::uint64_t low = std::max(base, first);
    const std::uint64_t high = std::min(base + warp_.lanes, last);
    return high > low ? static_cast<std::uint8_t>(high - low) : 0;
  }

  [[nodiscard]] std::uint8_t all_lanes_if(bool holds) const { return holds ? warp_.lanes : 0; }

  std::uint8_t lanes_where(const Condition& condition, std::uint32_t index) {
    const auto inside = [&](std::uint64_t value) {
      return value >= condition.first && value < condition.last;
    };
    switch (condition.kind) {
      case Condition::Kind::fraction:
        return drawn_lanes(condition, kBranchSalt + index);
      case Condition::Kind::warp_range:
        return all_lanes_if(inside(warp_.warp));
      case Condition::Kind::thread_range:
        return lanes_between(std::uint64_t{warp_.warp} * 32, condition.first, condition.last);
      case Condition::Kind::block_range:
        return all_lanes_if(inside(warp_.block));
      case Condition::Kind::index_below:
        return lanes_between(first_thread(), 0, condition.last);
      case Condition::Kind::last_ticket:
        return all_lanes_if(block_ticket_ + 1 == condition.last);
      case Condition::Kind::lane_range:
        return lanes_between(0, condition.first, condition.last);
      case Condition::Kind::recorded:
        return warp_.lanes;
    }
    return 0;
  }

  std::uint8_t drawn_lanes(const Condition& condition, std::uint64_t salt) {
    if (condition.scope != Scope::thread) {
      const std::uint64_t key = mix(shape_.seed, salt, unit(condition.scope));
      return all_lanes_if(unit_interval(key) < condition.fraction);
    }
    const std::uint64_t key = mix(shape_.seed, salt, unit(Scope::visit));
    std::uint8_t holding = 0;
    for (std::uint64_t lane = 0; lane < warp_.lanes; ++lane) {
      if (unit_interval(mix(key, lane)) < condition.fraction) ++holding;
    }
    return holding;
  }

  const Program& program_;
  const LaunchShape& shape_;
  WarpFlow& warp_;
  std::uint64_t block_ticket_;
};

}  // namespace

LaunchShape launch_shape(const LaunchSpec& launch) {
  LaunchShape shape;
  shape.seed = launch.seed;
  shape.blocks = launch.grid.count();
  shape.threads_per_block = static_cast<std::uint32_t>(launch.block.count());
  shape.warps_per_block = (shape.threads_per_block + 31) / 32;
  return shape;
}

WarpFlow start_warp(const Program& program, const LaunchShape& shape, std::uint64_t block,
                    std::uint32_t warp) {
  WarpFlow flow;
  flow.block = block;
  flow.warp = warp;
  flow.lanes = static_cast<std::uint8_t>(std::min(32U, shape.threads_per_block - (warp * 32)));
  const std::uint64_t number = (block * shape.warps_per_block) + warp;
  for (std::size_t i = 0; i < program.routes.size(); ++i) {
    const Route& route = program.routes[i];
    first_phases(route, i, route.scope == Scope::block ? block : number, flow.route_phases);
  }
  return flow;
}

void follow_trace(WarpFlow& warp, const RecordedWarp& recorded) {
  warp.recorded = &recorded;
  warp.step = 0;
  warp.pc = recorded.steps.front().pc;
  warp.lanes = recorded.steps.front().lanes;
}

FlowStep follow(const Program& program, const LaunchShape& shape, WarpFlow& warp,
                std::uint64_t block_ticket) {
  return Walker(program, shape, warp, block_ticket).follow();
}

std::uint8_t lanes_where(const Program& program, const LaunchShape& shape, WarpFlow& warp,
                         std::uint64_t block_ticket, std::uint32_t condition) {
  return Walker(program, shape, warp, block_ticket).lanes_where(condition);
}

std::int64_t flag_index(const Program& program, const MemoryAccess& access, std::uint64_t block) {
  const std::int64_t index = static_cast<std::int64_t>(access.queue) +
                             (access.flag_per_block * static_cast<std::int64_t>(block)) +
                             access.flag_offset;
  return index < 0 || index >= static_cast<std::int64_t>(program.flags) ? -1 : index;
}

std::uint64_t awaited_value(const Program& program, std::uint16_t access, const WarpFlow& warp) {
  const MemoryAccess& poll = program.accesses[access];
  std::uint64_t epoch = 0;
  for (std::size_t i = 0; i < program.spins.size(); ++i) {
    if (program.spins[i].access == access) epoch = warp.epoch[i];
  }
  return poll.amount + (poll.amount_per_epoch * epoch);
}

}  // namespace smsim
