// smsim occupancy --batch: one kernel per row.
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/tool.hpp"

using smsim::test::run_tool;
using smsim::test::ScratchFolder;
using smsim::test::ToolRun;

namespace {

const std::string kHeading = "gpu,block,regs,smem_static,smem_dynamic";
const std::string kAdded =
    ",blocks_per_sm,warps_per_sm,theoretical_occupancy_pct,limit_warps,limit_blocks,"
    "limit_registers,limit_shared_mem,limiter\n";

ToolRun batch(const std::string& rows, const std::string& heading = kHeading) {
  return run_tool("occupancy --batch -", heading + "\n" + rows);
}

}  // namespace

TEST_CASE("each row gets its answer") {
  const ToolRun run = batch("sm_90,256,40,0,0\na100,64,16,0,0\n");
  CHECK(run.code == 0);
  CHECK(run.err == "");
  CHECK(run.out == kHeading + kAdded +
                       "sm_90,256,40,0,0,6,48,75.00,8,32,6,228,registers\n"
                       "a100,64,16,0,0,32,64,100.00,32,32,64,164,warps+blocks\n");
}

TEST_CASE("a row that cannot be launched has no blocks, and names the resource that fails") {
  const ToolRun run = batch(
      "sm_90,1024,96,0,0\nsm_90,256,32,0,300000\nsm_90,2000,32,0,0\nsm_90,0,32,0,0\n"
      "sm_90,32,256,0,0\n");
  CHECK(run.code == 0);
  CHECK(run.out.find("sm_90,1024,96,0,0,0,0,0.00,2,32,0,228,registers\n") != std::string::npos);
  CHECK(run.out.find("sm_90,256,32,0,300000,0,0,0.00,8,32,8,0,shared_mem\n") != std::string::npos);
  CHECK(run.out.find("sm_90,2000,32,0,0,0,0,0.00,0,32,1,228,warps\n") != std::string::npos);
  CHECK(run.out.find("sm_90,0,32,0,0,0,0,0.00,0,0,0,0,warps\n") != std::string::npos);
  CHECK(run.out.find("sm_90,32,256,0,0,0,0,0.00,64,32,0,228,registers\n") != std::string::npos);
}

TEST_CASE("other columns are copied through as they stood, in any order") {
  const ToolRun run =
      batch("\"a, \"\"b\"\"\",40,256,0,0,h200\n", "name,regs,block,smem_dynamic,smem_static,gpu");
  CHECK(run.out == "name,regs,block,smem_dynamic,smem_static,gpu" + kAdded +
                       "\"a, \"\"b\"\"\",40,256,0,0,h200,6,48,75.00,8,32,6,228,registers\n");
}

TEST_CASE("optional columns count, and are their default where a cell is empty") {
  const std::string heading = kHeading + ",barriers,carveout_pct,smem_optin,cluster";
  const ToolRun run = batch(
      "sm_90,64,16,0,0,8,,,\nsm_90,64,16,0,0,,,,\nsm_90,256,32,0,20000,,25,,\n"
      "sm_90,256,32,0,60000,,,no,\nsm_90,256,32,0,60000,,,yes,\nsm_90,256,32,0,0,,,,17\n",
      heading);
  CHECK(run.code == 0);
  CHECK(run.out.find("sm_90,64,16,0,0,8,,,,8,16,25.00,32,32,64,228,barriers\n") !=
        std::string::npos);
  CHECK(run.out.find("sm_90,64,16,0,0,,,,,32,64,100.00,32,32,64,228,warps+blocks\n") !=
        std::string::npos);
  CHECK(run.out.find(",25,,,3,24,37.50,8,32,8,3,shared_mem\n") != std::string::npos);
  CHECK(run.out.find(",no,,0,0,0.00,8,32,8,0,shared_mem\n") != std::string::npos);
  CHECK(run.out.find(",yes,,3,24,37.50,8,32,8,3,shared_mem\n") != std::string::npos);
  CHECK(run.out.find(",17,0,0,0.00,8,32,8,228,cluster\n") != std::string::npos);
}

