// Profiles measured on an H200 become kernels that execute what was executed.
#include <cmath>
#include <filesystem>

#include "sim/config/kernel_file.hpp"
#include "sim/import/kernel_writer.hpp"
#include "sim/import/ncu_kernel.hpp"
#include "sim/import/ncu_select.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/result.hpp"
#include "smsim/simulate.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

const std::string kReferences = std::string(SMSIM_SOURCE_DIR) + "/validate/reference/h200/";

struct Imported {
  NcuLaunch launch;
  ImportedKernel made;
  KernelSpec kernel;
};

Imported import(const std::string& name, bool with_code = true) {
  const std::string folder = kReferences + name;
  const NcuProfile profile = read_ncu_profile(folder + "/raw.csv.gz", folder + "/source.csv.gz",
                                              with_code ? folder + "/kernel.sass.gz" : "");
  const SelectedLaunch selected = select_one_launch(profile, {});
  Imported imported;
  imported.launch = profile.launches[selected.launch];
  imported.made =
      import_launch(imported.launch, profile.blocks[selected.block],
                    selected.function ? &profile.functions[*selected.function] : nullptr);
  const std::string text = kernel_file_text(imported.made, "a test");
  Diagnostics problems;
  auto kernel = load_kernel_text(text, name + ".yaml", {}, load_gpu("h200").spec, problems);
  for (const Diagnostic& problem : problems.all()) UNSCOPED_INFO(to_string(problem));
  REQUIRE(kernel.has_value());
  imported.kernel = std::move(*kernel);
  return imported;
}

Result run(const KernelSpec& kernel) {
  const GpuSpec gpu = load_gpu("h200").spec;
  SimulateOptions options;
  options.threads = 2;
  options.count_instructions = true;  // for the mean number of threads
  const SimulationResult simulated = simulate(gpu, kernel, options);
  REQUIRE(simulated.status == Status::completed);
  return make_result(gpu, kernel, simulated);
}

// Within `tolerance` of what was measured; a few sectors of difference do not count.
void check_count(const Result& result, const NcuLaunch& launch, const char* ours,
                 const char* theirs, double tolerance) {
  const auto measured = launch.number(theirs);
  if (!measured) return;
  constexpr double kFew = 64;
  INFO(ours << ": measured " << *measured << ", predicted " << *result.value(ours));
  CHECK(std::abs(*result.value(ours) - *measured) <= tolerance * *measured + kFew);
}

// The profiles that simulate in a moment, of every family.
const std::vector<std::string>& quick() {
  static const std::vector<std::string> kNames = {"saxpy_one_wave",
                                                  "saxpy_small",
                                                  "copy_l2_resident",
                                                  "fma_dependent",
                                                  "fma_dependent_low_occupancy",
                                                  "fma_ilp8",
                                                  "fp64_polynomial",
                                                  "gather_l2",
                                                  "histogram_shared_one_block",
                                                  "hmma_matmul",
                                                  "integer_hash_low_occupancy",
                                                  "integer_hash_short_blocks",
                                                  "linked_lists",
                                                  "mufu_low_occupancy",
                                                  "persistent_queue_one_block",
                                                  "sgemm_tiled16_small",
                                                  "spmv_csr_scalar",
                                                  "spmv_csr_vector",
                                                  "static_tasks",
                                                  "transpose_shared_padded",
                                                  "warp_reduce_low_occupancy"};
  return kNames;
}

}  // namespace

