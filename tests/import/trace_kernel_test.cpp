// Traces replay: a kernel that was written as a trace and read again runs as it does from memory.
#include <fstream>
#include <functional>

#include "sim/config/kernel_file.hpp"
#include "sim/import/accelsim_writer.hpp"
#include "sim/import/coalescing.hpp"
#include "sim/import/trace_generator.hpp"
#include "sim/import/trace_kernel.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/kernel_file.hpp"
#include "smsim/simulate.hpp"
#include "tests/catch.hpp"
#include "tests/scratch_folder.hpp"

using namespace smsim;

namespace {

const GpuSpec& h200() {
  static const GpuSpec kGpu = load_gpu("h200").spec;
  return kGpu;
}

SimulationResult run(const KernelSpec& kernel, int threads = 1) {
  SimulateOptions options;
  options.threads = threads;
  return simulate(h200(), kernel, options);
}

KernelSpec as_trace(const KernelSpec& kernel,
                    const std::function<std::unique_ptr<TraceStream>()>& open) {
  KernelSpec traced;
  traced.name = kernel.name;
  traced.launch = kernel.launch;
  attach_trace(traced, h200(), open);
  return traced;
}

void write(const std::string& path, const KernelSpec& kernel) {
  std::ofstream file(path, std::ios::binary);
  const auto stream = generate_trace(kernel, h200());
  AccelsimWriter writer(file, stream->header());
  AccelsimBlock block;
  while (stream->next_block(block)) writer.write(block, stream->opcodes());
}

std::uint64_t issued(const SimulationResult& result) {
  std::uint64_t sum = 0;
  for (const auto& sm : result.counters.sm) {
    for (const auto& sub : sm.sub) sum += sub.issued;
  }
  return sum;
}

struct Case {
  const char* kernel;
  std::vector<std::string> sizes;
};

}  // namespace

TEST_CASE("a kernel written as a trace and read again gives the same cycles") {
  const std::vector<Case> cases = {
      {"saxpy", {"params.n=200000"}},     {"block_reduce", {"params.n=204800"}},
      {"sgemm_tiled", {"params.n=128"}},  {"histogram_shared", {"params.n=200000"}},
      {"gather_l2", {"params.n=100000"}}, {"divergence", {}}};
  for (const Case& one : cases) {
    DYNAMIC_SECTION(one.kernel) {
      const KernelSpec kernel = load_kernel(one.kernel, one.sizes, h200());
      const test::ScratchFolder folder;
      const std::string path = folder.path("kernel-1.traceg");
      write(path, kernel);
      const KernelSpec direct =
          as_trace(kernel, [&kernel] { return generate_trace(kernel, h200()); });
      const KernelSpec read = as_trace(kernel, [&path] { return open_trace_file(path); });
      const SimulationResult a = run(direct);
      const SimulationResult b = run(read, 2);
      CHECK(a.status == Status::completed);
      CHECK(a.counters.elapsed_cycles == b.counters.elapsed_cycles);
      CHECK(a.counters.memory.dram_read_bytes == b.counters.memory.dram_read_bytes);
      CHECK(issued(a) == issued(b));
      CHECK(issued(a) == issued(run(kernel)));
    }
  }
}

TEST_CASE("data dependences hold behind an exit of some lanes") {
  const KernelSpec kernel = load_kernel("triad", {"params.n=65536"}, h200());
  const KernelSpec traced = as_trace(kernel, [&kernel] { return generate_trace(kernel, h200()); });
  const auto cycles = static_cast<double>(run(kernel).counters.elapsed_cycles);
  CHECK(static_cast<double>(run(traced).counters.elapsed_cycles) == Approx(cycles).epsilon(0.02));
}

TEST_CASE("a trace runs again, and with fewer blocks, but not with other threads") {
  const KernelSpec kernel = load_kernel("saxpy", {"params.n=20000"}, h200());
  KernelSpec traced = as_trace(kernel, [&kernel] { return generate_trace(kernel, h200()); });
  CHECK(run(traced).counters.elapsed_cycles == run(traced).counters.elapsed_cycles);
  KernelSpec other = traced;
  const auto open = [&kernel] { return generate_trace(kernel, h200()); };
  other.launch.grid.x = 3;
  attach_trace(other, h200(), open);
  CHECK(run(other).counters.blocks_done == 3);
  other.launch.grid.x = 100000;
  CHECK_THROWS_AS(attach_trace(other, h200(), open), InputError);
  other = traced;
  other.launch.block.x = 64;
  CHECK_THROWS_AS(attach_trace(other, h200(), open), InputError);
}

TEST_CASE("addresses become lines, sectors and passes") {
  const auto lanes = [](auto address_of) {
    std::vector<std::uint64_t> addresses;
    for (std::uint64_t lane = 0; lane < 32; ++lane) addresses.push_back(address_of(lane));
    return addresses;
  };
  const auto sectors = [](const RecordedWarp& warp) {
    int sum = 0;
    for (const RecordedLine& line : warp.lines) sum += std::popcount(line.sectors);
    return sum;
  };
  SECTION("neighbours share a line") {
    RecordedWarp warp;
    record_global(lanes([](auto lane) { return 0x1000 + 4 * lane; }), 4, warp);
    CHECK(warp.lines.size() == 1);
    CHECK(sectors(warp) == 4);
    CHECK(warp.lines.front().lanes == 32);
  }
  SECTION("one element behind a line's start touches two lines and five sectors") {
    RecordedWarp warp;
    record_global(lanes([](auto lane) { return 0x1004 + 4 * lane; }), 4, warp);
    CHECK(warp.lines.size() == 2);
    CHECK(sectors(warp) == 5);
  }
  SECTION("a stride of 32 bytes takes a sector each") {
    RecordedWarp warp;
    record_global(lanes([](auto lane) { return 32 * lane; }), 4, warp);
    CHECK(warp.lines.size() == 8);
    CHECK(sectors(warp) == 32);
  }
  SECTION("all lanes on one word") {
    RecordedWarp warp;
    record_global(lanes([](auto) { return 64; }), 4, warp);
    CHECK(sectors(warp) == 1);
    CHECK(warp.lines.front().word == 16);
  }
  SECTION("shared memory: banks of words") {
    const auto passes = [&](auto address_of, std::uint32_t width, bool atomic = false) {
      RecordedWarp warp;
      record_shared(lanes(address_of), width, atomic, warp);
      return static_cast<int>(warp.accesses.front().passes);
    };
    CHECK(passes([](auto lane) { return 4 * lane; }, 4) == 1);
    CHECK(passes([](auto lane) { return 8 * lane; }, 4) == 2);
    CHECK(passes([](auto lane) { return 128 * lane; }, 4) == 32);
    CHECK(passes([](auto lane) { return 132 * lane; }, 4) == 1);
    CHECK(passes([](auto) { return 0; }, 4) == 1);
    CHECK(passes([](auto) { return 0; }, 4, true) == 32);
    CHECK(passes([](auto lane) { return 8 * lane; }, 8) == 2);
    CHECK(passes([](auto lane) { return 16 * lane; }, 16) == 4);
  }
}
