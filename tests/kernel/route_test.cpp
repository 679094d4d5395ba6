// Branches of which only the numbers are known: spread over warps and visits without chance.
#include <cmath>
#include <map>

#include "sim/kernel/warp_flow.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

Instruction flow(Flow kind, std::uint32_t operand = 0) {
  Instruction in;
  in.flow = kind;
  in.flow_operand = operand;
  return in;
}

LaunchShape shape(std::uint64_t blocks, std::uint32_t warps) {
  LaunchShape shape;
  shape.blocks = blocks;
  shape.threads_per_block = 32 * warps;
  shape.warps_per_block = warps;
  return shape;
}

// How often each instruction is executed by each warp: [warp][pc].
std::vector<std::vector<int>> walk(const Program& program, const LaunchShape& shape) {
  std::vector<std::vector<int>> counts;
  for (std::uint64_t block = 0; block < shape.blocks; ++block) {
    for (std::uint32_t warp = 0; warp < shape.warps_per_block; ++warp) {
      counts.emplace_back(program.code.size());
      WarpFlow state = start_warp(program, shape, block, warp);
      do {
        ++counts.back()[state.pc];
      } while (follow(program, shape, state, 0) != FlowStep::exited);
    }
  }
  return counts;
}

int total(const std::vector<std::vector<int>>& counts, std::size_t pc) {
  int sum = 0;
  for (const auto& warp : counts) sum += warp[pc];
  return sum;
}

// 0: body, 1: route back to 0, 2: exit
Program loop(double trips) {
  Program program;
  Route route;
  route.pattern = Route::Pattern::loop_exit;
  route.taken = 1 - 1 / trips;
  program.routes = {route};
  program.code = {flow(Flow::next), flow(Flow::route, 0), flow(Flow::exit)};
  return program;
}

// 0: route over 1 to 2, 2: exit
Program branch(const Route& route) {
  Program program;
  program.routes = {route};
  program.routes[0].target_pc = 2;
  program.code = {flow(Flow::route, 0), flow(Flow::next), flow(Flow::exit)};
  return program;
}

}  // namespace

TEST_CASE("a whole number of trips is the same in every warp") {
  for (const double trips : {1.0, 2.0, 3.0, 7.0, 64.0, 1000.0}) {
    for (const auto& warp : walk(loop(trips), shape(5, 3))) CHECK(warp[0] == trips);
  }
}

TEST_CASE("other numbers of trips are rounded up or down and right on average") {
  const auto counts = walk(loop(3.4), shape(50, 4));
  for (const auto& warp : counts) CHECK((warp[0] == 3 || warp[0] == 4));
  CHECK(std::abs(total(counts, 0) - 3.4 * 200) <= 2);
}

TEST_CASE("a share of the warps jumps, to within a warp or two") {
  for (const double taken : {0.0, 0.1, 0.25, 0.5, 0.9, 1.0}) {
    Route route;
    route.taken = taken;
    const auto counts = walk(branch(route), shape(100, 4));
    CHECK(std::abs(total(counts, 1) - 400 * (1 - taken)) <= 3);
  }
}

TEST_CASE("branches behind one another are spread evenly together") {
  Program program;
  Route half;
  half.taken = 0.5;
  program.routes = {half, half};
  program.routes[0].target_pc = 3;
  program.routes[1].target_pc = 3;
  program.code = {flow(Flow::route, 0), flow(Flow::route, 1), flow(Flow::next), flow(Flow::exit)};
  const auto counts = walk(program, shape(200, 4));
  CHECK(std::abs(total(counts, 1) - 400) <= 4);
  CHECK(std::abs(total(counts, 2) - 200) <= 12);
}

TEST_CASE("blocks decide as one where they must") {
  Route route;
  route.taken = 0.3;
  route.scope = Scope::block;
  const auto counts = walk(branch(route), shape(100, 4));
  for (std::size_t block = 0; block < 100; ++block) {
    for (std::size_t warp = 1; warp < 4; ++warp) {
      CHECK(counts[block * 4 + warp][1] == counts[block * 4][1]);
    }
  }
  CHECK(std::abs(total(counts, 1) - 280) <= 8);
}

TEST_CASE("always the first warps of a block") {
  Route route;
  route.pattern = Route::Pattern::first_warps;
  route.first_warps = 3;
  const auto counts = walk(branch(route), shape(2, 8));
  for (std::size_t i = 0; i < counts.size(); ++i) CHECK(counts[i][1] == (i % 8 < 3 ? 1 : 0));
}

TEST_CASE("a split warp runs both sides and meets at the region's end, once for each part") {
  // 0: BSSY, 1: route to 4, 2: one side, 3: jump to 5, 4: other side, 5: BSYNC, 6: exit
  Program program;
  Route route;
  route.taken = 1;
  route.split = 1;
  route.target_pc = 4;
  program.routes = {route};
  program.code = {flow(Flow::converge_open), flow(Flow::route, 0), flow(Flow::next),
                  flow(Flow::jump, 5),       flow(Flow::next),     flow(Flow::converge),
                  flow(Flow::exit)};
  const auto counts = walk(program, shape(1, 1));
  CHECK(counts[0] == std::vector<int>{1, 1, 1, 1, 1, 2, 1});
}

TEST_CASE("without a region both parts exit for themselves") {
  Program program;
  Route route;
  route.taken = 1;
  route.split = 1;
  route.target_pc = 2;
  program.routes = {route};
  program.code = {flow(Flow::route, 0), flow(Flow::exit), flow(Flow::exit)};
  CHECK(walk(program, shape(1, 1))[0] == std::vector<int>{1, 1, 1});
}

TEST_CASE("calls return to behind themselves") {
  // 0: call 3, 1: call 3, 2: exit, 3: body, 4: return
  Program program;
  program.code = {flow(Flow::call, 3), flow(Flow::call, 3), flow(Flow::exit), flow(Flow::next),
                  flow(Flow::ret)};
  CHECK(walk(program, shape(1, 1))[0] == std::vector<int>{1, 1, 1, 2, 2});
}
