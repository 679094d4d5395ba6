#include "smsim/gpu_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "smsim/diagnostic.hpp"
#include "tests/catch.hpp"
#include "tests/scratch_folder.hpp"

using namespace smsim;
namespace fs = std::filesystem;

namespace {

// Every problem of `text` as a GPU file, without the file's name: "2:3: error: ...".
std::string problems_of(const std::string& text) {
  const test::ScratchFolder folder;
  const std::string file = folder.write("gpu.yaml", text);
  try {
    load_gpu(file);
    return "";
  } catch (const InputError& error) {
    std::string all;
    for (Diagnostic problem : error.diagnostics()) {
      CHECK(problem.file == file);
      problem.file = "f";
      all += to_string(problem).substr(2) + "\n";
    }
    return all;
  }
}

const FieldSource& source_of(const LoadedGpu& gpu, const std::string& path) {
  const auto found = std::find_if(gpu.sources.begin(), gpu.sources.end(),
                                  [&](const FieldSource& source) { return source.path == path; });
  REQUIRE(found != gpu.sources.end());
  return *found;
}

}  // namespace

TEST_CASE("every GPU that users are promised is there") {
  const std::vector<std::string> names = gpu_names();
  for (const char* name :
       {"v100",    "t4",      "a100-40gb",    "a100",          "a10",         "a6000",
        "rtx3090", "rtx4090", "l4",           "l40s",          "h100",        "h100-pcie",
        "h200",    "gh200",   "b200",         "b300",          "gb10",        "a40",
        "gb300",   "rtx5090", "rtx-pro-6000", "orin-agx-64gb", "jetson-thor", "sm_70",
        "sm_75",   "sm_80",   "sm_86",        "sm_87",         "sm_89",       "sm_90",
        "sm_100",  "sm_103",  "sm_110",       "sm_120",        "sm_121"}) {
    INFO(name);
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
}

TEST_CASE("every shipped file loads, and names a source for every figure it sets") {
  for (const std::string& name : gpu_names()) {
    const LoadedGpu gpu = load_gpu(name);
    CHECK(gpu.spec.name == name);
    CHECK_FALSE(gpu.spec.title.empty());
    for (const FieldSource& source : gpu.sources) {
      INFO(name << ": " << source.path << " set in " << source.file);
      CHECK((source.file.empty() || !source.source.empty()));
      CHECK((!source.file.empty() || source.status == SourceStatus::unverified));
    }
  }
}

TEST_CASE(
    "a compute capability names the product that stands for it, and a product stands for itself") {
  for (const std::string& name : gpu_names()) {
    const GpuSpec gpu = load_gpu(name).spec;
    INFO(name);
    if (gpu.topology.sms > 0) {
      CHECK(gpu.reference_product.empty());
    } else {
      const GpuSpec product = load_gpu(gpu.reference_product).spec;
      CHECK(product.topology.sms > 0);
      CHECK(product.compute_capability.major == gpu.compute_capability.major);
      CHECK(product.compute_capability.minor == gpu.compute_capability.minor);
    }
  }
}

TEST_CASE("an H200 is the machine that its device attributes say") {
  const LoadedGpu h200 = load_gpu("h200");
  CHECK(h200.spec.topology.sms == 132);
  CHECK(h200.spec.limits.max_warps == 64);
  CHECK(h200.spec.limits.smem_bytes == 233472);
  CHECK(h200.spec.l2.size_bytes == 62914560);
  CHECK(h200.spec.operations.at("FFMA").pipe == Pipe::fma);
  CHECK(h200.spec.operations.at("DFMA").issue_interval_cycles == 2);
  CHECK(source_of(h200, "topology.sms").status == SourceStatus::verified);
  CHECK(source_of(h200, "topology.sms").value == "132");
}

TEST_CASE("a file of one's own states only what differs") {
  const test::ScratchFolder folder;
  const std::string base = folder.write("base.yaml",
                                        "extends: h200\n"
                                        "sources: {topology: 'verified, a look inside'}\n"
                                        "topology: {sms: 4, sms_per_gpc: [4]}\n"
                                        "operations: {FFMA: {latency_cycles: 5}}\n");
  const std::string slice =
      folder.write("slice.yaml", "extends: base\ntopology: {sms: 2, sms_per_gpc: []}\n");
  const LoadedGpu gpu = load_gpu(slice);
  CHECK(gpu.spec.name == "slice");
  CHECK(gpu.spec.topology.sms == 2);
  CHECK(gpu.spec.topology.sms_per_gpc.empty());
  CHECK(gpu.spec.limits.max_warps == 64);
  CHECK(gpu.spec.operations.at("FFMA").latency_cycles == 5);
  CHECK(gpu.spec.operations.at("FFMA").pipe == Pipe::fma);

  SECTION("a figure keeps its source only as long as nobody changes it") {
    CHECK(source_of(gpu, "topology.sms").status == SourceStatus::unverified);
    CHECK(source_of(gpu, "topology.sms").file == slice);
    CHECK(source_of(load_gpu(base), "topology.sms").status == SourceStatus::verified);
    CHECK(source_of(load_gpu(base), "topology.sms").source == "a look inside");
    CHECK(source_of(gpu, "limits.max_warps").status == SourceStatus::verified);
  }
}

TEST_CASE("the example of the README is a GPU") {
  std::ifstream readme(std::string(SMSIM_SOURCE_DIR) + "/configs/gpus/README.md");
  std::string example;
  bool inside = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.rfind("```", 0) == 0) {
      inside = line == "```yaml";
    } else if (inside) {
      example += line + "\n";
    }
  }
  REQUIRE_FALSE(example.empty());
  CHECK(problems_of(example) == "");
  const test::ScratchFolder folder;
  CHECK(load_gpu(folder.write("slice.yaml", example)).spec.topology.sms == 16);
}

