// Studies: from the file to the list of points.
#include "sim/study/points.hpp"

#include <fmt/format.h>

#include "sim/config/study_file.hpp"
#include "sim/study/study_database.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

std::vector<std::string> keys(const std::string& text) {
  Diagnostics problems;
  const auto study = load_study_text(text, "study.yaml", problems);
  problems.throw_if_any();
  REQUIRE(study);
  std::vector<std::string> found;
  for (const StudyPoint& point : points_of(*study, problems)) {
    CHECK(point.number == found.size());
    found.push_back(key_of(point));
  }
  problems.throw_if_any();
  return found;
}

std::string problems_of(const std::string& text) {
  Diagnostics problems;
  try {
    const auto study = load_study_text(text, "study.yaml", problems);
    if (study) static_cast<void>(points_of(*study, problems));
    problems.throw_if_any();
  } catch (const InputError& error) {
    std::string all;
    for (const Diagnostic& one : error.diagnostics()) all += to_string(one) + "\n";
    return all;
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("axes multiply, the first one changes slowest") {
  CHECK(keys("kernel: saxpy\naxes: {params.n: [1024, 2048], params.block: [64, 128]}\n") ==
        Keys{"kernel=saxpy params.n=1024 params.block=64",
             "kernel=saxpy params.n=1024 params.block=128",
             "kernel=saxpy params.n=2048 params.block=64",
             "kernel=saxpy params.n=2048 params.block=128"});
}

TEST_CASE("zipped names change together") {
  CHECK(keys("kernel: saxpy\nzip: {params.n: [1024, 2048], params.block: [64, 128]}\n") ==
        Keys{"kernel=saxpy params.n=1024 params.block=64",
             "kernel=saxpy params.n=2048 params.block=128"});
  CHECK(keys("kernel: saxpy\naxes: {params.n: [8, 16]}\nzip: [{a: [1, 2], b: [3, 4]}]\n").size() ==
        4);
}

TEST_CASE("ranges by steps and by factors") {
  CHECK(keys("kernel: saxpy\naxes: {params.n: {from: 32, to: 128, step: 32}}\n") ==
        Keys{"kernel=saxpy params.n=32", "kernel=saxpy params.n=64", "kernel=saxpy params.n=96",
             "kernel=saxpy params.n=128"});
  CHECK(keys("kernel: saxpy\naxes: {params.n: {from: 1, to: 20, times: 3}}\n") ==
        Keys{"kernel=saxpy params.n=1", "kernel=saxpy params.n=3", "kernel=saxpy params.n=9"});
  CHECK(keys("kernel: saxpy\naxes: {x: {from: 0.5, to: 1.5, step: 0.5}}\n") ==
        Keys{"kernel=saxpy x=0.5", "kernel=saxpy x=1", "kernel=saxpy x=1.5"});
}

TEST_CASE("derived values follow from the others, conditions leave points out") {
  CHECK(keys("kernel: saxpy\nset: {params.n: 4096}\naxes: {params.block: [64, 128, 256]}\n"
             "derive: {blocks: params.n / params.block, half: blocks / 2}\n"
             "where: [\"half > 8\"]\n") == Keys{"kernel=saxpy params.block=64 blocks=64 half=32",
                                                "kernel=saxpy params.block=128 blocks=32 half=16"});
}

TEST_CASE("kernels, GPUs, policies and seeds are axes, too") {
  CHECK(keys("kernels: [saxpy, triad]\ngpus: [h200, a100]\nschedulers: [gto, lrr]\nseeds: [1, 2]\n")
            .size() == 16);
  CHECK(keys("kernels: all\nschedulers: all\n").size() >= 46 * 6);
}

TEST_CASE("everything that is wrong with a study is reported, with its place") {
  const std::string all = problems_of(
      "kernl: saxpy\n"
      "gpus: [h200, h20]\n"
      "schedulers: [gtoo]\n"
      "axes: {params.n: [1, 1], params.m: {from: 5, to: 1}}\n"
      "keep: [gpc__cycles]\n");
  CHECK(contains(all, "study.yaml: error: found no 'kernel', expected one"));
  CHECK(contains(all, "study.yaml:1:1: error: found unknown key 'kernl'"));
  CHECK(contains(all, "study.yaml:2:14: error: found gpu 'h20', expected a file or one of"));
  CHECK(contains(all, "did you mean 'h200'"));
  CHECK(contains(all, "study.yaml:3:14: error: found scheduler 'gtoo', expected one of"));
  CHECK(contains(all, "study.yaml:4:22: error: found 1 twice for 'params.n'"));
  CHECK(contains(all, "found no range, expected {from: A, to: B, step: S}"));
  CHECK(contains(all, "study.yaml:5:8: error: found"));
}

TEST_CASE("formulas that cannot be evaluated are placed, and nothing is divided by zero") {
  CHECK(contains(problems_of("kernel: saxpy\naxes: {params.n: [8]}\nderive: {x: params.m + 1}\n"),
                 "study.yaml:3:13: error: found unknown name 'params.m'"));
  CHECK(contains(problems_of("kernel: saxpy\naxes: {params.n: [0]}\nderive: {x: 8 / params.n}\n"),
                 "study.yaml:3:"));
  CHECK(contains(
      problems_of("kernel: saxpy\naxes: {a: {from: 1, to: 99999}, b: {from: 1, to: 99999}}\n"),
      "found more than 10000000 points"));
  CHECK(contains(problems_of("kernel: saxpy\naxes: {params.n: [1]}\nset: {params.n: 2}\n"),
                 "found 'params.n' more than once"));
  CHECK(contains(problems_of("kernel: saxpy\nzip: {a: [1, 2], b: [3]}\n"),
                 "found 1 values of 'b', expected 2 as of 'a'"));
}

TEST_CASE("a point's fingerprint changes with whatever decides its result") {
  const auto fingerprint = [](const std::string& text) {
    Diagnostics problems;
    const auto study = load_study_text(text, "study.yaml", problems);
    REQUIRE(study);
    const auto points = points_of(*study, problems);
    PointLoader loader(points);
    return loader.fingerprint(points.at(0), *study);
  };
  const std::string base = "kernel: saxpy\naxes: {params.n: [1024]}\n";
  CHECK(fingerprint(base) == fingerprint(base));
  CHECK(fingerprint(base) != fingerprint(base + "max_cycles: 100\n"));
  CHECK(fingerprint(base) != fingerprint(base + "keep: [gpc__cycles_elapsed.max]\n"));
  CHECK(fingerprint(base) != fingerprint("kernel: triad\naxes: {params.n: [1024]}\n"));
  CHECK(fingerprint(base) != fingerprint("kernel: saxpy\naxes: {params.n: [1025]}\n"));
  CHECK(fingerprint(base) != fingerprint(base + "set: {gpu.l2.slices: 48}\n"));
  CHECK(fingerprint(base) != fingerprint(base + "gpu: a100\n"));
  CHECK(fingerprint(base) != fingerprint(base + "scheduler: lrr\n"));
  CHECK(fingerprint(base) != fingerprint(base + "seeds: [7]\n"));
}