TEST_CASE("a limit that does not exist prints as a number that does not bind") {
  CHECK(batch("sm_75,256,0,0,0\n").out.find(",4,32,100.00,4,16,2147483647,2147483647,warps\n") !=
        std::string::npos);
}

TEST_CASE("Windows line ends, blank lines and blanks around cells do no harm") {
  const ToolRun run = run_tool("occupancy --batch -", kHeading + "\r\n\r\n sm_90 , 256,40,0,0\r\n");
  CHECK(run.out == kHeading + kAdded + " sm_90 , 256,40,0,0,6,48,75.00,8,32,6,228,registers\n");
}

TEST_CASE("the output of a batch is input of the next") {
  const ToolRun once = batch("sm_90,256,40,0,0\n");
  CHECK(run_tool("occupancy --batch -", once.out).out == once.out);
}

TEST_CASE("a file is read like standard input") {
  const ScratchFolder folder;
  const std::string file = folder.write("k.csv", kHeading + "\nsm_90,256,40,0,0\n");
  CHECK(run_tool("occupancy --batch " + file).out == batch("sm_90,256,40,0,0\n").out);
  CHECK(run_tool("occupancy --batch no.csv").err == "no.csv: error: cannot be read\n");
  CHECK(run_tool("occupancy --batch no.csv").code == 2);
}

TEST_CASE("all bad rows are reported, and nothing is printed") {
  const ToolRun run = batch("sm_90,256,40,0,0\nh20,256,40,0,0\nsm_90,many,40,0,-3\nsm_90,1\n");
  CHECK(run.code == 2);
  CHECK(run.out == "");
  CHECK(
      run.err ==
      "<stdin>:3:1: error: found unknown GPU 'h20', expected a name that 'smsim gpus' lists, or a "
      "file; did you mean 'h200'?\n"
      "<stdin>:4:7: error: block: found 'many', expected an integer from 0 to 1000000000\n"
      "<stdin>:4:17: error: smem_dynamic: found '-3', expected an integer from 0 to 1000000000\n"
      "<stdin>:5:1: error: found 2 cells, expected 5\n");
}

TEST_CASE("columns that are missing or stand twice are reported") {
  CHECK(run_tool("occupancy --batch -", "gpu,blocks,regs,smem_static,smem_dynamic\n").err ==
        "<stdin>:1:1: error: found no column 'block', expected "
        "gpu,block,regs,smem_static,smem_dynamic; did you mean 'blocks'?\n");
  CHECK(run_tool("occupancy --batch -", kHeading + ",gpu\n").err ==
        "<stdin>:1:41: error: found column 'gpu' a second time\n");
  CHECK(run_tool("occupancy --batch -", "").err.rfind("<stdin>: error: found no heading", 0) == 0);
  CHECK(batch("sm_90,256,40,0,0,maybe\n", kHeading + ",smem_optin").err ==
        "<stdin>:2:18: error: smem_optin: found 'maybe', expected yes or no\n");
  CHECK(batch("sm_90,256,40,0,0,101\n", kHeading + ",carveout_pct").err ==
        "<stdin>:2:18: error: carveout_pct: found '101', expected an integer from -1 to 100\n");
}

TEST_CASE("the mark at the start of a UTF-8 file is no part of the first name") {
  const ToolRun run =
      run_tool("occupancy --batch -", "\xEF\xBB\xBF" + kHeading + "\nsm_90,256,40,0,0\n");
  CHECK(run.out == batch("sm_90,256,40,0,0\n").out);
}

TEST_CASE("a quote that its line does not end is refused") {
  const std::string heading = "name," + kHeading;
  const std::string message = "found a quote without its end, expected both on one line\n";
  CHECK(batch("\"a,sm_90,256,40,0,0\n", heading).err == "<stdin>:2:1: error: " + message);
  CHECK(batch("\"a\nb\",sm_90,256,40,0,0\n", heading).err ==
        "<stdin>:2:1: error: " + message + "<stdin>:3:2: error: " + message);
}
