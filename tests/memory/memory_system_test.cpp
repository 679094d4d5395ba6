// L2, DRAM, atomics, flags: single requests whose times can be worked out by hand.
#include "sim/memory/memory_system.hpp"

#include "sim/kernel/random.hpp"
#include "tests/catch.hpp"

using namespace smsim;
using namespace smsim::memory;

namespace {

GpuSpec gpu_spec() {
  GpuSpec gpu;
  gpu.clocks.sm_mhz = 1000;
  gpu.l1.hit_latency_cycles = 32;
  gpu.l2.size_bytes = 1 << 20;
  gpu.l2.slices = 1;
  gpu.l2.slice_bytes_per_cycle = 64;  // two sectors a cycle
  gpu.l2.hit_latency_cycles = 200;
  gpu.l2.request_latency_cycles = 60;
  gpu.l2.write_ack_cycles = 500;
  gpu.dram.bandwidth_gbps = 32;  // a sector a cycle
  gpu.dram.channels = 1;
  gpu.dram.banks_per_channel = 1;
  gpu.dram.latency_cycles = 100;
  gpu.atomic.same_address_interval_cycles = 3;
  gpu.atomic.sector_interval_cycles = 1;
  return gpu;
}

// A memory system with one access, and a clock-free way to ask it.
class Memory {
 public:
  Memory(const GpuSpec& gpu, const Program& program)
      : machine_(gpu), program_(program), memory_(machine_, program_, LaunchSpec{}) {}

  Answer ask(RequestKind kind, Cycle time, std::uint64_t key, std::uint64_t place = 0,
             std::uint16_t access = 0) {
    Request request;
    request.kind = kind;
    request.time = time;
    request.key = key;
    request.place = place;
    request.access = access;
    return memory_.serve(request);
  }

  Cycle latency(RequestKind kind, Cycle time, std::uint64_t key, std::uint64_t place = 0) {
    return ask(kind, time, key, place).arrival - time;
  }

  Cycle close(Cycle end) { return memory_.close(end); }
  [[nodiscard]] const MemoryCounters& counters() const { return memory_.counters(); }
  [[nodiscard]] const MemorySystem& system() const { return memory_; }
  // From a request's way out of the SM to its answer, beyond slice and DRAM.
  [[nodiscard]] Cycle unloaded() const {
    return machine_.return_latency + static_cast<Cycle>(machine_.gpu.l2.request_latency_cycles);
  }

 private:
  Machine machine_;
  Program program_;
  MemorySystem memory_;
};

Program one_access(const MemoryAccess& access) {
  Program program;
  program.accesses.push_back(access);
  return program;
}

}  // namespace

TEST_CASE("an L2 hit takes its latency, and a slice one request after the other") {
  MemoryAccess load;
  load.l2_hit = 1;
  Memory memory(gpu_spec(), one_access(load));
  CHECK(memory.latency(RequestKind::load, 1000, 1) == memory.unloaded() + 2);
  CHECK(memory.latency(RequestKind::load, 1000, 2) == memory.unloaded() + 4);
  CHECK(memory.latency(RequestKind::load, 2000, 3) == memory.unloaded() + 2);
  CHECK(memory.counters().l2_read_hit_sectors == 12);
  CHECK(memory.counters().dram_read_bytes == 0);
}

TEST_CASE("a miss adds the DRAM's latency and its sectors' time on the channel") {
  Memory memory(gpu_spec(), one_access({}));
  CHECK(memory.latency(RequestKind::load, 1000, 1) == memory.unloaded() + 2 + 100 + 4);
  CHECK(memory.counters().dram_read_bytes == 128);
}

TEST_CASE("a channel serves what its bandwidth allows") {
  Memory memory(gpu_spec(), one_access({}));
  Cycle last = 0;
  for (std::uint64_t i = 0; i < 1000; ++i)
    last = memory.ask(RequestKind::load, 1000, mix(i), i).arrival;
  CHECK(last - 1000 == Approx(4 * 1000).epsilon(0.1));
}

