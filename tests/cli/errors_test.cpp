// What smsim run refuses, and in which words.
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/kernels.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::tests;

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
  refuses("", "found no kernel file, expected FILE...");
  refuses(file + " --gpu h20", "--gpu: ");
  refuses(file + " --scheduler gtoo", "--scheduler: found 'gtoo', expected one of lrr, gto");
  refuses(file + " --set block", "--set: found 'block', expected PATH=VALUE");
  refuses(file + " --set =3", "--set: found '=3', expected PATH=VALUE");
  refuses(file + " --seed x", "--seed: found 'x', expected an integer from 0");
  refuses(file + " --threads 0", "--threads: found '0', expected an integer from 1 to 1024");
  refuses(file + " --max-cycles 0", "--max-cycles: found '0', expected an integer from 1");
  refuses(file + " --format xml", "--format: found 'xml', expected one of text, json, csv");
  refuses(file + " --fromat csv", "found unknown option '--fromat'");
}

TEST_CASE("nearby names are suggested") {
  const std::string file = small_kernel();
  CHECK(run_tool("run " + file + " --gpu h20").err.find("did you mean") != std::string::npos);
  CHECK(run_tool("run " + file + " --scheduler gtoo").err.find("did you mean 'gto'?") !=
        std::string::npos);
}

TEST_CASE("options that are still to come say so") {
  const std::string file = small_kernel();
  for (const char* option :
       {"--timeline", "--why 3@100", "--html x.html", "--perfetto=x", "--konata x"}) {
    INFO(option);
    const ToolRun run = run_tool("run " + file + " " + option);
    CHECK(run.code == 2);
    CHECK(run.err.find("this version of smsim cannot do that yet") != std::string::npos);
  }
}

TEST_CASE("all problems of the command line are reported at once") {
  const ToolRun run = run_tool("run --gpu h20 --threads 0 --format xml --set x");
  CHECK(run.code == 2);
  for (const char* part : {"no kernel file", "--gpu: ", "--threads: ", "--format: ", "--set: "}) {
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
       {"usage: smsim run FILE...", "--gpu", "--scheduler", "--set", "--seed", "--threads",
        "--max-cycles", "--format", "--explain", "--per-sm", "--instructions", "Examples:"}) {
    CHECK(run.out.find(part) != std::string::npos);
  }
  for (const char* planned : {"--timeline", "--why", "--html", "--perfetto", "--konata"}) {
    CHECK(run.out.find(planned) == std::string::npos);
  }
}
