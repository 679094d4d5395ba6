// What smsim validate refuses, what it survives, and with which exit code.
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/measured.hpp"
#include "tests/cli/tool.hpp"

using namespace smsim::test;

namespace {

namespace fs = std::filesystem;

const Measured& measured() {
  static const Measured kMeasured{{"saxpy_one_wave", "saxpy_small"}};
  return kMeasured;
}

void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

// Refused before anything runs.
void refuses(const std::string& arguments, const std::string& message) {
  INFO(arguments);
  const ToolRun run = run_tool("validate " + arguments);
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  has(run.err, "error: " + message);
}

}  // namespace

TEST_CASE("validate: a folder without references is bad input") {
  const ScratchFolder empty;
  refuses(empty.path(""), empty.path("") + ": found no reference, expected folders with raw.csv");
  refuses(empty.path("none"), empty.path("none") + ": found no such folder");
  refuses(empty.write("file", "x"), empty.path("file") + ": found no such folder");
  refuses(empty.path("") + " " + empty.path(""), "found '" + empty.path("") + "', expected one");
}

TEST_CASE("validate: names that no reference has are refused, with the nearest that one has") {
  const std::string dir = measured().folder();
  refuses(dir + " --only saxpy_smal",
          "--only: found 'saxpy_smal', expected one of saxpy_one_wave, "
          "saxpy_small; did you mean 'saxpy_small'?");
  refuses(dir + " --family streamin",
          "--family: found 'streamin', expected one of streaming; did "
          "you mean 'streaming'?");
  refuses(dir + " --use develp",
          "--use: found 'develp', expected one of develop; did you mean "
          "'develop'?");
  refuses(dir + " --use held_out", "--use: found 'held_out', expected one of develop");
}

TEST_CASE("validate: one wrong name does not make the others wrong") {
  const ToolRun run =
      run_tool("validate " + measured().folder() + " --use hold_out --only saxpy_small");
  CHECK(run.code == 2);
  has(run.err, "--use: found 'hold_out'");
  CHECK(run.err.find("--only") == std::string::npos);
}

TEST_CASE("validate: a choice that leaves nothing is refused") {
  const Measured some({"saxpy_small", "integer_hash_low_occupancy"});
  refuses(some.folder() + " --family streaming --only integer_hash_low_occupancy",
          "found no reference that --use, --family and --only all name");
}

TEST_CASE("validate: wrong values are refused, all at once") {
  const ToolRun run = run_tool("validate " + measured().folder() +
                               " --format xml --by famly --threads 0 --only x --gpu-set y");
  CHECK(run.code == 2);
  has(run.err, "--format: found 'xml', expected one of text, json, csv");
  has(run.err, "--by: found 'famly'");
  has(run.err, "did you mean 'family'?");
  has(run.err, "--threads: found '0', expected an integer from 1 to 1024");
  has(run.err, "--only: found 'x'");
  has(run.err, "--gpu-set: found 'y', expected PATH=VALUE");
  refuses(measured().folder() + " --details --format csv", "--details: expected with text");
  refuses(measured().folder() + " --ony x", "found unknown option '--ony'");
}

TEST_CASE("validate: changes that make no GPU are refused before anything runs") {
  const auto change = [](const std::string& what) {
    return measured().folder() + " --gpu-set " + what;
  };
  refuses(change("l2.far_extra_cycle=0"),
          "--gpu-set: found 'l2.far_extra_cycle', expected a path of the GPU file; did you mean "
          "'l2.far_extra_cycles'?");
  refuses(change("l2.slices=many"), "--gpu-set: found 'many' as l2.slices, expected an integer");
  refuses(change("limits.max_warps=1"), "--gpu-set: limits.max_warps of h200: found 1, expected");
  refuses(change("clocks.sm_mhz=0"), "--gpu-set: found no SMs or no clock in h200");
}

TEST_CASE("validate: all problems of all descriptions are reported at once") {
  const Measured spoilt({"saxpy_one_wave", "saxpy_small"});
  spoilt.describe("saxpy_one_wave", "gpu: h20\nuse: held\n");
  spoilt.describe("saxpy_small", "launch: first\nfamly: x\n");
  const ToolRun run = run_tool("validate " + spoilt.folder());
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  has(run.err, "saxpy_one_wave/reference.yaml:1:6: error: found 'h20'");
  has(run.err, "saxpy_one_wave/reference.yaml:2:6: error: found 'held'");
  has(run.err, "saxpy_small/reference.yaml:1:9: error: found 'first', expected an integer");
  has(run.err, "saxpy_small/reference.yaml:2:1: error: found unknown key 'famly'");
}

