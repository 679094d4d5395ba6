// How much slower than the best configuration is what `smsim tune` finds with a quarter of the
// simulations? Twenty problems, drawn from kernels, GPUs and problem sizes by a fixed seed:
//   tune_regret [THREADS]
// Every space is simulated as a whole once; the search then runs over the known cycles, which are
// what it would have simulated.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "sim/kernel/random.hpp"
#include "sim/study/tune_plan.hpp"
#include "sim/study/tune_search.hpp"
#include "smsim/tune.hpp"

namespace {

constexpr std::size_t kProblems = 20;
constexpr std::uint64_t kSeed = 20;
constexpr std::uint64_t kSearchSeeds = 20;  // the table's means are over so many seeds
constexpr std::uint64_t kWholeSpace = 100'000;
constexpr std::uint64_t kShare = 4;  // the search may simulate one in so many

struct Family {
  std::string kernel;
  std::vector<std::string> sizes;  // a space between several changes
  std::vector<std::string> over;
};

// Sizes with a few waves, and spaces of 60 to 400 points.
const std::vector<Family>& families() {
  static const std::vector<Family> kFamilies{
      {"block_reduce",
       {"params.n=524288", "params.n=1048576"},
       {"params.block=64:1024:*2", "launch.smem_dynamic=0:45056:+4096"}},
      {"saxpy_grid_stride",
       {"params.n=524288", "params.n=1048576"},
       {"params.block=64,128,256,512,1024", "params.blocks_per_sm=1,2,3,4,6,8",
        "params.unroll=1,2,3,4,6,8"}},
      {"triad",
       {"params.n=524288", "params.n=1048576"},
       {"params.block=32,64,96,128,192,256,384,512,768,1024", "launch.smem_dynamic=0:45056:+4096"}},
      {"persistent_queue",
       {"params.tasks=2048 params.longest=32", "params.tasks=4096 params.longest=24"},
       {"params.block=32,64,96,128,192,256,384,512", "params.blocks_per_sm=1,2,3,4,6,8,12,16"}},
      {"static_stride",
       {"params.tasks=2048 params.longest=32", "params.tasks=4096 params.longest=24"},
       {"params.block=32,64,96,128,192,256,384,512", "params.blocks_per_sm=1,2,3,4,6,8,12,16"}},
      {"sgemm_tiled",
       {"params.n=128", "params.n=192"},
       {"params.tile=8,16,32", "launch.registers=default,20,24,28,32,40",
        "launch.smem_dynamic=0,4096,8192,16384,32768"}},
      {"sgemm_register_tiled",
       {"params.n=256"},
       {"params.step=8,16,32", "launch.registers=default,40,48,56,64,72,80,96",
        "launch.smem_dynamic=0,8192,16384,32768"}},
      {"softmax_rows",
       {"params.rows=512 params.columns=1024", "params.rows=1024 params.columns=1024"},
       {"params.block=64,128,256,512", "launch.registers=default,18,17,16,15,14",
        "launch.smem_dynamic=0,4096,8192,16384,24576,32768"}},
      {"layernorm_rows",
       {"params.rows=512 params.columns=1024", "params.rows=1024 params.columns=1024"},
       {"params.block=64,128,256", "launch.registers=default,20,18,16,14",
        "launch.smem_dynamic=0,4096,8192,16384,24576,32768"}},
      {"hmma_matmul",
       {"params.n=128", "params.n=256"},
       {"params.block=32,64,128,256,512",
        "launch.registers=default,48,56,64,72,80,88,96,104,112,"
        "120,128,160"}},
      {"stencil_2d",
       {"params.width=1024 params.height=512", "params.width=1024 params.height=1024"},
       {"params.columns=32,64,128,256", "params.rows=2,4,8,16",
        "launch.smem_dynamic=0,8192,16384,24576,32768,40960"}},
      {"gather_l2",
       {"params.n=131072", "params.n=262144"},
       {"params.block=32,64,96,128,192,256,384,512,768,1024", "launch.smem_dynamic=0:45056:+4096"}},
      {"warp_reduce",
       {"params.n=524288", "params.n=1048576"},
       {"params.block=64,128,192,256,384,512,768,1024", "params.blocks_per_sm=1,2,3,4,5,6,8,12"}},
  };
  return kFamilies;
}

const std::vector<std::string>& gpus() {
  static const std::vector<std::string> kGpus{"h200", "a100", "rtx3090",
                                              "l4",   "t4",   "orin-agx-64gb"};
  return kGpus;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list(1);
  for (const char c : text) {
    if (c == ' ') {
      list.emplace_back();
    } else {
      list.back() += c;
    }
  }
  return list;
}

struct Problem {
  const Family* family = nullptr;
  std::string size;
  smsim::TuneOptions options;
};

// Families in turn, each with a drawn GPU and size; no problem twice.
std::vector<Problem> draw_problems() {
  std::vector<Problem> problems;
  std::vector<std::string> seen;
  std::uint64_t draws = 0;
  const auto draw = [&draws](std::size_t n) { return smsim::below(smsim::mix(kSeed, ++draws), n); };
  while (problems.size() < kProblems) {
    Problem problem;
    problem.family = &families()[problems.size() % families().size()];
    problem.size = problem.family->sizes[draw(problem.family->sizes.size())];
    problem.options.gpu = gpus()[draw(gpus().size())];
    const std::string key = problem.family->kernel + problem.size + problem.options.gpu;
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
    seen.push_back(key);
    problem.options.set = words(problem.size);
    problem.options.over = problem.family->over;
    problems.push_back(std::move(problem));
  }
  return problems;
}

using Costs = std::map<std::uint64_t, double>;

// Regret in percent of what `order` found.
double regret(const std::vector<std::uint64_t>& order, const Costs& costs, double best) {
  double found = 1e300;
  for (const std::uint64_t number : order) {
    const auto cost = costs.find(number);
    if (cost != costs.end()) found = std::min(found, cost->second);
  }
  return 100 * ((found / best) - 1);
}

std::vector<std::uint64_t> drawn(const Costs& costs, std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, cost] : costs) numbers.push_back(number);
  for (std::size_t i = numbers.size(); i > 1; --i) {
    std::swap(numbers[i - 1], numbers[smsim::below(smsim::mix(seed, i), i)]);
  }
  numbers.resize(std::min<std::size_t>(numbers.size(), count));
  return numbers;
}

