// What smsim run refuses, and in which words.
#include <algorithm>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;

namespace {

void refuses(const std::string& arguments, const std::string& message) {
  INFO(arguments);
  const ToolRun run = run_tool("run " + arguments);
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  INFO(run.err);
  CHECK(run.err.find("error: " + message) != std::string::npos);
}

}  // namespace

TEST_CASE("a wrong command line is refused with what was expected") {
  const std::string file = small_kernel();
  refuses("", "found no kernel, expected NAME|FILE...");
  refuses(file + " --gpu h20", "--gpu: ");
  refuses(file + " --scheduler gtoo", "--scheduler: found 'gtoo', expected one of lrr, gto");
  refuses(file + " --set block", "--set: found 'block', expected path=value");
  refuses(file + " --set =3", "--set: found '=3', expected path=value");
  refuses(file + " --seed x", "--seed: found 'x', expected an integer from 0");
  refuses(file + " --threads 0", "--threads: found '0', expected an integer from 1 to 1024");
  refuses(file + " --max-cycles 0", "--max-cycles: found '0', expected an integer from 1");
  refuses(file + " --format xml", "--format: found 'xml', expected one of text, json, csv");
  refuses(file + " --fromat csv", "found unknown option '--fromat'");
  refuses(file + " --format csv --per-sm", "--per-sm: expected with text or JSON");
}

TEST_CASE("nearby names are suggested") {
  const std::string file = small_kernel();
  CHECK(run_tool("run " + file + " --gpu h20").err.find("did you mean") != std::string::npos);
  CHECK(run_tool("run " + file + " --scheduler gtoo").err.find("did you mean 'gto'?") !=
        std::string::npos);
}

TEST_CASE("a kernel that cannot be read is refused with the reason") {
  const ScratchFolder folder;
  refuses(folder.path("none.yaml"), "cannot be read: No such file or directory");
  refuses(folder.path(""), "cannot be read: it is a folder");
  refuses(folder.write("empty.yaml", ""), "found an empty file, expected a YAML mapping");
  refuses("saxpi", "found unknown kernel 'saxpi', expected a file or one of ");
  CHECK(run_tool("run saxpi").err.find("did you mean 'saxpy'?") != std::string::npos);
}

TEST_CASE("a GPU that lacks what a run needs is refused") {
  const ScratchFolder folder;
  const std::string gpu = folder.write("gpu.yaml", "extends: sm_90\ntopology: {sms: 16}\n");
  refuses(small_kernel() + " --gpu " + gpu, "found no clocks.sm_mhz, which a run needs");
  CHECK(run_tool("occupancy --block 256 --gpu " + gpu).code == 0);
  const std::string wrong = folder.write("wrong.yaml", "extends: h200\nscheduler: nosuch\n");
  refuses(small_kernel() + " --gpu " + wrong, "scheduler: found 'nosuch', expected one of lrr");
}

TEST_CASE("all problems of the command line are reported at once") {
  const ToolRun run = run_tool("run --gpu h20 --threads 0 --format xml --set x");
  CHECK(run.code == 2);
  for (const char* part : {"no kernel", "--gpu: ", "--threads: ", "--format: ", "--set: "}) {
    INFO(run.err);
    CHECK(run.err.find(part) != std::string::npos);
  }
}

TEST_CASE("all problems of all files are reported before anything runs") {
  const ScratchFolder folder;
  const std::string bad = folder.write("bad.yaml",
                                       "name: bad\n"
                                       "launch: {grid: 0, block: 128}\n"
                                       "program:\n"
                                       "  - x: {op: LGD, array: X, index: i}\n");
  const ToolRun run = run_tool("run " + small_kernel() + " " + bad + " no_such_file.yaml");
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(run.err.find("bad.yaml:2:16: error: ") != std::string::npos);
  CHECK(run.err.find("bad.yaml:4:13: error: ") != std::string::npos);
  CHECK(run.err.find("no_such_file.yaml: error: ") != std::string::npos);
}

TEST_CASE("a --set that no kernel file knows is refused") {
  const ToolRun run = run_tool("run " + small_kernel() + " --set launch.gird=3");
  CHECK(run.code == 2);
  CHECK(run.err.find("found unknown key 'gird' in launch") != std::string::npos);
}

TEST_CASE("help leads with usage, options and examples") {
  const ToolRun run = run_tool("run --help");
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  for (const char* part :
       {"usage: smsim run NAME|FILE...", "--gpu", "--scheduler", "--set", "--seed", "--threads",
        "--max-cycles", "--format", "--explain", "--per-sm", "--instructions", "Examples:"}) {
    CHECK(run.out.find(part) != std::string::npos);
  }
}

TEST_CASE("a reference product that is none is refused") {
  const ScratchFolder folder;
  const std::string gpu = folder.write("gpu.yaml", "extends: sm_90\nreference_product: sm_90\n");
  CHECK(run_tool("run " + small_kernel() + " --gpu " + gpu)
            .err.find("sm_90: error: found no topology.sms, which a run needs") == 0);
}

TEST_CASE("of very many problems the first are shown, and how many there are") {
  const ScratchFolder folder;
  std::string text = "name: bad\nlaunch: {grid: 1, block: 32}\nprogram:\n";
  for (int i = 0; i < 60; ++i) {
    text += "  - x: {op: LGD, array: X}\n";
  }
  const ToolRun run = run_tool("run " + folder.write("bad.yaml", text));
  CHECK(run.code == 2);
  CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 51);
  CHECK(run.err.find("\nand ") != std::string::npos);
  CHECK(run.err.find(" more errors\n") != std::string::npos);
}

TEST_CASE("a split of shared memory that the GPU does not have is refused") {
  for (const char* bytes : {"5", "1048576"}) {
    refuses(small_kernel() + " --set launch.smem_config=" + bytes,
            std::string("--set launch.smem_config=") + bytes + ": found '" + bytes +
                "', expected a split of L1 and shared memory of h200: 0, 8192, 16384");
  }
}