TEST_CASE("the longest matching path names the source") {
  const test::ScratchFolder folder;
  const LoadedGpu gpu = load_gpu(folder.write("gpu.yaml",
                                              "extends: h200\n"
                                              "sources:\n"
                                              "  dram: secondary, a page\n"
                                              "  dram.channels: derived, arithmetic\n"
                                              "dram: {channels: 90, bandwidth_gbps: 4000}\n"));
  CHECK(source_of(gpu, "dram.channels").status == SourceStatus::derived);
  CHECK(source_of(gpu, "dram.bandwidth_gbps").status == SourceStatus::secondary);
}

TEST_CASE("every problem of a GPU file is reported, with its place") {
  const std::string problems = problems_of(
      "extends: h200\n"
      "topolgy: {sms: 4}\n"
      "l2: {slices: many, size_byte: 3}\n"
      "operations:\n"
      "  FFMA: {pipe: fmaa}\n"
      "  NEW: {latency_cycles: 0}\n");
  // Known keys are listed between these two halves.
  for (const char* part :
       {"2:1: error: found unknown key 'topolgy', expected one of sources, extends, title, ",
        "; did you mean 'topology'?\n",
        "3:14: error: found 'many', expected an integer from 0 to 4096\n",
        "3:20: error: found unknown key 'size_byte', expected one of size_bytes, effective_bytes, ",
        "; did you mean 'size_bytes'?\n",
        "5:16: error: found 'fmaa', expected one of none, alu, fma, fma_heavy, fma_both, fp64, xu, "
        "tensor, uniform, branch, lsu, adu, tma; did you mean 'fma'?\n",
        "6:8: error: found no 'pipe', expected one\n",
        "6:25: error: found '0', expected an integer from 1 to 60000\n"}) {
    INFO(problems);
    CHECK(problems.find(part) != std::string::npos);
  }
  CHECK(std::count(problems.begin(), problems.end(), '\n') == 6);
}

TEST_CASE("single values must be of their kind") {
  CHECK(problems_of("extends: h200\ncompute_capability: nine\n") ==
        "2:21: error: found 'nine', expected a compute capability such as 9.0\n");
  CHECK(problems_of("extends: h200\nlimits: {smem_splits_kb: 4}\n") ==
        "2:26: error: found '4', expected a list of integers\n");
  CHECK(problems_of("extends: h200\nfront_end: {instruction_cache: 2}\n") ==
        "2:32: error: found '2', expected true or false\n");
  CHECK(problems_of("extends: h200\ndram: {efficiency: 1.5}\n") ==
        "2:20: error: found '1.5', expected a number from 0.01 to 1\n");
  CHECK(problems_of("extends: h200\nmio: {lg_queue_entries: 33}\n") ==
        "2:25: error: found '33', expected an integer from 1 to 32\n");
  CHECK(problems_of("extends: h200\ntopology: {sub_partitions: 2}\n") ==
        "2:28: error: found '2', expected 4\n");
  CHECK(problems_of("extends: h200\nlimits: {max_registers_per_thread: 2}\n") ==
        "2:36: error: found '2', expected an integer from 32 to 1024\n");
  CHECK(problems_of("extends: h200\nl2: {slice_bytes_per_cycle: 1e-300}\n") ==
        "2:29: error: l2.slice_bytes_per_cycle: found 1e-300, expected 0 or at least 0.001\n");
  CHECK(problems_of("extends: h200\ntitle: \"a\\e[31m\"\n") ==
        "2:8: error: found text with control characters, expected it without\n");
  CHECK(problems_of("extends: h200\nscheduler: [gto]\n") ==
        "2:12: error: found a list, expected text\n");
}

TEST_CASE("sources must be of a known status, and of something in the file") {
  CHECK(problems_of("extends: h200\nsources: {l2: rumour}\nl2: {slices: 2}\n") ==
        "2:15: error: found 'rumour', expected verified, secondary, derived or unverified, then a "
        "comma and the source\n");
  CHECK(problems_of("extends: h200\nsources: {l2.slice: 'derived, x'}\nl2: {slices: 2}\n") ==
        "2:11: error: found a source for 'l2.slice', expected a field that this file sets; did you "
        "mean 'l2.slices'?\n");
}

