// Measured launches through import and simulation, without a word about how exact they are.
#include "sim/compare/validation.hpp"

#include "smsim/diagnostic.hpp"
#include "tests/catch.hpp"
#include "tests/scratch_folder.hpp"

using namespace smsim;
using smsim::test::ScratchFolder;

namespace {

namespace fs = std::filesystem;

const std::string kMeasured = SMSIM_SOURCE_DIR "/validate/reference/h200/";

/// A folder with copies of launches that come with smsim.
struct Copies {
  ScratchFolder scratch;

  explicit Copies(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      fs::copy(kMeasured + name, scratch.path(name), fs::copy_options::recursive);
    }
  }
  void copy(const std::string& from, const std::string& to) const {
    fs::copy_file(kMeasured + from, scratch.path(to), fs::copy_options::overwrite_existing);
  }
  std::vector<ValidatedReference> validated(const ValidateOptions& options = {}) const {
    return validate(find_references(scratch.path("")), options);
  }
};

double predicted_cycles(const ValidatedReference& one) {
  return *find_metric(*one.comparison, "gpc__cycles_elapsed.max")->predicted;
}

}  // namespace

TEST_CASE("each reference has its prediction beside its measurement") {
  const Copies copies({"saxpy_small", "fma_dependent_low_occupancy"});
  const std::vector<ValidatedReference> all = copies.validated();
  REQUIRE(all.size() == 2);
  CHECK(all[0].reference.name == "fma_dependent_low_occupancy");
  CHECK(all[1].reference.name == "saxpy_small");
  for (const ValidatedReference& one : all) {
    INFO(one.failure);
    REQUIRE(one.completed());
    const ComparedMetric* cycles = find_metric(*one.comparison, "gpc__cycles_elapsed.max");
    CHECK(*cycles->predicted > 0);
    CHECK(*cycles->measured > 0);
    CHECK(cycles->error);
    CHECK(one.comparison->stalls.size() > 10);
    CHECK(differing_inputs(*one.comparison).empty());  // it is the launch that was profiled
  }
}

TEST_CASE("references that cannot be imported say why, and the others run") {
  const Copies copies({"saxpy_small", "saxpy_one_wave", "integer_hash_low_occupancy"});
  fs::remove(copies.scratch.path("saxpy_small/source.csv.gz"));
  copies.copy("integer_hash_low_occupancy/raw.csv.gz", "saxpy_one_wave/raw.csv.gz");
  const std::vector<ValidatedReference> all = copies.validated();
  REQUIRE(all.size() == 3);
  CHECK(all[0].completed());
  CHECK(all[0].failure.empty());
  CHECK(all[1].status == "import_failed");
  CHECK(all[1].failure.find("found no block of kernel 'integer_hash(") != std::string::npos);
  CHECK(!all[1].comparison);
  CHECK(all[2].status == "import_failed");
  CHECK(all[2].failure.find("found no source.csv, expected one") != std::string::npos);
}

TEST_CASE("a description alone is no profile") {
  const ScratchFolder scratch;
  fs::create_directory(scratch.path("a"));
  scratch.write("a/reference.yaml", "use: fit\n");
  const auto all = validate(find_references(scratch.path("")), {});
  REQUIRE(all.size() == 1);
  CHECK(all[0].failure.find("found no raw.csv and no source.csv") != std::string::npos);
}

TEST_CASE("a compressed file that ends too early fails to import") {
  const Copies copies({"saxpy_small"});
  const std::string raw = copies.scratch.path("saxpy_small/raw.csv.gz");
  fs::resize_file(raw, fs::file_size(raw) / 2);
  const auto all = copies.validated();
  CHECK(all[0].status == "import_failed");
  CHECK(all[0].failure.find("raw.csv.gz: error: found the end of the file in the middle") !=
        std::string::npos);
}

TEST_CASE("a launch that the profile does not have fails to import, with those that it has") {
  const Copies copies({"saxpy_small"});
  copies.scratch.write("saxpy_small/reference.yaml", "launch: 7\n");
  const auto all = copies.validated();
  CHECK(all[0].failure.find("found no launch with ID 7") != std::string::npos);
  CHECK(all[0].failure.find("--launch 0: ") != std::string::npos);
}

TEST_CASE("a launch on another GPU than the description says fails to import") {
  const Copies copies({"saxpy_small"});
  copies.scratch.write("saxpy_small/reference.yaml", "gpu: v100\n");
  const auto all = copies.validated();
  CHECK(all[0].status == "import_failed");
  CHECK(
      all[0].failure.find("found a launch on NVIDIA H200 (sm_90), expected one on v100 (sm_70)") !=
      std::string::npos);
}

TEST_CASE("a GPU that cannot be loaded is bad input, no failed import") {
  const Copies copies({"saxpy_small"});
  std::vector<Reference> references = find_references(copies.scratch.path(""));
  references[0].gpu = "no/such/gpu.yaml";
  CHECK_THROWS_AS(validate(references, {}), InputError);
}

TEST_CASE("threads do not change results or their order") {
  const Copies copies({"saxpy_small", "saxpy_one_wave", "integer_hash_low_occupancy"});
  ValidateOptions two;
  two.threads = 2;
  const auto one_thread = copies.validated();
  const auto two_threads = copies.validated(two);
  REQUIRE(one_thread.size() == two_threads.size());
  for (std::size_t i = 0; i < one_thread.size(); ++i) {
    CHECK(one_thread[i].reference.name == two_threads[i].reference.name);
    CHECK(predicted_cycles(one_thread[i]) == predicted_cycles(two_threads[i]));
  }
}

TEST_CASE("the GPU may be changed before a run") {
  const Copies copies({"saxpy_small"});
  ValidateOptions slow;
  slow.change_gpu = [](GpuSpec& gpu) { gpu.dram.bandwidth_gbps /= 10; };
  CHECK(predicted_cycles(copies.validated(slow)[0]) > predicted_cycles(copies.validated()[0]));
}

TEST_CASE("progress counts every reference") {
  const Copies copies({"saxpy_one_wave", "integer_hash_low_occupancy"});
  std::vector<std::size_t> seen;
  ValidateOptions options;
  options.progress = [&](std::size_t done, std::size_t all) {
    CHECK(all == 2);
    seen.push_back(done);
  };
  copies.validated(options);
  CHECK(seen == std::vector<std::size_t>{1, 2});
}

TEST_CASE("what an interrupt left undone is marked") {
  const Copies copies({"saxpy_one_wave", "integer_hash_low_occupancy"});
  std::atomic<bool> interrupt{false};
  ValidateOptions options;
  options.interrupt = &interrupt;
  options.progress = [&](std::size_t, std::size_t) { interrupt = true; };
  const auto all = copies.validated(options);
  REQUIRE(all.size() == 2);
  CHECK(all[0].completed());
  CHECK(all[1].reference.name == "saxpy_one_wave");
  CHECK(all[1].status == "interrupted");
  CHECK(!all[1].comparison);
}
