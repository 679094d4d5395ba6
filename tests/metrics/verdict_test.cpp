// What the verdict says of situations that are clear to a person.
#include "tests/catch.hpp"
#include "tests/metrics/hand_made.hpp"
#include "tests/metrics/profile.hpp"

using namespace smsim;

namespace {

Result result_of(const KernelSpec& kernel, const SimulationResult& run) {
  return make_result(test::h200(), kernel, run);
}

bool suggests(const Result& result, const std::string& words) {
  for (const Suggestion& s : result.verdict.suggestions) {
    if (s.text.find(words) != std::string::npos) {
      return true;
    }
  }
  return false;
}

// `busy` of 132 SMs work for 100,000 cycles on long chains.
SimulationResult long_run(KernelSpec& kernel, std::size_t busy) {
  kernel = test::chain_kernel(25000, 132);
  kernel.launch.grid.x = busy;
  SimulationResult run = test::chain_run(test::h200(), kernel);
  for (std::size_t i = busy; i < run.counters.sm.size(); ++i) {
    run.counters.sm[i] = SmCounters{};
  }
  for (InstructionCounters& counted : run.counters.instruction) {
    counted.issued = 4 * busy;
  }
  run.counters.blocks_done = busy;
  return run;
}

}  // namespace

TEST_CASE("fewer blocks than SMs are noticed") {
  KernelSpec kernel;
  const SimulationResult run = long_run(kernel, 40);
  const Result result = result_of(kernel, run);
  CHECK(result.verdict.bound == "one_warp");
  CHECK(suggests(result, "at least 132 blocks"));
  CHECK(check_identities(run.counters, result) == std::vector<std::string>{});
}

TEST_CASE("idle SMs are the verdict where no bound binds") {
  KernelSpec kernel;
  SimulationResult run = long_run(kernel, 132);
  for (std::size_t i = 40; i < 132; ++i) {  // 92 SMs end after a quarter of the time
    SmCounters& sm = run.counters.sm[i];
    sm.active_cycles /= 4;
    sm.last_block_end = run.counters.first_block_start + sm.active_cycles;
  }
  run.counters.elapsed_cycles *= 2;  // nor is the longest warp all of it
  run.counters.last_block_end = run.counters.elapsed_cycles - 200;
  const Result result = result_of(kernel, run);
  CHECK(result.verdict.bound == "tail");
  CHECK(result.verdict.summary.find("Idle SMs") == 0);
}

TEST_CASE("saturated issue slots: more warps add nothing") {
  KernelSpec kernel;
  SimulationResult run = long_run(kernel, 132);
  for (SmCounters& sm : run.counters.sm) {
    for (SubPartitionCounters& sub : sm.sub) {
      sub.issued = sm.active_cycles;
      sub.state = {};
      sub.warps_active = 0;
      test::book(sub, WarpState::selected, sub.issued);
      test::book(sub, WarpState::not_selected, 3 * sub.issued);
    }
  }
  const Result result = result_of(kernel, run);
  CHECK(result.verdict.bound == "issue");
  CHECK(suggests(result, "more warps add nothing"));
}

TEST_CASE("waiting at barriers is named") {
  KernelSpec kernel;
  SimulationResult run = long_run(kernel, 132);
  run.counters.instruction.clear();
  for (SmCounters& sm : run.counters.sm) {
    for (SubPartitionCounters& sub : sm.sub) {
      test::book(sub, WarpState::barrier, 4 * sub.warps_active);
    }
  }
  const Result result = result_of(kernel, run);
  CHECK(result.verdict.bound == "barrier");
  CHECK(suggests(result, "fewer barriers"));
}