TEST_CASE("figures that must agree are compared") {
  CHECK(problems_of("extends: h200\ntopology: {sms: 130}\n")
            .find("topology.sms_per_gpc: found 132 "
                  "SMs in all, expected "
                  "topology.sms, 130") != std::string::npos);
  CHECK(problems_of("extends: h200\nlimits: {max_warps: 30, max_threads_per_block: 512}\n")
            .find("2:21: error: limits.max_warps: found 30, expected a multiple of the 4 "
                  "sub-partitions\n") == 0);
  CHECK(problems_of("extends: h200\nlimits: {smem_splits_kb: [0, 228, 100]}\n") ==
        "2:26: error: limits.smem_splits_kb: expected ascending sizes, at least one\n");
  CHECK(
      problems_of("extends: h200\nlimits: {smem_splits_kb: [0, 100]}\n") ==
      "2:26: error: limits.smem_splits_kb: found 100 as the largest, expected smem_bytes / 1024 = "
      "228\n");
  CHECK(problems_of("extends: h200\nlimits: {barriers: 0}\n") ==
        "2:20: error: limits.barriers: found 0, expected at least named_barriers_per_block, 16\n");
  CHECK(problems_of("extends: h200\nlimits: {max_cluster: 4}\n") ==
        "2:23: error: limits.max_cluster: found 4, expected at least max_cluster_portable, 8\n");
  CHECK(problems_of("extends: h200\nlimits: {smem_per_block_optin_bytes: 300000}\n") ==
        "2:38: error: limits.smem_per_block_optin_bytes: found 300000, expected 49152 (the default "
        "per block) to 233472 (the SM's)\n");
  CHECK(problems_of("extends: h200\nlimits: {l1_smem_kb: 128}\n")
            .find("limits.smem_splits_kb: found 228, expected at most l1_smem_kb, 128") !=
        std::string::npos);
  CHECK(problems_of("extends: h200\nlimits: {max_threads_per_block: 2048, max_warps: 32}\n") ==
        "2:33: error: limits.max_threads_per_block: found 2048, expected at most the 1024 threads "
        "of an SM\n");
  CHECK(problems_of("extends: h200\nl2: {effective_bytes: 99999999}\n") ==
        "2:23: error: l2.effective_bytes: found 99999999, expected at most size_bytes, 62914560\n");
  CHECK(
      problems_of("extends: h200\nl2: {hit_latency_cycles: 280, request_latency_cycles: 200}\n") ==
      "2:55: error: l2.request_latency_cycles: found 200, expected at most half of "
      "hit_latency_cycles, 280\n");
  CHECK(problems_of(
            "extends: h200\nl1: {hit_latency_cycles: 400}\nl2: {hit_latency_cycles: 300}\n") ==
        "3:26: error: l2.hit_latency_cycles: found 300, expected at least l1.hit_latency_cycles, "
        "400\n");
  CHECK(problems_of("extends: h200\nl2: {dirty_bytes: 99999999}\n") ==
        "2:19: error: l2.dirty_bytes: found 99999999, expected at most size_bytes, 62914560\n");
  CHECK(problems_of("extends: h200\nscheduler: gtoo\n") ==
        "2:12: error: scheduler: found 'gtoo', expected one of lrr, gto, oldest, youngest, "
        "two_level, cggty, gob; did you mean 'gto'?\n");
  CHECK(problems_of("extends: h200\ndispatch: {sm_order: random}\n") ==
        "2:22: error: dispatch.sm_order: found 'random', expected gpc_round_robin or linear\n");
}

TEST_CASE("extends must lead somewhere, and not back") {
  CHECK(
      problems_of("extends: h20\n")
          .find(
              "1:10: error: found 'h20', expected a GPU file beside this one or a name that 'smsim "
              "gpus' lists; did you mean 'h200'?\n") == 0);
  CHECK(
      problems_of("extends: gpu\n")
          .find("1:10: error: found 'gpu', which extends this file in turn, expected one that does "
                "not\n") == 0);
  const test::ScratchFolder folder;
  folder.write("a.yaml", "extends: b\n");
  const std::string b = folder.write("b.yaml", "extends: a\n");
  CHECK_THROWS_AS(load_gpu(b), InputError);
}

TEST_CASE("an unknown name suggests the nearest") {
  CHECK_THROWS_WITH(load_gpu("h20"),
                    "error: found unknown GPU 'h20', expected a name that 'smsim gpus' lists, or a "
                    "file; did you mean 'h200'?");
  CHECK_THROWS_WITH(load_gpu("no/such.yaml"),
                    "no/such.yaml: error: cannot be read: No such file or directory");
}

TEST_CASE("SMSIM_CONFIG_DIR moves the search for names") {
  const test::ScratchFolder folder;
  fs::create_directories(folder.path("gpus"));
  const std::string dir = folder.path("");
  setenv("SMSIM_CONFIG_DIR", dir.c_str(), 1);
  CHECK(gpu_names().empty());
  unsetenv("SMSIM_CONFIG_DIR");
  CHECK_FALSE(gpu_names().empty());
}