TEST_CASE("DRAM: lines of an open row follow each other, another row waits for the bank") {
  GpuSpec gpu = gpu_spec();
  gpu.dram.bank_busy_cycles = 40;
  Memory memory(gpu, one_access({}));
  const Cycle first = memory.ask(RequestKind::load, 1000, 1, 7).arrival;
  const Cycle same_row = memory.ask(RequestKind::load, 1000, 2, 7).arrival;
  const Cycle other_row = memory.ask(RequestKind::load, 1000, 3, 8).arrival;
  CHECK(same_row - first == 4);
  CHECK(other_row - first == 40);
}

TEST_CASE("DRAM: a refresh keeps its bank away") {
  GpuSpec gpu = gpu_spec();
  gpu.dram.refresh_interval_cycles = 1000;
  gpu.dram.refresh_cycles = 300;
  Memory memory(gpu, one_access({}));
  Cycle longest = 0;
  int delayed = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Cycle latency = memory.latency(RequestKind::load, 101 * i, 1, i);
    longest = std::max(longest, latency);
    delayed += latency > memory.unloaded() + 106 + 16 ? 1 : 0;  // not only behind others
  }
  CHECK(longest >= memory.unloaded() + 106 + 290);
  CHECK(longest <= memory.unloaded() + 106 + 300);
  CHECK(delayed == Approx(300).margin(20));
}

TEST_CASE("atomics on one address follow each other, on many addresses they do not") {
  MemoryAccess atomic;
  atomic.kind = AccessKind::atomic;
  atomic.lanes_per_address = 32;
  const auto last_of_hundred = [](const MemoryAccess& access) {
    Memory memory(gpu_spec(), one_access(access));
    Cycle last = 0;
    for (std::uint64_t i = 0; i < 100; ++i) {
      last = std::max(last, memory.ask(RequestKind::atomic, 1000, mix(i)).arrival);
    }
    return last - 1000 - memory.unloaded();
  };
  atomic.distinct_addresses = 1;
  CHECK(last_of_hundred(atomic) == 1 + 100 * 32 * 3);  // one sector, then 32 lanes of 3 cycles each
  atomic.distinct_addresses = 0;
  CHECK(last_of_hundred(atomic) == 100 * 4);  // the slice's own time
  atomic.distinct_addresses = 16000;
  CHECK(last_of_hundred(atomic) < 100 * 4 + 32 * 3 * 4);
}

TEST_CASE("stores stay in L2 up to the limit of dirty data") {
  GpuSpec gpu = gpu_spec();
  gpu.l2.dirty_bytes = 10 * 128;
  MemoryAccess store;
  store.kind = AccessKind::store;
  Memory memory(gpu, one_access(store));
  for (std::uint64_t i = 0; i < 10; ++i) memory.ask(RequestKind::store, 1000, i);
  CHECK(memory.counters().l2_write_sectors == 40);
  memory.close(1'000'000);
  CHECK(memory.counters().dram_write_bytes == 3 * 128);  // a quarter is written ahead
}

TEST_CASE("sustained stores are acknowledged at the rate at which DRAM takes them") {
  GpuSpec gpu = gpu_spec();
  gpu.l2.slice_bytes_per_cycle = 1024;
  gpu.l2.dirty_bytes = 40 * 128;
  MemoryAccess store;
  store.kind = AccessKind::store;
  Memory memory(gpu, one_access(store));
  Cycle last = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    last = std::max(last, memory.ask(RequestKind::store, 1000, mix(i), i).arrival);
  }
  // All but what may stay, four cycles a line, as many bytes as cycles x 32.
  CHECK(last - 1000 == Approx(4 * (1000 - 40)).epsilon(0.15));
  CHECK(memory.close(last) == last);
  CHECK(memory.counters().dram_write_bytes <= 32 * (last - 1000));
  CHECK(memory.counters().dram_write_bytes >= (1000 - 40) * 128);
}