TEST_CASE("validate: exit code 1 when a reference fails to import, while the others run") {
  const Measured spoilt({"fma_dependent_low_occupancy", "saxpy_one_wave", "saxpy_small"});
  spoilt.remove("saxpy_one_wave/source.csv.gz");
  spoilt.replace("saxpy_small/raw.csv.gz", "integer_hash_low_occupancy/raw.csv.gz");
  const ToolRun run = run_tool("validate " + spoilt.folder() + " --format json");
  CHECK(run.code == 1);
  has(run.err, "saxpy_one_wave: error: found no source.csv, expected one");
  has(run.err, "saxpy_small: ");
  has(run.err, "found no block of kernel 'integer_hash(");
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["references"][0]["status"] == "completed");
  CHECK(json["references"][1]["status"] == "import_failed");
  CHECK(json["references"][2]["status"] == "import_failed");
  CHECK(json["summary"]["references"] == 1);
  CHECK(json["summary"]["failed"] == 2);
}

TEST_CASE("validate: files that are no profile fail to import with their place") {
  const Measured spoilt({"saxpy_one_wave", "saxpy_small", "integer_hash_low_occupancy"});
  fs::resize_file(spoilt.path("saxpy_one_wave/raw.csv.gz"), 500);
  spoilt.replace("saxpy_small/raw.csv.gz", "saxpy_small/source.csv.gz");
  spoilt.remove("integer_hash_low_occupancy/source.csv.gz");
  std::ofstream(spoilt.path("integer_hash_low_occupancy/source.csv")) << "";
  const ToolRun run = run_tool("validate " + spoilt.folder());
  CHECK(run.code == 1);
  has(run.err, "saxpy_one_wave/raw.csv.gz: error: found the end of the file in the middle");
  has(run.err, "saxpy_small/raw.csv.gz:2:1: error: found a source page, expected a raw page");
  has(run.err, "integer_hash_low_occupancy/source.csv");
  has(run.out, "0 references simulated, 3 not.");
}

TEST_CASE("validate: exit code 3 when a kernel cannot be launched") {
  const ToolRun run = run_tool("validate " + measured().folder() +
                               " --only saxpy_small --gpu-set limits.registers=2048");
  CHECK(run.code == 3);
  CHECK(run.err.empty());
  has(run.out, "launch_failure");
}

TEST_CASE("validate: where the page cannot be written, the results are printed still") {
  const ScratchFolder scratch;
  const std::string file = scratch.write("file", "kept\n");
  for (const std::string& page : {scratch.path(""), file + "/page.html"}) {
    const ToolRun run =
        run_tool("validate " + measured().folder() + " --only saxpy_small --html " + page);
    CHECK(run.code == 2);
    has(run.out, "-- Summary --");
    has(run.err, "error: " + page + ": cannot be written");
  }
}

TEST_CASE("validate: a page never takes the place of a measurement") {
  const std::string dir = measured().folder();
  for (const char* file : {"raw.csv.gz", "source.csv.gz", "kernel.sass.gz", "reference.yaml"}) {
    const std::string page = measured().path(std::string("saxpy_small/") + file);
    const auto size = fs::file_size(page);
    refuses(dir + " --html " + page, page + ": found an input as the output");
    CHECK(fs::file_size(page) == size);
  }
}

TEST_CASE("validate: names with blanks, commas and quotes are names") {
  const Measured odd({"saxpy_small"});
  fs::rename(odd.path("saxpy_small"), odd.path("a \"b\", <c> & d"));
  const ToolRun json = run_tool("validate " + odd.folder() + " --format json");
  CHECK(json.code == 0);
  CHECK(nlohmann::json::parse(json.out)["references"][0]["name"] == "a \"b\", <c> & d");
  has(run_tool("validate " + odd.folder() + " --format csv").out,
      "\n\"a \"\"b\"\", <c> & d\",streaming,");
}

TEST_CASE("validate: an interrupt leaves the results so far, marked") {
  const ToolRun run =
      run_tool_under("timeout --preserve-status -s INT 1",
                     "validate " SMSIM_SOURCE_DIR "/validate/reference --format json --threads 1");
  CHECK(run.code == 130);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["references"].back()["status"] == "interrupted");
  CHECK(json["summary"]["failed"] > 0);
}
