// Tuning as a whole, on kernels that take milliseconds.
#include "smsim/tune.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "smsim/gpu_file.hpp"
#include "smsim/kernel_file.hpp"
#include "smsim/occupancy.hpp"
#include "tests/catch.hpp"

using namespace smsim;
using nlohmann::json;

namespace {

struct Case {
  std::string kernel;
  TuneOptions options;
};

TuneOptions options_of(std::string gpu, std::vector<std::string> set,
                       std::vector<std::string> over) {
  TuneOptions options;
  options.gpu = std::move(gpu);
  options.set = std::move(set);
  options.over = std::move(over);
  return options;
}

// Spaces of 40 to 60 points on a GPU with few SMs.
const std::vector<Case>& cases() {
  static const std::vector<Case> kCases{
      {"block_reduce",
       options_of("orin-agx-64gb", {"params.n=65536"},
                  {"params.block=64:1024:*2", "launch.smem_dynamic=0:40960:+5120"})},
      {"saxpy_grid_stride",
       options_of("t4", {"params.n=65536"},
                  {"params.block=64:512:*2", "params.blocks_per_sm=1:4", "params.unroll=1,2,4"})},
      {"persistent_queue",
       options_of("orin-agx-64gb", {"params.tasks=512", "params.longest=16"},
                  {"params.block=32,64,96,128,192,256,512", "params.blocks_per_sm=1,2,3,4,6,8"})},
  };
  return kCases;
}

TuneOutcome tuned(const Case& one, std::uint64_t budget, std::uint64_t seed, int threads) {
  TuneOptions options = one.options;
  options.budget = budget;
  options.seed = seed;
  options.threads = threads;
  return tune(one.kernel, options);
}

double best_cycles(const TuneOutcome& outcome) {
  return *outcome.evaluated[*outcome.best].cycles;
}

}  // namespace

TEST_CASE("with a quarter of the simulations the search comes near the best of all") {
  double regret = 0;
  for (const Case& one : cases()) {
    INFO(one.kernel);
    const TuneOutcome all = tuned(one, 1000, 1, 2);
    CHECK(all.exhaustive);
    CHECK(all.evaluated.size() + all.left_out + all.infeasible == all.points);
    const std::uint64_t budget = all.evaluated.size() / 4;
    const TuneOutcome some = tuned(one, budget, 1, 2);
    CHECK_FALSE(some.exhaustive);
    CHECK(some.evaluated.size() == budget);
    CHECK(best_cycles(some) >= best_cycles(all));
    const double one_regret = best_cycles(some) / best_cycles(all) - 1;
    CHECK(one_regret < 0.1);
    regret += one_regret / static_cast<double>(cases().size());
  }
  CHECK(regret < 0.03);
}

TEST_CASE("threads never change an outcome, the same seed gives the same, another may not") {
  const Case& one = cases().back();
  const std::string first = tune_json(tuned(one, 12, 5, 1));
  CHECK(tune_json(tuned(one, 12, 5, 3)) == first);
  CHECK(tune_json(tuned(one, 12, 6, 1)) != first);
  CHECK(tune_csv(tuned(one, 1000, 1, 1)) == tune_csv(tuned(one, 1000, 2, 4)));
}

TEST_CASE("a point of the space has the cycles that a run of it has") {
  const Case& one = cases().front();
  const TuneOutcome outcome = tuned(one, 5, 1, 1);
  const TunePoint& point = outcome.evaluated.back();
  std::vector<std::string> changes = one.options.set;
  for (const auto& [path, value] : point.values) changes.push_back(path + "=" + value);
  const GpuSpec gpu = load_gpu(one.options.gpu).spec;
  const SimulationResult run = simulate(gpu, load_kernel(one.kernel, changes, gpu));
  CHECK(*point.cycles == static_cast<double>(run.counters.elapsed_cycles));
}

TEST_CASE("what cannot run costs nothing and is counted by its reason") {
  Case one = cases().front();
  one.options.over = {"params.block=64,100,128", "launch.smem_dynamic=0,999999"};
  one.options.where = {"params.block != 64"};
  const TuneOutcome outcome = tuned(one, 100, 1, 1);
  CHECK(outcome.points == 6);
  CHECK(outcome.left_out == 2);
  CHECK(outcome.infeasible == 3);  // 100 is no power of two; 999,999 bytes are too many
  CHECK(outcome.evaluated.size() == 1);
  std::uint64_t sum = 0;
  for (const auto& [reason, count] : outcome.reasons) sum += count;
  CHECK(sum == outcome.infeasible);
  one.options.over = {"launch.smem_dynamic=999999"};
  const TuneOutcome none = tuned(one, 100, 1, 1);
  CHECK_FALSE(none.best.has_value());
  CHECK(tune_text(none).find("No configuration can run.") != std::string::npos);
  CHECK(json::parse(tune_json(none))["best"].is_null());
}

TEST_CASE("fewer registers bring another block and spills, and the report says what that costs") {
  TuneOptions options = options_of("h200", {}, {"params.registers=40,64,72"});
  const TuneOutcome outcome = tune("spilling", options);
  REQUIRE(outcome.best);
  CHECK(outcome.evaluated[*outcome.best].registers == 72);
  CHECK(outcome.evaluated[*outcome.most_occupied].spilled_bytes > 0);
  REQUIRE_FALSE(outcome.why_not_occupied.empty());
  CHECK(outcome.why_not_occupied.front().find("registers a thread spills") != std::string::npos);
  const TuneQuestion& next = outcome.questions.front();
  CHECK(next.name == "registers_for_next_block");
  CHECK(next.value == 64);
  CHECK(next.change == -8);
  CHECK(next.blocks == 4);
  CHECK(next.cycles == outcome.evaluated[1].cycles);  // the point with 64 registers
}

TEST_CASE("the largest tile at no loss of a block is what the occupancy rules say") {
  TuneOptions options = options_of("h200", {"params.n=64"}, {"params.step=8,16,32,64"});
  const TuneOutcome outcome = tune("sgemm_register_tiled", options);
  REQUIRE(outcome.best);
  const auto found = std::find_if(outcome.questions.begin(), outcome.questions.end(),
                                  [](const auto& q) { return q.name == "largest_value"; });
  const auto slack = std::find_if(outcome.questions.begin(), outcome.questions.end(),
                                  [](const auto& q) { return q.name == "smem_slack"; });
  REQUIRE(slack != outcome.questions.end());
  const GpuSpec gpu = load_gpu("h200").spec;
  const std::string step = outcome.evaluated[*outcome.best].values[0].second;
  BlockRequest request =
      block_request(load_kernel("sgemm_register_tiled", {"params.step=" + step}, gpu).launch);
  request.smem_dynamic_bytes += *slack->change;
  CHECK(occupancy(gpu, request).blocks_per_sm == *slack->blocks);
  ++request.smem_dynamic_bytes;
  CHECK(occupancy(gpu, request).blocks_per_sm == *slack->blocks - 1);
  if (step != "64") {
    REQUIRE(found != outcome.questions.end());
    const std::int64_t bytes = 2 * 4 * 64 * found->value.value();
    CHECK(bytes <= *slack->value);
  }
}

TEST_CASE("reports are at most 80 columns wide") {
  const TuneOutcome outcome = tuned(cases().back(), 12, 1, 1);
  std::istringstream text(tune_text(outcome));
  for (std::string line; std::getline(text, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}
