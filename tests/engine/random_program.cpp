#include "tests/engine/random_program.hpp"

#include <algorithm>

#include "sim/engine/block_need.hpp"
#include "tests/engine/random_machine.hpp"
#include "tests/engine/random_statements.hpp"
#include "tests/engine/random_sync.hpp"

namespace smsim::test {
namespace {

// What the whole block does together: never inside divergent code.
class RandomKernel {
 public:
  RandomKernel(RandomSource& random, const GpuSpec& gpu, const LaunchSpec& launch)
      : random_(random),
        launch_(launch),
        warps_(static_cast<int>((launch.block.count() + 31) / 32)),
        statements_(random, program_, launch),
        sync_(random, program_, statements_, launch, warps_) {
    static_cast<void>(gpu);
  }

  Program build() {
    statements_.make_arrays();
    sync_.make_queues();
    if (random_.one_in(6)) statements_.leave_early();
    sections(random_.between(1, 4), 0);
    if (random_.one_in(3)) {
      statements_.leave_early();
      statements_.some(random_.between(0, 4));
      if (random_.one_in(2)) program_.barrier();
    }
    statements_.some(random_.between(0, 3));
    Instruction last = program_.flow(Flow::exit, 0, random_.between(0, 5));
    last.action = Action::exit;
    program_.add(last);
    return program_.program;
  }

 private:
  void sections(int count, int depth) {
    for (int i = 0; i < count; ++i) {
      if (depth < 2 && random_.one_in(3)) {
        program_.loop(statements_.trips_of_a_block(),
                      [&] { sections(random_.between(1, 2), depth + 1); });
      } else if (random_.one_in(2)) {
        statements_.some(random_.between(1, 6));
      } else {
        sync_.one(statements_.somebody_left(), depth);
      }
    }
  }

  RandomSource& random_;
  ProgramBuilder program_;
  LaunchSpec launch_;
  int warps_;
  RandomStatements statements_;
  RandomSync sync_;
};

LaunchSpec random_launch(RandomSource& random, const GpuSpec& gpu) {
  LaunchSpec launch;
  const int most = std::min(512, gpu.limits.max_warps * 32);
  launch.block.x = static_cast<std::uint64_t>(random.one_in(2) ? 32 * random.between(1, most / 32)
                                                               : random.between(1, most));
  launch.registers = random.between(16, 100);
  launch.smem_static_bytes = random.one_of({0, 1024, 20000});
  launch.grid.x = static_cast<std::uint64_t>(random.between(1, launch.block.x > 128 ? 8 : 16));
  launch.barriers = random.between(0, 16);
  launch.warm_caches = random.one_in(3);
  launch.seed = random.number();
  if (random.one_in(4)) {
    const int smallest =
        gpu.topology.sms_per_gpc.empty()
            ? gpu.topology.sms
            : *std::max_element(gpu.topology.sms_per_gpc.begin(), gpu.topology.sms_per_gpc.end());
    launch.cluster = random.between(1, smallest);
    launch.grid.x = static_cast<std::uint64_t>(launch.cluster * random.between(1, 4));
  }
  return launch;
}

}  // namespace

RandomCase random_case(std::uint64_t seed) {
  RandomSource random(seed);
  RandomCase result;
  result.gpu = random_machine(random);
  result.smem_pool_bytes = 1024 * random.one_of({64, 132, 228});
  do {
    result.kernel.launch = random_launch(random, result.gpu);
  } while (!engine::fit(engine::empty_sm(result.gpu, result.smem_pool_bytes),
                        engine::need_of(result.gpu, result.kernel.launch)));
  result.kernel.name = "random " + std::to_string(seed);
  result.kernel.program = RandomKernel(random, result.gpu, result.kernel.launch).build();
  return result;
}

}  // namespace smsim::test