TEST_CASE("imported kernels execute the instructions and touch the sectors of their profile") {
  for (const std::string& name : quick()) {
    DYNAMIC_SECTION(name) {
      const Imported imported = import(name);
      const Result result = run(imported.kernel);
      const auto check = [&](const char* ours, const char* theirs, double tolerance) {
        check_count(result, imported.launch, ours, theirs, tolerance);
      };
      check("smsp__inst_executed.sum", "smsp__inst_executed.sum", 0.005);
      check("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0.02);
      check("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0.02);
      check("l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum",
            "lts__t_sectors_srcunit_tex_op_read.sum", 0.02);
      check("l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum",
            "lts__t_sectors_srcunit_tex_op_write.sum", 0.02);
      for (const char* exact :
           {"launch__occupancy_limit_blocks", "launch__occupancy_limit_registers",
            "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps",
            "launch__grid_size", "launch__block_size", "launch__registers_per_thread",
            "launch__waves_per_multiprocessor", "launch__shared_mem_config_size",
            "sm__maximum_warps_per_active_cycle_pct"}) {
        const auto measured = imported.launch.number(exact);
        if (!measured) continue;
        INFO(exact << ": measured " << *measured);
        CHECK(*result.value(exact) == Approx(*measured).margin(0.006));
      }
    }
  }
}

TEST_CASE("without machine code the control codes are derived and the counts are the same") {
  for (const char* name : {"saxpy_small", "sgemm_tiled16_small", "histogram_shared_one_block"}) {
    const Imported imported = import(name, false);
    CHECK(!imported.made.lines.front().code);
    const Result result = run(imported.kernel);
    check_count(result, imported.launch, "smsp__inst_executed.sum", "smsp__inst_executed.sum",
                0.005);
  }
}

TEST_CASE("threads that are active on average are counted") {
  const Imported imported = import("spmv_csr_scalar");
  const Result result = run(imported.kernel);
  const char* const threads = "smsp__thread_inst_executed_per_inst_executed.ratio";
  CHECK(*result.value(threads) == Approx(*imported.launch.number(threads)).epsilon(0.01));
}

TEST_CASE("a source page that ends early is no page of this machine code") {
  const std::string folder = kReferences + "saxpy_small";
  NcuProfile profile = read_ncu_profile(folder + "/raw.csv.gz", folder + "/source.csv.gz",
                                        folder + "/kernel.sass.gz");
  const SelectedLaunch selected = select_one_launch(profile, {});
  NcuSourceBlock& block = profile.blocks[selected.block];
  block.rows.resize(block.rows.size() / 2);
  CHECK_THROWS_AS(import_launch(profile.launches[selected.launch], block,
                                &profile.functions[*selected.function]),
                  InputError);
}

TEST_CASE("launch figures that cannot be, and listings that never ran, are refused") {
  const std::string folder = kReferences + "saxpy_small";
  NcuProfile profile = read_ncu_profile(folder + "/raw.csv.gz", folder + "/source.csv.gz", "");
  NcuLaunch launch = profile.launches.front();
  NcuSourceBlock block = profile.blocks.front();
  launch.numbers["launch__registers_per_thread"] = 1e30;
  CHECK_THROWS_AS(import_launch(launch, block, nullptr), InputError);
  launch.numbers["launch__registers_per_thread"] = 16;
  CHECK_NOTHROW(import_launch(launch, block, nullptr));
  for (NcuSourceRow& row : block.rows) row.executed = 0;
  CHECK_THROWS_AS(import_launch(launch, block, nullptr), InputError);
}

TEST_CASE("nothing that tells how long the kernel took enters its file") {
  Imported imported = import("saxpy_small");
  for (auto& [metric, value] : imported.launch.numbers) {
    const bool timing =
        metric.find("cycles") != std::string::npos || metric.find("stall") != std::string::npos ||
        metric.find("warps_active") != std::string::npos ||
        metric.find("eligible") != std::string::npos || metric.find("issue") != std::string::npos ||
        metric.find("duration") != std::string::npos ||
        metric.find("throughput") != std::string::npos;
    if (timing) value *= 3;
  }
  const std::string folder = kReferences + "saxpy_small";
  NcuProfile profile = read_ncu_profile(folder + "/raw.csv.gz", folder + "/source.csv.gz", "");
  for (NcuSourceRow& row : profile.blocks.front().rows) row.samples = 12345;
  const ImportedKernel changed = import_launch(imported.launch, profile.blocks.front(), nullptr);
  const ImportedKernel plain =
      import_launch(profile.launches.front(), profile.blocks.front(), nullptr);
  CHECK(kernel_file_text(changed, "") == kernel_file_text(plain, ""));
}
