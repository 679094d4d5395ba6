// Small random kernels and machines, the same for the same seed.
#pragma once

#include <random>

#include "tests/metrics/hand_made.hpp"

namespace smsim::test {

class RandomKernel {
 public:
  explicit RandomKernel(std::uint32_t seed) : random_(seed) {}

  GpuSpec gpu() {
    GpuSpec gpu = h200();
    gpu.topology.sms = between(1, 6);
    gpu.limits.max_blocks = between(1, 32);
    gpu.front_end.warp_start_cycles = between(0, 40);
    gpu.front_end.branch_resolve_cycles = between(0, 10);
    gpu.front_end.exit_cycles = between(0, 10);
    gpu.front_end.icache_miss_cycles = between(0, 200);
    gpu.front_end.instruction_cache = chance(2);
    gpu.mio.lg_queue_entries = between(1, 8);
    gpu.mio.load_interval_cycles = between(1, 6);
    gpu.mio.port_interval_cycles = between(1, 3);
    gpu.mio.store_drain_cycles = between(0, 30);
    gpu.l1.max_outstanding_sectors = chance(2) ? 0 : between(8, 400);
    gpu.l2.slices = between(1, 8);
    gpu.l2.request_latency_cycles = between(20, 120);
    gpu.dram.bandwidth_gbps = between(5, 200);
    gpu.dram.channels = between(1, 4);
    gpu.dram.bank_busy_cycles = between(0, 40);
    gpu.l2.dirty_bytes = between(0, 20000);
    gpu.atomic.same_address_interval_cycles = between(1, 4);
    gpu.barrier.membar_gpu_cycles = between(0, 300);
    gpu.dispatch.kernel_start_cycles = between(1, 1000);
    gpu.dispatch.kernel_end_cycles = between(0, 400);
    gpu.dispatch.replacement_cycles = between(1, 300);
    gpu.dispatch.gpu_interval_cycles = 0.25 * between(0, 40);
    gpu.dispatch.sm_interval_cycles = 0.25 * between(0, 40);
    return gpu;
  }

  KernelSpec kernel() {
    kernel_ = KernelSpec();
    kernel_.name = "random";
    kernel_.launch.grid.x = static_cast<std::uint64_t>(between(1, 60));
    kernel_.launch.block.x = static_cast<std::uint64_t>(between(1, 300));
    kernel_.launch.registers = between(16, 128);
    kernel_.launch.seed = random_();
    if (chance(3)) {
      guard();
    }
    for (int i = between(1, 4); i > 0; --i) {
      piece();
    }
    Instruction exit = instruction(Pipe::branch, between(1, 5));
    exit.action = Action::exit;
    exit.flow = Flow::exit;
    add(kernel_.program, "EXIT ;", exit);
    return kernel_;
  }

 private:
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }
  bool chance(int one_in) { return between(1, one_in) == 1; }

  void piece() {
    if (chance(2)) {
      loop();
    } else {
      straight();
    }
  }

  void loop() {
    Program& program = kernel_.program;
    const auto index = static_cast<std::uint32_t>(program.loops.size());
    program.loops.emplace_back();
    Instruction enter = instruction(Pipe::branch, 1);
    enter.flow = Flow::loop_enter;
    enter.flow_operand = index;
    add(program, "BSSY ;", enter);
    Loop loop;
    loop.trips.count = static_cast<std::uint64_t>(between(0, 12));
    loop.begin_pc = static_cast<std::uint32_t>(program.code.size());
    straight();
    Instruction back = instruction(Pipe::branch, 5);
    back.flow = Flow::loop_back;
    back.flow_operand = index;
    add(program, "BRA ;", back);
    loop.end_pc = static_cast<std::uint32_t>(program.code.size());
    program.loops[index] = loop;
  }

