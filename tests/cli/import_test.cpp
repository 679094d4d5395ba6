// smsim import and export as a user calls them.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;

namespace {

const std::string kSource = SMSIM_SOURCE_DIR;
const std::string kProfile = kSource + "/traces/saxpy/";

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string ncu(const std::string& out) {
  return "import ncu --raw " + kProfile + "raw.csv.gz --source " + kProfile +
         "source.csv.gz --sass " + kProfile + "kernel.sass.gz -o " + out;
}

}  // namespace

TEST_CASE("a profile becomes a kernel file that runs") {
  const ScratchFolder folder;
  const ToolRun made = run_tool(ncu(folder.path("saxpy.yaml")));
  CHECK(made.code == 0);
  CHECK(made.err.empty());
  const std::string text = content(folder.path("saxpy.yaml"));
  CHECK(text.find("architecture: sm_90") != std::string::npos);
  CHECK(text.find("\"LDG.E R2, desc[UR4][R2.64]\", \"B------:R-:W2:-:S01\"") != std::string::npos);
  const ToolRun run = run_tool("run " + folder.path("saxpy.yaml") + " --format csv");
  CHECK(run.code == 0);
  CHECK(run.out.find("smsp__inst_executed.sum,inst,622592") != std::string::npos);
}

TEST_CASE("an imported kernel answers what-if questions and says what it assumes") {
  const ScratchFolder folder;
  REQUIRE(run_tool(ncu(folder.path("k.yaml"))).code == 0);
  const ToolRun block =
      run_tool("run " + folder.path("k.yaml") + " --set launch.block=128 --format json");
  CHECK(block.code == 0);
  CHECK(block.out.find("so the grid is 8192 instead of 4096 blocks") != std::string::npos);
  CHECK(block.out.find("launch.smem_config of the profile is left out") != std::string::npos);
  const ToolRun other = run_tool("run " + folder.path("k.yaml") + " --gpu b200 --format json");
  CHECK(other.code == 0);
  CHECK(other.out.find("machine code for sm_90 on b200") != std::string::npos);
  const ToolRun fewer =
      run_tool("run " + folder.path("k.yaml") + " --set launch.registers=6 --format json");
  CHECK(fewer.out.find("a compiler would spill") != std::string::npos);
}

TEST_CASE("a failed import leaves files as they are, and none is its own output") {
  const ScratchFolder folder;
  const std::string kept = folder.write("k.yaml", "kept");
  CHECK(run_tool("import ncu --raw missing.csv --source missing.csv -o " + kept).code == 2);
  CHECK(content(kept) == "kept");
  const std::string trace =
      folder.write("own.traceg", content(kSource + "/traces/kernel-1.traceg"));
  CHECK(run_tool("import accelsim " + trace + " -o " + trace).code == 2);
  CHECK(content(trace) == content(kSource + "/traces/kernel-1.traceg"));
  CHECK(run_tool("import").code == 2);
  CHECK(run_tool("import nsys").code == 2);
  CHECK(run_tool("import ncu").code == 2);
  CHECK(run_tool("import accelsim").code == 2);
  CHECK(run_tool("export accelsim").code == 2);
  CHECK(run_tool("import ncu --help").code == 0);
  CHECK(run_tool("export --help").code == 0);
}

TEST_CASE("a list of traces becomes kernel files that run, from anywhere") {
  const ScratchFolder folder;
  const ToolRun made =
      run_tool("import accelsim " + kSource + "/traces/kernelslist.g -o " + folder.path("new/"));
  CHECK(made.code == 0);
  CHECK(made.err.find("1 copies to the device are passed over") != std::string::npos);
  const ToolRun run = run_tool("run " + folder.path("new/kernel-1.yaml") + " " +
                               folder.path("new/kernel-2.yaml") + " --format csv");
  CHECK(run.code == 0);
  CHECK(run.out.find("triad,h200,gob,smsp__inst_executed.sum,inst,672") != std::string::npos);
  const ToolRun other =
      run_tool("run " + folder.path("new/kernel-1.yaml") + " --set launch.block=64");
  CHECK(other.code == 2);
  CHECK(other.err.find("expected 256 as in the trace") != std::string::npos);
}

TEST_CASE("exports stand side by side in a folder, with their list") {
  const ScratchFolder folder;
  const std::string out = folder.path("traces");
  for (const char* kernel : {"triad", "saxpy"}) {
    const ToolRun made = run_tool("export accelsim " + kSource + "/configs/kernels/" + kernel +
                                  ".yaml --set params.n=1024 -o " + out);
    CHECK(made.code == 0);
    CHECK(made.out.find("control codes") != std::string::npos);
  }
  CHECK(content(out + "/kernelslist.g") == "kernel-1.traceg\nkernel-2.traceg\n");
  CHECK(content(out + "/kernel-2.traceg").find("-kernel name = saxpy") == 0);
}

TEST_CASE("mistakes in machine code are found, each in its line") {
  const ScratchFolder folder;
  const std::string file =
      folder.write("k.yaml",
                   "launch: {grid: 1, block: 32}\n"
                   "sass:\n"
                   "  - [0x0, \"LDG.E R2, desc[UR4][R2.64]\", {sectors: 8}]\n"
                   "  - [0x10, \"LDG.E R2, desc[UR4][R2.64]\", {lines: 0.5, sectors: 1}]\n"
                   "  - [0x20, \"@P0 BRA 0x0\", {taken: 2}]\n"
                   "  - [0x30, \"@P0 BRA 0x0\", {taken: 0.5, trips: 3}]\n"
                   "  - [0x40, \"@P0 BRA 0x0\", {split: 0.5}]\n"
                   "  - [0x40, \"FADD R1, R1, R1\", \"B------:R-:W-:-:S99\"]\n"
                   "  - [0x60, \"EXIT\", {laned: 3}]\n"
                   "  - EXIT\n");
  const ToolRun run = run_tool("run " + file);
  CHECK(run.code == 2);
  for (const char* expected :
       {":3:", "found sectors 8 in lines 0", ":4:", "found lines 0.5", ":5:", "expected a number",
        ":6:", "more than one of taken, trips and first_warps", ":7:", "without taken or trips",
        ":8:", "expected a control code", "rising offsets", ":9:", "did you mean 'lanes'?",
        ":10:", "expected [offset"}) {
    INFO(expected << "\n" << run.err);
    CHECK(run.err.find(expected) != std::string::npos);
  }
  const std::string jump = folder.write(
      "j.yaml", "launch: {grid: 1, block: 32}\nsass:\n  - [0x0, \"BRA 0x8\"]\n  - [0x10, EXIT]\n");
  CHECK(run_tool("run " + jump).err.find("j.yaml:3:1: error: found a jump to 0x8") !=
        std::string::npos);
  const std::string split = folder.write(
      "s.yaml",
      "launch: {grid: 1, block: 32}\nsass:\n  - [0x0, \"@P0 EXIT\", {taken: 0.5, split: 0.5}]\n"
      "  - [0x10, EXIT]\n");
  CHECK(run_tool("run " + split).code == 0);
}
