// Synchronisation, atomics, queues, asynchronous copies: what they become.
#include "tests/catch.hpp"
#include "tests/config/kernel_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("barriers: of the block, named, only arrived at") {
  const KernelSpec kernel =
      loaded(with_program("  - barrier\n  - barrier: {id: 2, threads: 64}\n  - barrier: {id: 3, "
                          "threads: 96, arrive: true}\n"));
  REQUIRE(kernel.program.barriers.size() == 3);
  CHECK(kernel.program.barriers[0].expected_warps == 0);
  CHECK(kernel.program.barriers[1].id == 2);
  CHECK(kernel.program.barriers[1].expected_warps == 2);
  CHECK(!kernel.program.barriers[2].wait);
  CHECK(find(kernel, "BAR.ARV").action == Action::barrier);
  CHECK(kernel.launch.barriers == 4);
}

TEST_CASE("fences by scope, as nvcc writes them") {
  CHECK(mnemonics(loaded(with_program("  - fence: cta\n"))) == "LDC MEMBAR.ALL.CTA EXIT");
  CHECK(mnemonics(loaded(with_program("  - fence\n"))) ==
        "LDC MEMBAR.SC.GPU ERRBAR CGAERRBAR CCTL.IVALL EXIT");
  const KernelSpec system = loaded(with_program("  - fence: system\n"));
  CHECK(find(system, "MEMBAR").operand == static_cast<int>(FenceScope::system));
}

TEST_CASE("syncwarp: a NOP while the warp is together, WARPSYNC in a divergent branch") {
  CHECK(mnemonics(loaded(with_program("  - syncwarp\n"))) == "LDC NOP EXIT");
  CHECK(count(loaded(with_program("  - if: {lanes: 0..3, then: [syncwarp], else: [syncwarp]}\n")),
              "WARPSYNC") == 2);
}

TEST_CASE("atomics: contention, aggregation, compare-and-swap") {
  const KernelSpec one = loaded(with_program(
      "  - {op: RED, array: X, index: 0, src: 1, addresses: 1, pattern: broadcast}\n"));
  const MemoryAccess& access = one.program.accesses[find(one, "RED").operand];
  CHECK(access.kind == AccessKind::reduction);
  CHECK(access.distinct_addresses == 1);
  CHECK(access.lanes_per_address == 32);

  const KernelSpec warp = loaded(with_program(
      "  - x: {op: ATOMG, array: X, index: 0, src: 1, addresses: 1, aggregated: true}\n"
      "  - {op: STG, array: Y, src: x}\n"));
  CHECK(mnemonics(warp).find("VOTE FLO") != std::string::npos);
  CHECK(warp.program.accesses[find(warp, "ATOMG").operand].lanes_per_address == 1);
  CHECK(find(warp, "ATOMG").write_scoreboard != kNoScoreboard);

  const KernelSpec shared = loaded(with_program(
      "  - {op: ATOMS, array: s, index: tid, src: 1, lanes_per_address: 4, pattern: random}\n"));
  CHECK(shared.program.accesses[find(shared, "ATOMS").operand].lanes_per_address == 4);

  const KernelSpec cas = loaded(
      with_program("  - x: {op: MOV, src: 1}\n"
                   "  - cas: {array: X, index: i, attempts: {distribution: exponential, mean: 2}, "
                   "body: [new: {op: FADD, src: [old, x]}]}\n"));
  CHECK(count(cas, "ATOMG.E.CAS") == 1);
  REQUIRE(cas.program.loops.size() == 1);
  CHECK(cas.program.loops[0].trips.distribution.minimum == 1);
  const KernelSpec contended = loaded(with_program(
      "  - cas: {array: X, index: 0, addresses: 2, body: [new: {op: FADD, src: [old, 1]}]}\n"));
  CHECK(contended.program.loops[0].trips.distribution.maximum == 16);
  CHECK(contended.notes.size() == 1);
}

TEST_CASE("tasks: dynamic per block, dynamic per warp, static") {
  const auto tasks = [](const std::string& head) {
    return loaded(
        with_program("  - for: {tasks: " + head +
                         ", index: t, body: [x: {op: LDG, array: X, index: tid + t}]}\n",
                     "tasks: {count: 100, work: {distribution: exponential, mean: 3}}\n"));
  };
  const KernelSpec block = tasks("dynamic, per: block, batch: 4");
  REQUIRE(block.program.task_loops.size() == 1);
  CHECK(block.program.task_loops[0].per_block);
  CHECK(block.program.task_loops[0].batch == 4);
  CHECK(block.program.accesses[find(block, "ATOMG").operand].queue_op == QueueOp::pop);
  CHECK(block.program.accesses[find(block, "ATOMG").operand].pop_for_block);
  CHECK(count(block, "BAR") == 2);
  CHECK(block.program.code[block.program.task_loops[0].body_pc - 1].flow == Flow::task_check);

  const KernelSpec warp = tasks("dynamic, per: warp");
  CHECK(count(warp, "SHFL") == 2);
  CHECK(count(warp, "BAR") == 0);
  CHECK(!warp.program.accesses[find(warp, "ATOMG").operand].pop_for_block);

  const KernelSpec fixed = tasks("static, per: block");
  CHECK(!fixed.program.task_loops[0].dynamic);
  CHECK(count(fixed, "ATOMG") == 0);
  CHECK(fixed.program.queues[0].tasks == 100);
}