TEST_CASE("a channel turns round for a write after a read, not for a write after a write") {
  GpuSpec gpu = gpu_spec();
  gpu.dram.write_cost = 3;
  Program program = one_access({});
  MemoryAccess store;
  store.kind = AccessKind::store;
  program.accesses.push_back(store);
  Memory memory(gpu, program);
  const Cycle alone = memory.ask(RequestKind::load, 1000, 1, 1).arrival;
  memory.ask(RequestKind::store, 2000, 2, 2, 1);
  const Cycle behind_one = memory.ask(RequestKind::load, 2000, 3, 1).arrival;
  memory.ask(RequestKind::store, 3000, 4, 4, 1);
  memory.ask(RequestKind::store, 3000, 5, 5, 1);
  const Cycle behind_two = memory.ask(RequestKind::load, 3000, 6, 1).arrival;
  // The slice is done with stores of 4 cycles each before the load; DRAM then still has some left.
  CHECK(behind_one - 2000 == alone - 1000 + 4 + 10);
  CHECK(behind_two - behind_one == 1000 + 4);
}

TEST_CASE("the kernel is not over before DRAM has delivered what no warp waited for") {
  Memory memory(gpu_spec(), one_access({}));
  for (std::uint64_t i = 0; i < 100; ++i) memory.ask(RequestKind::load, 1000, mix(i), i);
  CHECK(memory.close(1100) >= 1000 + 100 * 4);
  CHECK(memory.counters().dram_read_bytes == 100 * 128);
}

TEST_CASE("data written again while it is dirty is written back once") {
  GpuSpec gpu = gpu_spec();
  gpu.l2.dirty_bytes = 20 * 128;
  Program program;
  program.arrays.emplace_back();
  program.arrays[0].bytes = 10 * 128;
  MemoryAccess store;
  store.kind = AccessKind::store;
  store.array = 0;
  program.accesses.push_back(store);
  Memory memory(gpu, program);
  for (std::uint64_t i = 0; i < 100; ++i) memory.ask(RequestKind::store, 1000, i);
  CHECK(memory.counters().dram_write_bytes == 0);
}

TEST_CASE("a store is acknowledged when its data have had their way") {
  MemoryAccess store;
  store.kind = AccessKind::store;
  Memory memory(gpu_spec(), one_access(store));
  CHECK(memory.latency(RequestKind::store, 1000, 1) == 500 + 8);
}

TEST_CASE("tickets come in order, flags add up") {
  Program program;
  program.queues.emplace_back();
  program.flags = 2;
  MemoryAccess pop;
  pop.kind = AccessKind::atomic;
  pop.queue_op = QueueOp::pop;
  MemoryAccess signal;
  signal.kind = AccessKind::reduction;
  signal.queue_op = QueueOp::signal;
  signal.queue = 1;
  signal.amount = 5;
  MemoryAccess poll;
  poll.queue_op = QueueOp::poll;
  poll.queue = 1;
  program.accesses = {pop, signal, poll};
  Memory memory(gpu_spec(), program);
  for (std::uint64_t i = 0; i < 3; ++i) CHECK(memory.ask(RequestKind::atomic, 10, i).value == i);
  CHECK(memory.counters().queue_pops == 3);
  CHECK(memory.counters().queue_wait_cycles > 0);
  CHECK(memory.ask(RequestKind::load, 20, 1, 0, 2).value == 0);
  memory.ask(RequestKind::atomic, 30, 1, 0, 1);
  memory.ask(RequestKind::atomic, 30, 2, 0, 1);
  CHECK(memory.ask(RequestKind::load, 40, 1, 0, 2).value == 10);
  CHECK(memory.system().flag(0) == 0);
}

TEST_CASE("no answer is back sooner than the shortest way there and back") {
  GpuSpec gpu = gpu_spec();
  gpu.l2.slices = 8;
  gpu.l2.slice_spread_cycles = 60;
  MemoryAccess load;
  load.l2_hit = 1;
  Memory memory(gpu, one_access(load));
  const Cycle shortest = Machine(gpu).min_round_trip;
  Cycle nearest = kNever;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Cycle latency = memory.latency(RequestKind::load, 1000 * (i + 1), mix(i));
    CHECK(latency >= shortest);
    nearest = std::min(nearest, latency);
  }
  CHECK(nearest <= shortest + 4);
}
