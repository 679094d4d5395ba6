// Public questions about issue intervals, held against the GPU files; sources in
// tests/data/cases.md.
#include <map>
#include <string>

#include "smsim/gpu_file.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

int interval(const std::string& gpu, const std::string& operation) {
  return load_gpu(gpu).spec.operations.at(operation).issue_interval_cycles;
}

}  // namespace

TEST_CASE("S21: FFMA every second cycle on Turing, every cycle on compute capability 8.6") {
  CHECK(interval("sm_75", "FFMA") == 2);
  CHECK(interval("sm_86", "FFMA") == 1);
  CHECK(load_gpu("sm_75").spec.mio.load_interval_cycles == 4);
}

TEST_CASE("S22: a pipe of n lanes is taken for 32 / n cycles by a warp") {
  CHECK(interval("sm_70", "IADD3") == 32 / 16);
  CHECK(interval("sm_70", "DFMA") == 32 / 8);
  CHECK(interval("sm_70", "MUFU") == 32 / 4);
  CHECK(interval("sm_90", "DFMA") == 32 / 16);
  CHECK(interval("sm_86", "DFMA") ==
        64);  // two lanes for the whole SM, shared by four sub-partitions
}