TEST_CASE("flags: signal and wait by block number") {
  const KernelSpec kernel = loaded(
      with_program("  - if: {when: tid == 0, then: [wait: {flag: ready, index: bid - 1, value: 2}, "
                   "signal: {flag: ready, index: bid, add: 2}]}\n  - barrier\n",
                   "flags: {other: 5, ready: 8}\n"));
  CHECK(kernel.program.flags == 13);
  REQUIRE(kernel.program.spins.size() == 1);
  const MemoryAccess& poll = kernel.program.accesses[kernel.program.spins[0].access];
  CHECK(poll.queue_op == QueueOp::poll);
  CHECK(poll.queue == 5);
  CHECK(poll.flag_per_block == 1);
  CHECK(poll.flag_offset == -1);
  CHECK(poll.amount == 2);
  CHECK(kernel.program.accesses[find(kernel, "RED").operand].queue_op == QueueOp::signal);
}

TEST_CASE("grid_sync: barrier, fence, signal, wait for all blocks, barrier") {
  const KernelSpec kernel = loaded(with_program("  - grid_sync\n"));
  CHECK(count(kernel, "BAR") == 2);
  CHECK(count(kernel, "MEMBAR") == 1);
  CHECK(kernel.program.flags == 1);
  const MemoryAccess& poll = kernel.program.accesses[kernel.program.spins.at(0).access];
  CHECK(poll.amount == 8);
  CHECK(poll.amount_per_epoch == 8);
}

TEST_CASE("a ticket tells the last block") {
  const KernelSpec kernel = loaded(
      with_program("  - ticket: done\n  - if: {last_ticket: done, then: [x: {op: MOV, src: 1}]}\n"
                   "  - barrier\n",
                   "counters: {done: launch.grid}\n"));
  CHECK(kernel.program.queues.at(0).tasks == 8);
  CHECK(find(kernel, "ATOMG").action == Action::memory);
}

TEST_CASE("asynchronous copies: groups take turns on scoreboards") {
  const std::string copy = "{op: LDGSTS, array: X, index: i + t * 128, to: s}";
  const KernelSpec simple = loaded(with_program(
      "  - {op: LDGSTS, array: X, to: s}\n  - commit_copies\n  - wait_copies\n  - barrier\n"));
  CHECK(find(simple, "LDGSTS").write_scoreboard == 5);
  CHECK(find(simple, "DEPBAR.LE").wait_mask == 0x20);
  const KernelSpec pipeline =
      loaded(with_program("  - for: {trips: 9, index: t, body: [" + copy +
                          ", commit_copies, wait_copies: 2, x: {op: LDS, array: s}]}\n"));
  CHECK(count(pipeline, "LDGSTS") == 3);  // three groups, so three copies of the body
  CHECK(pipeline.program.loops.at(0).trips.count == 3);
}

TEST_CASE("mbarriers, bulk copies, clusters, register hand-over, sleep") {
  const KernelSpec kernel = loaded(
      "launch: {grid: 8, block: 128, cluster: 4}\n"
      "arrays: {A: 1 * MiB, s: {space: shared, bytes: 4096}}\n"
      "mbarriers: {full: 1, empty: {arrivals: 3, open: 2}}\n"
      "program:\n"
      "  - if: {when: tid == 0, then: [{op: UBLKCP, array: A, index: 0, to: s, copy_bytes: 4096, "
      "mbarrier: full}]}\n"
      "  - await: full\n  - arrive: empty\n  - cluster: sync\n  - cluster: arrive\n  - cluster: "
      "wait\n"
      "  - x: {op: LD, array: s, index: tid}\n  - {op: STS, array: s, src: x}\n"
      "  - set_registers: 40\n  - sleep: 100\n");
  CHECK(kernel.program.mbarriers[1].initial_phases == 2);
  const MemoryAccess& bulk = kernel.program.accesses[find(kernel, "UBLKCP").operand];
  CHECK(bulk.kind == AccessKind::bulk_copy);
  CHECK(bulk.bulk_bytes == 4096);
  CHECK(find(kernel, "SYNCS.PHASECHK").action == Action::mbarrier_wait);
  CHECK(find(kernel, "SYNCS.ARRIVE").operand == 1);
  CHECK(count(kernel, "UCGABAR_ARV") == 2);
  CHECK(count(kernel, "UCGABAR_WAIT") == 2);
  CHECK(kernel.program.accesses[find(kernel, "LD.E").operand].space == Space::dsmem);
  CHECK(find(kernel, "NANOSLEEP").latency_cycles == 100);
  CHECK(count(kernel, "USETMAXREG") == 1);
}
