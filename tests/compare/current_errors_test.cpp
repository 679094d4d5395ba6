// A part of the measured launches, held against the errors that validate/tables.py wrote down: a
// change of the model shows here, and the tables are to be made again.
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/compare/accuracy.hpp"
#include "sim/compare/validation.hpp"
#include "tests/catch.hpp"

using namespace smsim;

#ifdef SMSIM_HAVE_ZLIB
namespace {

const std::string kValidate = SMSIM_SOURCE_DIR "/validate";

// Small ones, of every kind: pipes, caches, DRAM, atomics, barriers, launch, whole kernels.
const std::vector<std::string> kChecked{"micro_ffma_chain",
                                        "micro_lds_chain",
                                        "micro_chase_l1",
                                        "micro_chase_dram",
                                        "micro_loaded_w4",
                                        "micro_red_one",
                                        "micro_syncthreads_w8",
                                        "micro_empty_4224",
                                        "saxpy_one_wave",
                                        "saxpy_small",
                                        "fma_dependent_low_occupancy",
                                        "mufu_low_occupancy",
                                        "integer_hash_short_blocks",
                                        "bfs_warp",
                                        "gemv_warp"};

std::map<std::string, double> written_errors() {
  std::ifstream file(kValidate + "/current_errors.csv");
  std::map<std::string, double> errors;
  for (std::string line; std::getline(file, line);) {
    const std::size_t comma = line.find(',');
    if (line.empty() || line[0] == '#' || line.rfind("reference,", 0) == 0) continue;
    errors[line.substr(0, comma)] = std::stod(line.substr(comma + 1));
  }
  return errors;
}

}  // namespace

TEST_CASE("measured launches are predicted as well as validate/README.md says") {
  const std::map<std::string, double> written = written_errors();
  for (const std::string& name : kChecked) {
    const std::vector<Reference> reference = find_references(kValidate + "/reference/h200/" + name);
    const ValidatedReference one = validate(reference, {}).front();
    INFO(name);
    REQUIRE(one.completed());
    constexpr double kPrinted = 0.01;  // percentage points
    CHECK(100 * *error_of(one, kCyclesMetric) == Approx(written.at(name)).margin(kPrinted));
  }
}
#endif
