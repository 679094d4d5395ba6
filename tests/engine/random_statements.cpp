#include "tests/engine/random_statements.hpp"

#include <algorithm>

namespace smsim::test {

void RandomStatements::make_arrays() {
  for (int i = random_.between(0, 3); i > 0; --i) {
    Array array;
    array.name = "a" + std::to_string(i);
    array.bytes = static_cast<std::uint64_t>(random_.one_of({128, 2000, 10000, 1000000}));
    array.bytes_per_sm = random_.one_in(3) ? 0 : array.bytes / 2;
    array.reuse = random_.one_in(2) ? Array::Reuse::random : Array::Reuse::streaming;
    program_.program.arrays.push_back(array);
  }
}

void RandomStatements::statements(int count, int depth) {
  for (int i = 0; i < count; ++i) {
    const int kind = depth < 3 ? random_.between(0, 9) : 9;
    const auto body = [&] { statements(random_.between(1, 3), depth + 1); };
    if (kind == 0) {
      program_.loop(trips(), body);
    } else if (kind == 1) {
      program_.branch(condition(), body, random_.one_in(2) ? Body(body) : Body());
    } else if (kind == 2) {
      route(depth);
    } else {
      instruction();
    }
  }
}

// Stall count, yield and scoreboards at random: none of them can be wrong, only slow or fast.
void RandomStatements::add(Instruction in) {
  in.stall_cycles =
      static_cast<std::uint8_t>(random_.one_in(2) ? random_.between(0, 2) : random_.between(0, 15));
  in.yield = random_.one_in(5);
  if (random_.one_in(3)) in.wait_mask = static_cast<std::uint8_t>(random_.between(0, 63));
  if (random_.one_in(8)) in.predicate = program_.condition(condition());
  program_.add(in);
}

void RandomStatements::instruction() {
  switch (random_.between(0, 11)) {
    case 0:
    case 1:
      for (int i = random_.between(1, 12); i > 0; --i) {
        Instruction in = ProgramBuilder::op(random_.one_in(4) ? Pipe::none : Pipe::fma);
        in.bank_reads = bank_reads();
        program_.add(in);
      }
      return;
    case 2:
    case 3: {
      const auto pipe = static_cast<Pipe>(random_.one_of({1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 12}));
      Instruction in = ProgramBuilder::op(pipe, 1, random_.one_of({1, 2, 2, 4, 16}));
      in.bank_reads = bank_reads();
      add(in);
      return;
    }
    case 4:
      complete_later();
      return;
    case 5: {
      Instruction in = ProgramBuilder::act(Action::mio);
      in.pipe = random_.one_in(2) ? Pipe::lsu : Pipe::adu;
      in.latency_cycles = static_cast<std::uint16_t>(random_.between(0, 60));
      in.write_scoreboard = static_cast<std::uint8_t>(random_.between(0, 7));
      in.read_scoreboard = static_cast<std::uint8_t>(random_.between(0, 7));
      add(in);
      return;
    }
    case 6:
      if (random_.one_in(2)) {
        Instruction in = ProgramBuilder::act(Action::sleep);
        in.latency_cycles = static_cast<std::uint16_t>(random_.between(0, 150));
        add(in);
      } else {
        add(ProgramBuilder::act(Action::fence, static_cast<std::uint16_t>(random_.between(0, 2))));
      }
      return;
    default:
      memory();
  }
}

std::array<std::uint8_t, 2> RandomStatements::bank_reads() {
  const int most = random_.one_in(4) ? 3 : 1;
  return {static_cast<std::uint8_t>(random_.between(0, most)),
          static_cast<std::uint8_t>(random_.between(0, most))};
}

void RandomStatements::complete_later() {
  Instruction in = ProgramBuilder::act(Action::complete_later);
  in.pipe = static_cast<Pipe>(random_.one_of({0, 1, 5, 6, 6, 7, 7, 8, 12}));
  in.issue_interval_cycles = static_cast<std::uint8_t>(random_.between(1, 16));
  in.latency_cycles = static_cast<std::uint16_t>(random_.between(0, 100));
  in.write_scoreboard = static_cast<std::uint8_t>(random_.between(0, 7));
  in.read_scoreboard = static_cast<std::uint8_t>(random_.between(0, 7));
  add(in);
}

MemoryAccess RandomStatements::global_access() {
  MemoryAccess access;
  access.bytes_per_thread = static_cast<std::uint8_t>(random_.one_of({1, 4, 8, 16}));
  access.lines = static_cast<std::uint16_t>(random_.one_in(3) ? random_.between(1, 32)
                                                              : random_.between(1, 4));
  access.sectors = static_cast<std::uint16_t>(random_.between(access.lines, 4 * access.lines));
  access.scales_with_lanes = !random_.one_in(4);
  const int arrays = static_cast<int>(program_.program.arrays.size());
  if (arrays > 0 && random_.one_in(2)) {
    access.array = static_cast<std::uint16_t>(random_.between(0, arrays - 1));
  }
  if (random_.one_in(4)) {
    access.mean_lines = 0.3 * random_.between(3, 40);
    access.mean_sectors = access.mean_lines * 0.3 * random_.between(4, 13);
  }
  const auto rate = [&] { return access.array == kNoArray ? 0.25 * random_.between(0, 4) : -1.0; };
  access.l1_hit = rate();
  access.l2_hit = rate();
  return access;
}

void RandomStatements::memory() {
  MemoryAccess access = global_access();
  const int space = random_.between(0, 9);
  access.space = space < 5   ? Space::global
                 : space < 6 ? Space::local
                 : space < 9 ? Space::shared
                             : Space::dsmem;
  if (access.space == Space::shared) {
    access.wavefronts = static_cast<std::uint16_t>(random_.one_in(2) ? 1 : random_.between(1, 32));
    if (random_.one_in(4)) access.mean_wavefronts = 0.3 * random_.between(4, 40);
  }
  access.kind = static_cast<AccessKind>(random_.one_of({0, 0, 0, 1, 1, 2, 3, 4}));
  if (access.kind == AccessKind::async_copy && access.space != Space::global) {
    access.kind = AccessKind::load;
  }
  if (access.space == Space::dsmem && access.kind != AccessKind::load)
    access.kind = AccessKind::store;
  if (access.kind == AccessKind::atomic || access.kind == AccessKind::reduction) {
    access.distinct_addresses = static_cast<std::uint32_t>(random_.one_of({0, 1, 16, 5000}));
    access.lanes_per_address = static_cast<std::uint16_t>(random_.one_of({1, 2, 32}));
  }
  Instruction in = program_.access(access);
  const bool result = access.kind != AccessKind::store && access.kind != AccessKind::reduction;
  if (result && !random_.one_in(6)) {
    in.write_scoreboard = static_cast<std::uint8_t>(random_.between(0, 5));
  }
  if (random_.one_in(2)) in.read_scoreboard = static_cast<std::uint8_t>(random_.between(0, 5));
  add(in);
}

Condition RandomStatements::condition() {
  const auto threads = static_cast<int>(launch_.block.count());
  const auto blocks = static_cast<int>(launch_.grid.count());
  Condition condition;
  condition.kind = static_cast<Condition::Kind>(random_.one_of({0, 0, 0, 1, 2, 3, 4, 6}));
  condition.scope = static_cast<Scope>(random_.between(0, 4));
  condition.fraction = 0.1 * random_.between(0, 10);
  int most = 32;
  if (condition.kind == Condition::Kind::warp_range) most = (threads + 31) / 32;
  if (condition.kind == Condition::Kind::thread_range) most = threads;
  if (condition.kind == Condition::Kind::block_range) most = blocks;
  if (condition.kind == Condition::Kind::index_below) most = threads * blocks;
  condition.first = static_cast<std::uint64_t>(random_.between(0, most / 2));
  condition.last = static_cast<std::uint64_t>(random_.between(0, most));
  return condition;
}

Distribution RandomStatements::distribution() {
  Distribution distribution;
  distribution.kind = static_cast<Distribution::Kind>(random_.between(0, 6));
  distribution.mean = random_.between(1, 3);
  distribution.spread = random_.between(2, 4);
  distribution.share = 0.25 * random_.between(0, 4);
  distribution.minimum = random_.between(0, 1);
  distribution.maximum = random_.between(1, 5);
  return distribution;
}

TripCount RandomStatements::trips() {
  TripCount trips;
  trips.kind = static_cast<TripCount::Kind>(random_.between(0, 3));
  trips.scope = static_cast<Scope>(random_.between(0, 4));
  trips.count = static_cast<std::uint64_t>(random_.between(0, 4));
  for (int i = random_.between(1, 4); i > 0; --i) {
    trips.list.push_back(static_cast<std::uint32_t>(random_.between(0, 4)));
  }
  trips.distribution = distribution();
  trips.items = launch_.grid.count() * launch_.block.count() *
                static_cast<std::uint64_t>(random_.between(0, 3));
  trips.items += static_cast<std::uint64_t>(random_.between(0, 50));
  return trips;
}

TripCount RandomStatements::trips_of_a_block() {
  TripCount trips = this->trips();
  if (trips.kind == TripCount::Kind::grid_stride) trips.kind = TripCount::Kind::constant;
  trips.scope = random_.one_in(2) ? Scope::block : Scope::grid;
  return trips;
}

// A branch known by its numbers alone: over a part of the code, or back to its beginning.
void RandomStatements::route(int depth) {
  const bool loop = random_.one_in(2);
  const auto body = [&] { statements(random_.between(1, 3), depth + 1); };
  Route route;
  route.pattern = static_cast<Route::Pattern>(random_.between(0, loop ? 1 : 2));
  route.scope = random_.one_in(2) ? Scope::warp : Scope::block;
  route.first_warps = static_cast<std::uint32_t>(random_.between(0, 4));
  route.taken = 0.1 * random_.between(0, loop ? 8 : 10);
  route.split = random_.one_in(2) ? 0 : route.taken * 0.25 * random_.between(0, 3);
  program_.add(program_.flow(Flow::converge_open));
  if (loop) {
    const std::uint32_t top = program_.here();
    body();
    route.target_pc = top;
    add_route(route);
  } else {
    const std::size_t index = add_route(route);
    body();
    const bool exits = route.split == 0 && somebody_left_ && random_.one_in(4);
    program_.program.routes[index].target_pc = exits ? kExitPc : program_.here();
  }
  program_.add(program_.flow(Flow::converge));
}

std::size_t RandomStatements::add_route(const Route& route) {
  program_.program.routes.push_back(route);
  const std::size_t index = program_.program.routes.size() - 1;
  program_.add(
      program_.flow(Flow::route, static_cast<std::uint32_t>(index), random_.between(0, 6)));
  return index;
}

void RandomStatements::leave_early() {
  Instruction in =
      program_.flow(Flow::guard, program_.condition(condition()), random_.between(0, 15));
  program_.add(in);
  somebody_left_ = true;
}

}  // namespace smsim::test