  void guard() {
    Condition condition;
    condition.kind = Condition::Kind::fraction;
    condition.scope = chance(2) ? Scope::thread : Scope::warp;
    condition.fraction = 0.1 * between(1, 9);
    kernel_.program.conditions.push_back(condition);
    Instruction code = instruction(Pipe::branch, 2);
    code.flow = Flow::guard;
    add(kernel_.program, "@P0 EXIT ;", code);
  }

  void straight() {
    for (int i = between(1, 8); i > 0; --i) {
      one();
    }
  }

  void one() {
    switch (between(0, 11)) {
      case 0:
      case 1:
        add(kernel_.program, "FFMA R0, R1, R2, R3 ;", plain(Pipe::fma, 1));
        return;
      case 2:
        add(kernel_.program, "IMAD R0, R1, R2, R3 ;", plain(Pipe::fma_heavy, 2));
        return;
      case 3:
        add(kernel_.program, "HFMA2 R0, R1, R2, R3 ;", plain(Pipe::fma_both, 2));
        return;
      case 4:
        add(kernel_.program, "IADD3 R0, R1, R2, R3 ;", plain(Pipe::alu, 2));
        return;
      case 5:
        special();
        return;
      case 6:
        memory(Space::shared, AccessKind::load);
        return;
      case 7:
        memory(Space::global, AccessKind::store);
        return;
      case 8:
        memory(Space::global, chance(2) ? AccessKind::atomic : AccessKind::reduction);
        return;
      case 9:
        synchronise();
        return;
      default:
        memory(Space::global, AccessKind::load);
    }
  }

  Instruction plain(Pipe pipe, int interval) {
    Instruction code = instruction(pipe, between(1, 6), interval);
    code.yield = chance(4);
    maybe_wait(code);
    return code;
  }

  void special() {
    Instruction code = plain(Pipe::xu, 8);
    code.action = Action::complete_later;
    code.latency_cycles = static_cast<std::uint16_t>(between(10, 40));
    code.write_scoreboard = static_cast<std::uint8_t>(between(0, 5));
    add(kernel_.program, "MUFU.RCP R0, R1 ;", code);
  }

  void synchronise() {
    Instruction code = instruction(Pipe::adu, between(1, 5));
    if (chance(2)) {
      code.action = Action::fence;
      code.operand = static_cast<std::uint16_t>(between(0, 1));
      add(kernel_.program, "MEMBAR ;", code);
      return;
    }
    code.action = Action::barrier;
    code.operand = 0;
    if (kernel_.program.barriers.empty()) {
      kernel_.program.barriers.emplace_back();
    }
    add(kernel_.program, "BAR.SYNC 0x0 ;", code);
  }

  void memory(Space space, AccessKind kind) {
    MemoryAccess access;
    access.space = space;
    access.kind = kind;
    access.lines = static_cast<std::uint16_t>(chance(2) ? 1 : between(1, 32));
    access.sectors = static_cast<std::uint16_t>(access.lines * between(1, 4));
    access.wavefronts = static_cast<std::uint16_t>(chance(2) ? 1 : between(1, 8));
    access.l1_hit = 0.5 * between(0, 2);
    access.l2_hit = 0.5 * between(0, 2);
    if (kind == AccessKind::atomic || kind == AccessKind::reduction) {
      access.distinct_addresses = static_cast<std::uint32_t>(between(0, 3));
      access.lanes_per_address = static_cast<std::uint16_t>(between(1, 32));
    }
    Instruction code = plain(Pipe::lsu, 1);
    code.action = Action::memory;
    code.operand = static_cast<std::uint16_t>(kernel_.program.accesses.size());
    if (kind == AccessKind::load || kind == AccessKind::atomic) {
      code.write_scoreboard = static_cast<std::uint8_t>(between(0, 5));
    }
    kernel_.program.accesses.push_back(access);
    add(kernel_.program, "LD/ST ;", code);
  }

  void maybe_wait(Instruction& code) {
    if (chance(3)) {
      code.wait_mask = static_cast<std::uint8_t>(between(1, 63));
    }
  }

  std::mt19937 random_;
  KernelSpec kernel_;
};

}  // namespace smsim::test