TEST_CASE("surplus sectors, bank conflicts and queue waiting have their suggestions") {
  KernelSpec kernel = test::saxpy_launch();
  MemoryAccess access;
  access.lines = 32;
  access.sectors = 32;
  kernel.program.accesses.push_back(access);
  Instruction load = test::instruction(Pipe::lsu, 1);
  load.action = Action::memory;
  test::add(kernel.program, "LDG.E R0, [R2] ;", load);
  SimulationResult run = test::saxpy_profile();
  run.counters.instruction.resize(1);
  run.counters.instruction[0].issued = 39850165;
  SECTION("sectors") {
    CHECK(suggests(result_of(kernel, run), "neighbouring addresses"));
  }
  SECTION("queue") {
    run.counters.memory.queue_pops = 1000;
    run.counters.memory.queue_wait_cycles = 2000000000;
    CHECK(suggests(result_of(kernel, run), "several tasks at a time"));
  }
  SECTION("conflicts") {
    run.counters.sm[0].shared_wavefronts_ideal = 1000;
    run.counters.sm[0].shared_wavefronts = 32000;
    for (SmCounters& sm : run.counters.sm) {
      sm.lsu_port_busy_cycles = 440000;
    }
    CHECK(suggests(result_of(kernel, run), "bank conflicts"));
  }
}

TEST_CASE("there are at most three suggestions, each with its evidence") {
  const Result result = result_of(test::saxpy_launch(), test::saxpy_profile());
  CHECK(result.verdict.suggestions.size() <= 3);
  CHECK(!result.verdict.suggestions.empty());
  for (const Suggestion& s : result.verdict.suggestions) {
    CHECK(s.evidence.find_first_of("0123456789") != std::string::npos);
  }
}

TEST_CASE("every printed share is of the elapsed cycles, and fits beside launch overhead") {
  SimulationResult run = test::saxpy_profile();
  run.counters.first_block_start += 40000;
  // More than DRAM could move in time: what is still on its way at the end is no part of the run.
  run.counters.memory.dram_read_bytes *= 2;
  const Result result = result_of(test::saxpy_launch(), run);
  REQUIRE(result.verdict.bounds.front().name == "dram_bandwidth");
  CHECK(result.verdict.bounds.front().cycles == 455000 - 43000);
  INFO(result.verdict.summary);
  CHECK(result.verdict.summary.find("412,000 of 457,888 cycles (90 %), launch overhead takes "
                                    "45,888 more") != std::string::npos);
  std::string evidence;
  for (const Suggestion& s : result.verdict.suggestions) {
    evidence += s.evidence + "\n";
  }
  INFO(evidence);
  CHECK(evidence.find("DRAM alone needs 90 % of the cycles") != std::string::npos);
}

TEST_CASE("nothing ran, and nothing is NaN") {
  const KernelSpec kernel = test::chain_kernel(4, 132);
  SimulationResult run;
  run.counters.sm.resize(132);
  SECTION("no cycles at all") {}
  SECTION("interrupted before the first block") {
    run.status = Status::interrupted;
  }
  SECTION("cycles but no block") {
    run.counters.elapsed_cycles = 1000;
  }
  const Result result = result_of(kernel, run);
  CHECK(result.verdict.bound == "nothing");
  CHECK(result.verdict.suggestions.empty());
  CHECK(check_identities(run.counters, result) == std::vector<std::string>{});
}

TEST_CASE("roofline: intensity against the ridge point") {
  KernelSpec kernel = test::chain_kernel(100, 132);
  SimulationResult run = test::chain_run(test::h200(), kernel);
  run.counters.memory.dram_read_bytes = 132 * 128 * 100;  // one byte for two operations
  const Roofline r = result_of(kernel, run).verdict.roofline;
  CHECK(r.precision == "fp32");
  CHECK(r.flops.value_or(0) == 132 * 128 * 100 * 2);
  CHECK(r.intensity.value_or(0) == Approx(2));
  CHECK(r.peak_flops_per_second.value_or(0) == Approx(132 * 128 * 2 * 1977.747e6));
  CHECK(r.ridge.value_or(0) == Approx(132 * 128 * 2 * 1977.747e6 / 4812e9));
  CHECK(r.side == "memory");
}

TEST_CASE("memory that loads queue for is named before latency") {
  const KernelSpec kernel = test::saxpy_launch();
  SimulationResult run = test::saxpy_profile();
  run.counters.memory.dram_read_bytes /= 2;  // less than half of what DRAM could do
  run.counters.memory.dram_write_bytes /= 2;
  CHECK(result_of(kernel, run).verdict.bound == "latency");
  run.counters.memory.load_latency_cycles *= 3;
  const Result queued = result_of(kernel, run);
  CHECK(queued.verdict.bound == "dram_bandwidth");
  CHECK(queued.verdict.summary.find("a load takes 2,700 cycles, at most 610") != std::string::npos);
}
