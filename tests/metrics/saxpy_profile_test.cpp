// Definitions and rounding against a real profile: the counters that Nsight Compute summed up must
// come out as the numbers that it printed.
#include "smsim/report.hpp"
#include "tests/catch.hpp"
#include "tests/metrics/profile.hpp"

using namespace smsim;

namespace {

struct Printed {
  const char* metric;
  const char* value;  // as in the raw page of the profile
};

constexpr Printed kPrinted[] = {
    {"gpc__cycles_elapsed.max", "457,888"},
    {"sm__cycles_active.avg", "450,677.17"},
    {"smsp__cycles_active.avg", "451,191.38"},
    {"sm__maximum_warps_per_active_cycle_pct", "100"},
    {"sm__maximum_warps_avg_per_active_cycle", "64"},
    {"smsp__maximum_warps_avg_per_active_cycle", "16"},
    {"smsp__warps_active.avg.per_cycle_active", "11.78"},
    {"smsp__warps_eligible.avg.per_cycle_active", "0.21"},
    {"smsp__issue_active.avg.per_cycle_active", "0.17"},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", "16.73"},
    {"smsp__inst_issued.sum", "39,850,165"},
    {"sm__inst_executed.avg.per_cycle_active", "0.67"},
    {"smsp__average_warp_latency_per_inst_issued.ratio", "70.42"},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", "32"},
    {"smsp__average_warps_issue_stalled_selected_per_issue_active.ratio", "1"},
    {"smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", "3.57"},
    {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", "0"},
    {"launch__occupancy_limit_barriers", "32"},
    {"launch__occupancy_limit_blocks", "32"},
    {"launch__occupancy_limit_registers", "16"},
    {"launch__occupancy_limit_shared_mem", "32"},
    {"launch__occupancy_limit_warps", "8"},
    {"launch__waves_per_multiprocessor", "248.24"},
    {"launch__registers_per_thread_allocated", "16"},
    {"launch__shared_mem_config_size", "32,768"},
    {"launch__shared_mem_per_block_allocated", "1,024"},
    {"launch__thread_count", "67,108,864"},
    {"l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum", "16,777,216"},
    {"dram__bytes_read.sum", "536,900,864"},
    {"dram__bytes_write.sum", "249,981,696"},
};

}  // namespace

TEST_CASE("a profile's sums give the values that Nsight Compute printed") {
  const Result result = make_result(test::h200(), test::saxpy_launch(), test::saxpy_profile());
  for (const Printed& expected : kPrinted) {
    INFO(expected.metric);
    const auto value = result.value(expected.metric);
    REQUIRE(value.has_value());
    CHECK(format_number(*value) == expected.value);
  }
}

TEST_CASE("what Nsight Compute measured in other passes agrees within their scatter") {
  const Result result = make_result(test::h200(), test::saxpy_launch(), test::saxpy_profile());
  const auto value = [&](const char* name) { return result.value(name).value_or(-1); };
  // 1,977.747 MHz is the profile's mean clock; it counted 231,520 ns.
  CHECK(value("gpu__time_duration.sum") == Approx(231520).epsilon(1e-4));
  CHECK(value("sm__warps_active.avg.pct_of_peak_sustained_active") == Approx(74.16).margin(0.6));
  CHECK(value("l1tex__t_sector_hit_rate.pct") == Approx(32.84).margin(0.02));
  // Nsight's L2 sectors also count what the two halves of L2 send each other.
  CHECK(value("lts__t_sector_hit_rate.pct") == Approx(33.65).margin(0.4));
  CHECK(value("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed") ==
        Approx(70.64).margin(0.1));
  CHECK(value("dram__bytes.sum.per_second") == Approx(3398767104353.84).epsilon(1e-3));
  CHECK(value("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio") ==
        Approx(59.57).margin(0.5));
}

TEST_CASE("the profile's counters break no identity") {
  const SimulationResult run = test::saxpy_profile();
  const Result result = make_result(test::h200(), test::saxpy_launch(), run);
  CHECK(check_identities(run.counters, result) == std::vector<std::string>{});
  CHECK(result.verdict.bound == "dram_bandwidth");
}
