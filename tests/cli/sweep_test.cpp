// smsim sweep and plot: interrupted, in parts, and with wrong inputs.
#include <nlohmann/json.hpp>
#include <random>

#include "tests/catch.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

constexpr const char* kKernel =
    "name: small\n"
    "params: {n: 8192, block: 128, work: 4}\n"
    "launch: {grid: ceil(n / block), block: block}\n"
    "scalars: [a]\n"
    "arrays: {X: 4 * n, Y: 4 * n}\n"
    "program:\n"
    "  - x: {op: LDG, array: X, index: i}\n"
    "  - repeat: {step: work, body: [x: {op: FFMA, src: [x, a, x]}]}\n"
    "  - {op: STG, array: Y, index: i, src: x}\n";

constexpr const char* kStudy =
    "kernel: small.yaml\n"
    "gpus: [h200, t4]\n"
    "axes:\n"
    "  params.work: {from: 1, to: 12}\n"
    "  params.block: [64, 128]\n"
    "  launch.smem_dynamic: [0, 100000]\n";

// A folder with the kernel and the study, and sweeps in it.
class Study {
 public:
  Study() {
    folder_.write("small.yaml", kKernel);
    folder_.write("study.yaml", kStudy);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  [[nodiscard]] ToolRun sweep(const std::string& db, const std::string& options = "") const {
    return run_tool(command(db, options));
  }
  [[nodiscard]] std::string command(const std::string& db, const std::string& options = "") const {
    return "sweep " + path("study.yaml") + " --db " + path(db) + " " + options;
  }
  // All rows; nothing is simulated for it when all are there.
  [[nodiscard]] std::string rows(const std::string& db) const { return sweep(db, "--csv").out; }

 private:
  ScratchFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a sweep runs every point once, and what cannot be launched is a row with the reason") {
  const Study study;
  const ToolRun first = study.sweep("a.db");
  CHECK(first.code == 0);
  CHECK(first.err.empty());
  CHECK(contains(first.out, "96 points, 96 simulated now, 0 kept, 24 infeasible"));
  CHECK(contains(first.out, "24 x launch_failure: "));
  CHECK(contains(study.sweep("a.db").out, "96 points, 0 simulated now, 96 kept"));
  const json rows = json::parse(study.sweep("a.db", "--json").out);
  REQUIRE(rows.size() == 96);
  CHECK(rows[0]["params.work"] == 1);
  CHECK(rows[0]["gpu"] == "h200");
  CHECK(rows[0]["gpc__cycles_elapsed.max"] > 0);
  CHECK(rows[95]["status"] == "launch_failure");
  CHECK(rows[95]["gpc__cycles_elapsed.max"].is_null());
}

TEST_CASE("any number of threads gives the same rows") {
  const Study study;
  static_cast<void>(study.sweep("one.db", "--threads 1"));
  static_cast<void>(study.sweep("four.db", "--threads 4"));
  CHECK(study.rows("one.db") == study.rows("four.db"));
}

TEST_CASE("more threads than there is work for end all the same") {
  const Study study;
  for (int i = 0; i < 5; ++i) {
    const std::string db = "many" + std::to_string(i) + ".db";
    const ToolRun run = run_tool_under("timeout -s KILL 60", study.command(db, "--threads 400"));
    CHECK(run.code == 0);
  }
}

TEST_CASE("killed at any moment and started again it ends with the same rows") {
  const Study study;
  static_cast<void>(study.sweep("whole.db"));
  const std::string whole = study.rows("whole.db");
  std::mt19937 random(7);
  int killed = 0;
  for (int i = 0; i < 10; ++i) {
    const int ms = std::uniform_int_distribution<int>(10, 400)(random);
    const ToolRun run = run_tool_under("timeout -s KILL 0." + std::to_string(1000 + ms).substr(1),
                                       study.command("cut.db", "--threads 1"));
    killed += run.code != 0 ? 1 : 0;
  }
  CHECK(killed > 0);
  CHECK(study.sweep("cut.db").code == 0);
  CHECK(study.rows("cut.db") == whole);
}

TEST_CASE("shards, merged, are the whole study") {
  const Study study;
  static_cast<void>(study.sweep("whole.db"));
  std::string shards;
  for (int i = 0; i < 4; ++i) {
    const std::string db = "shard" + std::to_string(i) + ".db";
    CHECK(contains(study.sweep(db, "--shard " + std::to_string(i) + "/4").out, "24 points"));
    shards += " " + study.path(db);
  }
  const ToolRun merged = run_tool("sweep --merge " + study.path("all.db") + shards);
  CHECK(merged.code == 0);
  CHECK(contains(merged.out, "96 rows added"));
  CHECK(study.rows("all.db") == study.rows("whole.db"));
  CHECK(contains(run_tool("sweep --merge " + study.path("all.db") + shards).out, "0 rows added"));
}

TEST_CASE("the batch system's variables choose the shard") {
  const Study study;
  const ToolRun run =
      run_tool_under("env SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=4",
                     study.command("slurm.db", "--shard auto --json"));
  CHECK(json::parse(run.out).size() == 24);
  CHECK(json::parse(run.out)[0]["number"] == 2);
  CHECK(run_tool_under("env OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2",
                       study.command("mpi.db", "--shard auto"))
            .code == 0);
  const ToolRun none = study.sweep("none.db", "--shard auto");
  CHECK(none.code == 2);
  CHECK(contains(none.err, "--shard: found 'auto', expected I/N with I below N"));
}

TEST_CASE("a changed kernel runs again, a changed study only what is new") {
  const Study study;
  static_cast<void>(study.sweep("a.db"));
  std::string more = kStudy;
  more.replace(more.find("to: 12"), 6, "to: 13");
  study.write("study.yaml", more);
  CHECK(contains(study.sweep("a.db").out, "104 points, 8 simulated now, 96 kept"));
  std::string kernel = kKernel;
  kernel.replace(kernel.find("n: 8192"), 7, "n: 4096");
  study.write("small.yaml", kernel);
  CHECK(contains(study.sweep("a.db").out, "104 points, 104 simulated now, 0 kept"));
}

TEST_CASE("wrong sweeps are refused, all problems at once, and touch no database") {
  const Study study;
  CHECK(run_tool("sweep").code == 2);
  const ToolRun options = study.sweep("a.db", "--shard 4/4 --threads 0 --csv --json");
  CHECK(options.code == 2);
  CHECK(contains(options.err, "--shard: found '4/4'"));
  CHECK(contains(options.err, "--threads: found '0'"));
  CHECK(contains(options.err, "found --csv and --json, expected one"));
  CHECK(run_tool("sweep nowhere.yaml").code == 2);
  CHECK(contains(run_tool("sweep policie").err, "did you mean 'policies'"));
  study.write("text.db", "this is no database");
  const ToolRun text = study.sweep("text.db");
  CHECK(text.code == 2);
  CHECK(contains(text.err, "text.db: found no database of a study"));
  CHECK(run_tool("sweep --merge " + study.path("m.db") + " " + study.path("nowhere.db")).code == 2);
}

TEST_CASE("plot draws what a sweep has found") {
  const Study study;
  static_cast<void>(study.sweep("a.db"));
  const std::string plot = "plot " + study.path("a.db") + " --x params.work --by gpu ";
  const ToolRun none = run_tool(plot);
  CHECK(none.code == 2);
  CHECK(contains(none.err, "expected --svg FILE or --html FILE"));
  const ToolRun wrong = run_tool(plot + "--y gpc__cycles --svg " + study.path("x.svg"));
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "found no column 'gpc__cycles'"));
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0) return;
  const ToolRun good = run_tool(plot + "-o " + study.path("x.svg"));
  CHECK(good.code == 0);
  CHECK(contains(good.out, "2 series"));
}
