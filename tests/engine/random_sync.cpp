#include "tests/engine/random_sync.hpp"

#include <algorithm>

namespace smsim::test {

void RandomSync::make_queues() {
  for (int i = 0; i < 2; ++i) {
    TaskQueue queue;
    queue.name = "q" + std::to_string(i);
    queue.tasks = static_cast<std::uint64_t>(random_.between(0, 40));
    for (int j = random_.between(0, 3); j > 0; --j) {
      queue.work_list.push_back(static_cast<std::uint32_t>(random_.between(0, 4)));
    }
    queue.work.mean = 2;
    program_.program.queues.push_back(queue);
  }
  program_.program.flags = static_cast<std::uint32_t>(launch_.grid.count());
}

void RandomSync::one(bool somebody_left, int depth) {
  const int kind = somebody_left ? random_.one_of({0, 4, 6}) : random_.between(0, 7);
  switch (kind) {
    case 1:
      arrive_and_sync();
      break;
    case 2:
      if (program_.program.mbarriers.size() + 2 <= kMaxMbarriers && warps_ > 1) producer_consumer();
      break;
    case 3:
      dynamic_tasks(true);
      break;
    case 4:
      if (random_.one_in(2)) {
        dynamic_tasks(false);
      } else {
        static_tasks();
      }
      break;
    case 5:
      if (program_.program.spins.empty() && depth == 0) wait_for_previous_block();
      break;
    case 6:
      if (depth == 0) cluster_barrier(!somebody_left);
      break;
    default:
      block_barrier(somebody_left);
  }
}

void RandomSync::block_barrier(bool somebody_left) {
  const bool counted = !somebody_left && random_.one_in(3);
  program_.barrier(0, counted ? warps_ : 0);
}

// Some warps announce data (BAR.ARV), the others wait for them; and back, so that nobody runs
// ahead.
void RandomSync::arrive_and_sync() {
  if (warps_ < 2) return;
  const int producers = random_.between(1, warps_ - 1);
  const int full = random_.between(1, 7);
  const int empty = random_.between(8, 15);
  const auto rounds = static_cast<std::uint64_t>(random_.between(1, 4));
  program_.branch(
      warps(0, static_cast<std::uint64_t>(producers)),
      [&] {
        program_.loop(rounds, [&] {
          program_.barrier(empty, warps_);
          statements_.some(random_.between(0, 2));
          program_.barrier(full, warps_, false);
        });
      },
      [&] {
        program_.loop(rounds, [&] {
          program_.barrier(empty, warps_, false);
          program_.barrier(full, warps_);
          statements_.some(random_.between(0, 2));
        });
      });
  program_.barrier(0, 0);
}

// A pipeline through mbarriers: producers copy or arrive, consumers give the room back.
void RandomSync::producer_consumer() {
  const int producers = random_.between(1, warps_ - 1);
  const bool copies = random_.one_in(2);
  const std::uint16_t full = program_.mbarrier(producers);
  const std::uint16_t empty = program_.mbarrier(warps_ - producers, random_.between(1, 3));
  const auto rounds = static_cast<std::uint64_t>(random_.between(1, 5));
  program_.branch(
      warps(0, static_cast<std::uint64_t>(producers)),
      [&] {
        program_.loop(rounds, [&] {
          program_.add(ProgramBuilder::act(Action::mbarrier_wait, empty));
          statements_.some(random_.between(0, 1));
          if (copies) {
            MemoryAccess copy = statements_.global_access();
            copy.kind = AccessKind::bulk_copy;
            copy.bulk_bytes = static_cast<std::uint32_t>(random_.one_of({16, 1000, 4096}));
            copy.mbarrier = full;
            Instruction in = program_.access(copy, random_.between(0, 5));
            in.write_scoreboard = static_cast<std::uint8_t>(random_.between(0, 7));
            program_.add(in);
          } else {
            program_.add(ProgramBuilder::act(Action::mbarrier_arrive, full));
          }
        });
      },
      [&] {
        program_.loop(rounds, [&] {
          program_.add(ProgramBuilder::act(Action::mbarrier_wait, full, random_.between(0, 9)));
          statements_.some(random_.between(0, 2));
          program_.add(ProgramBuilder::act(Action::mbarrier_arrive, empty));
        });
      });
}

void RandomSync::dynamic_tasks(bool per_block) {
  TaskLoop loop;
  loop.queue = static_cast<std::uint16_t>(random_.between(0, 1));
  loop.per_block = per_block;
  loop.batch = static_cast<std::uint32_t>(random_.between(1, 3));
  const auto take = [&] {
    if (per_block) program_.barrier();
    MemoryAccess pop;
    pop.kind = AccessKind::atomic;
    pop.sectors = 1;
    pop.scales_with_lanes = false;
    pop.queue_op = QueueOp::pop;
    pop.queue = loop.queue;
    pop.pop_for_block = per_block;
    Instruction in = program_.access(pop, random_.between(1, 4));
    in.write_scoreboard = static_cast<std::uint8_t>(random_.between(0, 5));
    if (per_block) in.predicate = program_.condition(warps(0, 1));
    program_.add(in);
    if (!per_block) return;
    Instruction wait = ProgramBuilder::act(Action::barrier, program_.barrier_use(0, 0));
    wait.wait_mask = 0x3f;
    program_.add(wait);
  };
  program_.tasks(loop, take, [&] {
    TripCount work;
    work.kind = TripCount::Kind::task_work;
    program_.loop(work, [&] { statements_.some(1); });
    statements_.some(random_.between(0, 2));
  });
}

void RandomSync::static_tasks() {
  TaskLoop loop;
  loop.queue = static_cast<std::uint16_t>(random_.between(0, 1));
  loop.dynamic = false;
  loop.per_block = random_.one_in(2);
  loop.batch = static_cast<std::uint32_t>(random_.between(1, 3));
  program_.tasks(
      loop, [] {}, [&] { statements_.some(random_.between(1, 3)); });
}

// Block n waits for all warps of block n-1; the blocks before always get room first.
void RandomSync::wait_for_previous_block() {
  MemoryAccess poll;
  poll.sectors = 1;
  poll.scales_with_lanes = false;
  poll.l2_hit = 1;
  poll.queue_op = QueueOp::poll;
  poll.flag_per_block = 1;
  poll.flag_offset = -1;
  poll.amount = static_cast<std::uint32_t>(warps_);
  program_.spin(poll, random_.between(0, 5), random_.one_of({0, 0, 20}));
  statements_.some(random_.between(0, 3));
  if (random_.one_in(2)) program_.add(ProgramBuilder::act(Action::fence, 1));
  MemoryAccess signal = poll;
  signal.kind = random_.one_in(2) ? AccessKind::reduction : AccessKind::store;
  signal.queue_op = QueueOp::signal;
  signal.flag_offset = 0;
  signal.amount = 1;
  program_.add(program_.access(signal));
}

// Between arriving and waiting nobody may leave: whoever did would count twice.
void RandomSync::cluster_barrier(bool all_stay) {
  for (int i = random_.between(1, 3); i > 0; --i) {
    program_.add(ProgramBuilder::act(Action::cluster_arrive, 0, random_.between(0, 15)));
    if (all_stay) statements_.some(random_.between(0, 3));
    program_.add(ProgramBuilder::act(Action::cluster_wait, 0, random_.between(0, 15)));
  }
}

}  // namespace smsim::test