struct Row {
  double of_seed_1 = 0;
  double mean = 0;
  double worst = 0;
  double at_random = 0;
};

Row run(const Problem& problem, int threads) {
  smsim::TuneOptions options = problem.options;
  options.threads = threads;
  options.budget = kWholeSpace;
  const smsim::TuneOutcome all = smsim::tune(problem.family->kernel, options);
  Costs costs;
  double best = 1e300;
  double worst = 0;
  for (const smsim::TunePoint& point : all.evaluated) {
    if (!point.cycles) continue;
    costs[*point.number] = *point.cycles;
    best = std::min(best, *point.cycles);
    worst = std::max(worst, *point.cycles);
  }
  smsim::Diagnostics problems;
  const auto plan = smsim::make_tune_plan(problem.family->kernel, options, problems);
  const smsim::SearchSpace space{plan->space.extents(),
                                 [&costs](std::uint64_t n) { return costs.count(n) > 0; }};
  const std::uint64_t budget = std::max<std::uint64_t>(costs.size() / kShare, 1);
  Row row;
  for (std::uint64_t seed = 1; seed <= kSearchSeeds; ++seed) {
    const auto order = smsim::search(space, {budget, seed, plan->present_number},
                                     [&costs](const std::vector<std::uint64_t>& numbers) {
                                       std::vector<std::optional<double>> found;
                                       for (const auto n : numbers) found.emplace_back(costs.at(n));
                                       return found;
                                     });
    const double one = regret(order, costs, best);
    if (seed == 1) row.of_seed_1 = one;
    row.mean += one / static_cast<double>(kSearchSeeds);
    row.worst = std::max(row.worst, one);
    row.at_random += regret(drawn(costs, budget, seed), costs, best) / double{kSearchSeeds};
  }
  fmt::print("| {} {} | {} | {} | {} | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
             problem.family->kernel, problem.size, problem.options.gpu, costs.size(), budget, best,
             worst / best, row.of_seed_1, row.mean, row.worst, row.at_random);
  std::fflush(stdout);
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 1;
  const auto start = std::chrono::steady_clock::now();
  fmt::print(
      "| problem | GPU | can run | simulated | best, cycles | worst, x best | regret, %: seed 1 | "
      "mean of {} seeds | worst of them | drawn at random, mean "
      "|\n|---|---|---|---|---|---|---|---|"
      "---|---|\n",
      kSearchSeeds);
  Row mean;
  for (const Problem& problem : draw_problems()) {
    const Row row = run(problem, threads);
    mean.of_seed_1 += row.of_seed_1 / kProblems;
    mean.mean += row.mean / kProblems;
    mean.worst = std::max(mean.worst, row.worst);
    mean.at_random += row.at_random / kProblems;
  }
  fmt::print(
      "| **mean** (of the worst: the largest) | | | | | | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
      mean.of_seed_1, mean.mean, mean.worst, mean.at_random);
  fmt::print("\n{:.0f} seconds with {} threads\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
             threads);
  return 0;
}
