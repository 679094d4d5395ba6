// Changing one figure of a GPU by its path.
#include "sim/arch/gpu_fields.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

// Nothing is set when the change is refused.
void refuses(const std::string& change, const std::string& message) {
  INFO(change);
  GpuSpec gpu;
  GpuSpec untouched;
  CHECK(change_field(gpu, change) == message);
  const auto fields = gpu_fields(gpu);
  const auto expected = gpu_fields(untouched);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    CHECK(field_text(fields[i]) == field_text(expected[i]));
  }
}

}  // namespace

TEST_CASE("numbers and switches are set by their path in the GPU file") {
  GpuSpec gpu;
  CHECK(change_field(gpu, "l2.far_extra_cycles=120").empty());
  CHECK(gpu.l2.far_extra_cycles == 120);
  CHECK(change_field(gpu, "l2.size_bytes=5e7").empty());
  CHECK(gpu.l2.size_bytes == 50'000'000);
  CHECK(change_field(gpu, "dram.efficiency=0.75").empty());
  CHECK(gpu.dram.efficiency == 0.75);
  CHECK(change_field(gpu, "front_end.instruction_cache=false").empty());
  CHECK(!gpu.front_end.instruction_cache);
  CHECK(change_field(gpu, "front_end.instruction_cache=true").empty());
  CHECK(gpu.front_end.instruction_cache);
}

TEST_CASE("a value outside its range, or of another kind, is refused") {
  refuses("dram.efficiency=7", "found '7' as dram.efficiency, expected a number from 0.01 to 1");
  refuses("dram.efficiency=nan",
          "found 'nan' as dram.efficiency, expected a number from 0.01 to 1");
  refuses("l2.slices=-1", "found '-1' as l2.slices, expected an integer from 0 to 4096");
  refuses("l2.slices=1.5", "found '1.5' as l2.slices, expected an integer from 0 to 4096");
  refuses("l2.slices=", "found '' as l2.slices, expected an integer from 0 to 4096");
  refuses("l2.slices=0x10", "found '0x10' as l2.slices, expected an integer from 0 to 4096");
  refuses("l2.slices=4 ", "found '4 ' as l2.slices, expected an integer from 0 to 4096");
  refuses("front_end.instruction_cache=no",
          "found 'no' as front_end.instruction_cache, expected true or false");
}

TEST_CASE("texts and lists are not figures to be changed so") {
  for (const char* path : {"scheduler", "limits.smem_splits_kb", "compute_capability"}) {
    refuses(std::string(path) + "=9", "found '9' as " + std::string(path) +
                                          ", expected a figure that is a number or a switch");
  }
}

TEST_CASE("what names no figure is refused") {
  refuses("l2.slice=4", "found 'l2.slice', expected a path of the GPU file");
  refuses("=4", "found '', expected a path of the GPU file");
  refuses("l2.slices", "found 'l2.slices', expected PATH=VALUE");
  refuses("", "found '', expected PATH=VALUE");
}
