// Which points a tuning space has: lists, ranges, conditions, what files say, what is tried when
// they say nothing.
#include "sim/study/tune_space.hpp"

#include <algorithm>
#include <set>

#include "sim/config/tune_file.hpp"
#include "sim/study/tune_plan.hpp"
#include "sim/study/tune_runner.hpp"
#include "smsim/kernel_file.hpp"
#include "smsim/tune.hpp"
#include "tests/catch.hpp"
#include "tests/scratch_folder.hpp"

using namespace smsim;
using smsim::test::ScratchFolder;

namespace {

using Values = std::vector<std::string>;

Values parsed(const std::string& text) {
  std::string wrong;
  return parse_tune_values(text, wrong).value_or(Values{"wrong: " + wrong});
}

TunePlan plan_of(const std::string& kernel, const TuneOptions& options) {
  Diagnostics problems;
  auto plan = make_tune_plan(kernel, options, problems);
  problems.throw_if_any();
  return std::move(*plan);
}

std::string problems_of(const std::string& kernel, const TuneOptions& options) {
  try {
    check_tune(kernel, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TuneOptions over(std::vector<std::string> axes) {
  TuneOptions options;
  options.over = std::move(axes);
  return options;
}

void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

std::vector<std::uint64_t> allowed(const TunePlan& plan) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t n = 0; n < plan.space.size(); ++n) {
    if (plan.allowed(n)) numbers.push_back(n);
  }
  return numbers;
}

}  // namespace

TEST_CASE("values are lists and ranges, numbers in rising order") {
  CHECK(parsed("64,128,256") == Values{"64", "128", "256"});
  CHECK(parsed("256, 64 ,128") == Values{"64", "128", "256"});
  CHECK(parsed("8:64:*2") == Values{"8", "16", "32", "64"});
  CHECK(parsed("8:60:*2") == Values{"8", "16", "32"});
  CHECK(parsed("8:32:+8") == Values{"8", "16", "24", "32"});
  CHECK(parsed("1:3") == Values{"1", "2", "3"});
  CHECK(parsed("1:2:+0.5") == Values{"1", "1.5", "2"});
  CHECK(parsed("64,8:32:*2") == Values{"8", "16", "32", "64"});
  CHECK(parsed("64,default,32") == Values{"default", "32", "64"});
  CHECK(parsed("[32, 8],[16, 16]") == Values{"[32, 8]", "[16, 16]"});
  CHECK(parsed("\"max(1, 2)\",n") == Values{"\"max(1, 2)\"", "n"});
}

TEST_CASE("values that are none are refused") {
  CHECK(parsed("8:64:2")[0].find("wrong: found '8:64:2', expected a range A:B:+S") == 0);
  CHECK(parsed("64:8:*2")[0].find("wrong: found '64:8:*2'") == 0);
  CHECK(parsed("0:8:*2")[0].find("wrong: ") == 0);
  CHECK(parsed("1:8:*1")[0].find("wrong: ") == 0);
  CHECK(parsed("1:8:+0")[0].find("wrong: ") == 0);
  CHECK(parsed("1:8:")[0].find("wrong: ") == 0);
  CHECK(parsed("a:b")[0].find("wrong: ") == 0);
  CHECK(parsed("1,,2")[0] == "wrong: found '1,,2', expected values between the commas");
  CHECK(parsed("1,2,1")[0] == "wrong: found 1 twice, expected each value once");
  CHECK(parsed("1:1000000")[0].find("expected fewer than 1000 values") != std::string::npos);
}

TEST_CASE("points are numbered with the last axis fastest") {
  const TuneSpace space({{"params.a", {"1", "2"}}, {"params.b", {"x", "y", "z"}}});
  CHECK(space.size() == 6);
  CHECK(space.values(0) == TuneSpace(space.axes()).values(0));
  CHECK(space.values(4)[0].second == "2");
  CHECK(space.values(4)[1].second == "y");
  for (std::uint64_t n = 0; n < 6; ++n) {
    CHECK(number_of(space.extents(), steps_of(space.extents(), n)) == n);
  }
}

TEST_CASE("a kernel file says what is tuned, and the command line overrules it") {
  const ScratchFolder folder;
  const std::string kernel = folder.write(
      "k.yaml",
      "params: {n: 4096, tile: 8, twice: 2 * tile}\nlaunch: {grid: n / tile, block: 32}\n"
      "tune: {params.tile: [8, 16, 32], launch.registers: 32:64:*2, where: [twice <= 32]}\n"
      "program: [barrier]\n");
  const TunePlan plan = plan_of(kernel, {});
  CHECK(plan.axes_from == "the kernel file");
  CHECK(plan.space.size() == 6);
  CHECK(allowed(plan) == std::vector<std::uint64_t>{0, 1, 2, 3});
  CHECK_FALSE(plan.present_number.has_value());  // the file has no number of registers

  TuneOptions options = over({"params.tile=4,8"});
  options.where = {"params.n % tile == 0", "tile > gpu.sms / 22"};
  const TunePlan other = plan_of(kernel, options);
  CHECK(other.axes_from == "--over");
  CHECK(allowed(other) == std::vector<std::uint64_t>{1});
  CHECK(other.present_number == 1);

  TuneOptions set;
  set.set = {"params.tile=16"};
  CHECK(plan_of(kernel, set).space.axes().size() == 1);  // it is to be 16
}

TEST_CASE("without a word block sizes and registers that admit another block are tried") {
  const TunePlan plan = plan_of("fma_ilp8", {});
  CHECK(plan.axes_from == "default");
  CHECK(plan.space.axes()[0].path == "params.block");
  CHECK(plan.present_number.has_value());
  TuneOptions many;
  many.set = {"launch.registers=72"};
  const TuneSpace space = plan_of("triad", many).space;
  REQUIRE(space.axes().size() == 2);
  CHECK(space.axes()[1].path == "launch.registers");
  // 65,536 registers, 8 warps of 32 threads in a block, rounded to 8 registers a thread.
  CHECK(space.axes()[1].values == Values{"default", "32", "40", "48", "64"});
}

TEST_CASE("every kernel that says how it is tuned has points that run") {
  std::size_t tuned = 0;
  for (const std::string& kernel : kernel_names()) {
    INFO(kernel);
    const TuneOptions options;
    Diagnostics problems;
    const auto plan = make_tune_plan(kernel, options, problems);
    if (!plan || plan->axes_from != "the kernel file") continue;
    ++tuned;
    TuneRunner runner(*plan, options);
    for (const std::uint64_t number : allowed(*plan)) {
      INFO(number);
      CHECK(runner.feasible(number));
    }
    CHECK(runner.reasons().empty());
  }
  CHECK(tuned >= 6);
}

TEST_CASE("all problems of the inputs are reported at once") {
  TuneOptions options = over({"params.blok=64", "launch.registers=8:4:*2", "nonsense"});
  options.gpu = "h20";
  options.scheduler = "gtoo";
  options.set = {"params.m=7"};
  const std::string all = problems_of("saxpy", options);
  has(all, "--scheduler: found 'gtoo', expected one of");
  has(all, "did you mean 'gto'?");
  has(all, "--gpu: found");
  has(all, "did you mean 'h200'?");
  has(all, "--over: found 'nonsense', expected PATH=LIST or PATH=RANGE");
  has(all, "--over launch.registers: found '8:4:*2', expected a range");
  has(all, "--over: found no 'params.blok' in the kernel file");
  has(all, "did you mean 'params.block'?");
  has(all, "--set: found no 'params.m' in the kernel file");
  has(problems_of("saxpi", {}), "did you mean 'saxpy'?");
}

TEST_CASE("conditions, repeats and what stands in no file are problems") {
  TuneOptions options = over({"params.block=64,128"});
  options.where = {"params.blok < 100", "params.block <"};
  const std::string all = problems_of("saxpy", options);
  has(all, "--where 'params.blok < 100': found unknown name 'params.blok'");
  has(all, "--where 'params.block <': ");
  has(problems_of("saxpy", over({"params.n=1", "params.n=2"})),
      "--over: found params.n twice, expected each path once");
  options = over({"params.n=1,2"});
  options.set = {"params.n=3"};
  has(problems_of("saxpy", options),
      "found params.n in --set and --over, expected it in one of them");
  has(problems_of("saxpy", over({"gpu.sms=1,2"})), "--over: found no 'gpu.sms'");
  has(problems_of("saxpy", over({"program.77.x=1,2"})), "--over program.77.x: found no '77'");
  has(problems_of("transpose_naive", {}), "found nothing to vary by itself");
}

TEST_CASE("problems of a file's own tuning have their place") {
  const ScratchFolder folder;
  const std::string kernel =
      folder.write("k.yaml",
                   "params: {tile: 8}\nlaunch: {grid: 4, block: 32}\n"
                   "tune:\n  params.tile: [8, 8]\n  where: tile < size\nprogram: [barrier]\n");
  has(problems_of(kernel, {}), "k.yaml:4:16: error: params.tile: found 8 twice");
  const std::string other =
      folder.write("l.yaml",
                   "params: {tile: 8}\nlaunch: {grid: 4, block: 32}\n"
                   "tune:\n  params.tile: [8, 16]\n  where: tile < size\nprogram: [barrier]\n");
  has(problems_of(other, {}), "l.yaml:5:17: error: found unknown name 'size'");
}
