#include "sim/import/counted_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace smsim {

namespace {

bool nearly_whole(double value) {
  return std::abs(value - std::round(value)) < 1e-6;
}

class RouteFinder {
 public:
  RouteFinder(const std::vector<CountedLine>& lines, std::uint64_t blocks,
              std::uint32_t warps_per_block)
      : graph_(build_counted_graph(lines)),
        warps_per_block_(warps_per_block),
        warps_(static_cast<double>(blocks) * warps_per_block) {}

  CountedRoutes run() {
    for (std::size_t i = 0; i < graph_.blocks.size(); ++i) {
      if (graph_.blocks[i].conditional) add(i);
    }
    if (!graph_.complete) {
      found_.notes.emplace_back(
          "some branches' outcomes do not follow from the counts: they are assumed");
    }
    return std::move(found_);
  }

 private:
  void add(std::size_t number) {
    const CountedBlock& block = graph_.blocks[number];
    Route route;
    if (block.executed > 0) {
      if (block.exits) {
        route.taken = std::clamp((block.executed - block.falls) / block.executed, 0.0, 1.0);
      } else {
        route.taken = std::clamp(block.jumps / block.executed, 0.0, 1.0);
        const double both = block.jumps + block.falls - block.executed;
        route.split = std::clamp(both / block.executed, 0.0, route.taken);
      }
      choose_pattern(number, route);
    }
    found_.routes.emplace_back(block.end - 1, route);
  }

  void choose_pattern(std::size_t number, Route& route) const {
    const CountedBlock& block = graph_.blocks[number];
    const auto loop = graph_.loop_of(number);
    const bool leaves =
        loop && graph_.loops[*loop].has_exit && graph_.loops[*loop].exit_block == number;
    if (leaves) {
      const CountedLoop& around = graph_.loops[*loop];
      route.pattern = Route::Pattern::loop_exit;
      route.jump_leaves = !around.blocks[*block.target];
      if (has_barrier(around.blocks)) route.scope = Scope::block;
      return;
    }
    const bool varies = route.taken > 0 && (route.taken < 1 || route.split > 0);
    if (!varies) return;
    if (has_barrier(graph_.between(number))) {
      route.scope = Scope::block;
      return;
    }
    // Every warp is here equally often, and of each block as many go either way: the same ones.
    const double fall = 1 - route.taken + route.split;
    const bool all_warps = nearly_whole(block.executed / warps_);
    const double falling = fall * warps_per_block_;
    if (all_warps && warps_per_block_ > 1 && nearly_whole(falling) && falling > 0.5 &&
        falling < warps_per_block_ + 0.5 && nearly_whole(route.split * warps_per_block_)) {
      route.pattern = Route::Pattern::first_warps;
      route.first_warps = static_cast<std::uint32_t>(std::lround(falling));
      route.split = route.split * warps_per_block_ / falling;
      route.taken = 1;
    }
  }

  bool has_barrier(const std::vector<bool>& inside) const {
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (inside[i] && graph_.blocks[i].barrier) return true;
    }
    return false;
  }

  CountedGraph graph_;
  std::uint32_t warps_per_block_;
  double warps_;
  CountedRoutes found_;
};

}  // namespace

CountedRoutes routes_of(const std::vector<CountedLine>& lines, std::uint64_t blocks,
                        std::uint32_t warps_per_block) {
  return RouteFinder(lines, blocks, warps_per_block).run();
}

}  // namespace smsim
