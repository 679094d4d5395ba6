// What smsim sweep and smsim plot refuse, and that nothing is written then.
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string study(const ScratchFolder& folder, const std::string& rest) {
  return folder.write("study.yaml", "kernel: " + small_kernel() + "\n" + rest);
}

ToolRun sweep(const ScratchFolder& folder, const std::string& rest) {
  return run_tool("sweep " + study(folder, rest) + " --db " + folder.path("study.db"));
}

}  // namespace

TEST_CASE("seeds that are no whole numbers are refused, not read as 0") {
  const ScratchFolder folder;
  const ToolRun list = sweep(folder, "seeds: [1, -1, x, 1.5, 99999999999999999999]\n");
  CHECK(list.code == 2);
  for (const char* wrong : {"'-1'", "'x'", "'1.5'", "'99999999999999999999'"}) {
    INFO(wrong);
    CHECK(contains(list.err, std::string("found ") + wrong));
  }
  CHECK(times(list.err, "study.yaml:2:") == 4);
  for (const char* wrong : {"seeds: {from: 0.5, to: 3}\n", "axes: {seed: {from: -1, to: 3}}\n",
                            "set: {seed: two}\n", "zip: {seed: [1, b]}\n"}) {
    INFO(wrong);
    CHECK(sweep(folder, wrong).code == 2);
  }
  CHECK_FALSE(std::filesystem::exists(folder.path("study.db")));
  const ToolRun derived =
      sweep(folder, "axes: {launch.grid: [1]}\nderive: {seed: launch.grid / 2}\n");
  CHECK(derived.code == 2);
  CHECK(contains(derived.err, "seed: found '0.5'"));
}

TEST_CASE("two inputs with one name, or a result's name, are refused before anything runs") {
  const ScratchFolder folder;
  const ToolRun run = sweep(folder,
                            "axes: {launch.grid: [1, 2]}\n"
                            "derive: {Launch.Grid: 5, status: 1, Gpc__cycles_elapsed.max: 4}\n");
  CHECK(run.code == 2);
  CHECK(contains(run.err, "found 'Launch.Grid' more than once"));
  CHECK(contains(run.err, "found 'status' among what is varied, set or derived"));
  CHECK(contains(run.err, "found 'Gpc__cycles_elapsed.max' among"));
  CHECK_FALSE(std::filesystem::exists(folder.path("study.db")));
}

TEST_CASE("every formula that is wrong is told") {
  const ScratchFolder folder;
  const ToolRun run = sweep(folder,
                            "axes: {x: [0, 1]}\nderive: {y: 10 / x, z: 2 * nobody}\n"
                            "where: [x > missing, x > absent]\n");
  CHECK(run.code == 2);
  CHECK(contains(run.err, "study.yaml:3:"));
  CHECK(contains(run.err, "a division by zero"));
  for (const char* name : {"nobody", "missing", "absent"}) CHECK(contains(run.err, name));
}

TEST_CASE("a study of which no point makes a kernel is refused, one with some keeps the others") {
  const ScratchFolder folder;
  const ToolRun all = sweep(folder, "axes: {launch.blok: [32, 64]}\n");
  CHECK(all.code == 2);
  CHECK(contains(all.err, "blok"));
  CHECK_FALSE(std::filesystem::exists(folder.path("study.db")));
  const ToolRun some = sweep(folder, "axes: {launch.block: [64, -1]}\n");
  CHECK(some.code == 0);
  CHECK(contains(some.out, "1 x invalid: "));
}

TEST_CASE("a condition on the axes protects what is derived") {
  const ScratchFolder folder;
  const ToolRun run =
      sweep(folder,
            "axes: {launch.grid: [0, 1, 2]}\nderive: {launch.block: 64 / launch.grid}\n"
            "where: launch.grid > 0\n");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "2 points"));
}

TEST_CASE("one wrong value is told once, however often it is used") {
  const ScratchFolder folder;
  const ToolRun point = sweep(folder, "axes: {launch.block: [1/0]}\n");
  CHECK(point.code == 2);
  CHECK(times(point.err, "a division by zero") == 1);
  const ToolRun run = run_tool("run saxpy --set launch.block=nobody");
  CHECK(run.code == 2);
  CHECK(times(run.err, "found unknown name 'nobody'") == 1);
}

TEST_CASE("--merge refuses itself and what is no study, and makes no file then") {
  const ScratchFolder folder;
  REQUIRE(sweep(folder, "axes: {launch.grid: [1, 2]}\n").code == 0);
  const std::string before = folder.read("study.db");
  const std::string mine = folder.path("study.db");
  const ToolRun itself = run_tool("sweep --merge " + mine + " " + mine);
  CHECK(itself.code == 2);
  CHECK(contains(itself.err, "found an input as the output, expected another file"));
  CHECK(folder.read("study.db") == before);
  const std::string text = folder.write("text.db", "no database\n");
  const std::string all = folder.path("all.db");
  for (const std::string& wrong : {text, folder.path("missing.db")}) {
    CHECK(run_tool("sweep --merge " + all + " " + mine + " " + wrong).code == 2);
    CHECK_FALSE(std::filesystem::exists(all));
  }
  CHECK(run_tool("sweep --merge " + all + " " + mine).code == 0);
}

TEST_CASE("plot does not leave out a file that was asked for") {
  const ScratchFolder folder;
  REQUIRE(sweep(folder, "axes: {launch.grid: [1, 2]}\n").code == 0);
  const std::string plot = "plot " + folder.path("study.db") + " --x launch.grid ";
  const ToolRun two =
      run_tool(plot + "-o " + folder.path("a.svg") + " --svg " + folder.path("b.svg"));
  CHECK(two.code == 2);
  CHECK(contains(two.err, "found --svg besides --output, expected one"));
}
