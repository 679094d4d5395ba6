#include "sim/kernel/access_pattern.hpp"

#include "tests/catch.hpp"

using namespace smsim;
using namespace smsim::sass;

namespace {

using Kind = PatternSource::Kind;

PatternSource strided(std::uint64_t stride) {
  PatternSource pattern;
  pattern.kind = Kind::strided;
  pattern.stride = stride;
  return pattern;
}

PatternSource of_kind(Kind kind) {
  PatternSource pattern;
  pattern.kind = kind;
  return pattern;
}

// The most 4-byte words of 32 lanes that meet in one bank, counted plainly.
int conflict_of(std::uint64_t stride) {
  int worst = 0;
  for (std::uint64_t bank = 0; bank < 32; ++bank) {
    int words = 0;
    for (std::uint64_t lane = 0; lane < (stride == 0 ? 1 : 32); ++lane) {
      words += lane * stride % 32 == bank ? 1 : 0;
    }
    worst = std::max(worst, words);
  }
  return worst;
}

}  // namespace

TEST_CASE("coalesced lanes touch as many sectors as their bytes fill") {
  for (const int bytes : {1, 2, 4, 8, 16}) {
    const Footprint footprint = global_footprint({}, bytes, 0);
    CHECK(footprint.sectors == bytes);
    CHECK(footprint.lines == (bytes + 3) / 4);
  }
}

TEST_CASE("wider strides touch more, up to a sector and a line per lane") {
  CHECK(global_footprint(strided(0), 4, 0).sectors == 1);
  CHECK(global_footprint(strided(1), 4, 0).sectors == 4);
  CHECK(global_footprint(strided(4), 4, 0).sectors == 16);
  CHECK(global_footprint(strided(8), 4, 0).sectors == 32);
  CHECK(global_footprint(strided(8), 4, 0).lines == 8);
  CHECK(global_footprint(strided(32), 4, 0).lines == 32);
  CHECK(global_footprint(strided(1 << 20), 16, 0).sectors == 32);
}

TEST_CASE("random lanes spread as far as the array allows") {
  const PatternSource random = of_kind(Kind::random);
  CHECK(global_footprint(random, 4, 0).lines == 32);
  CHECK(global_footprint(random, 4, 1 << 30).sectors == 32);
  CHECK(global_footprint(random, 4, 32).sectors == 1);
  CHECK(global_footprint(random, 4, 1024).lines == 8);
}

TEST_CASE("bank conflicts of every stride are those of a plain count") {
  for (std::uint64_t stride = 0; stride <= 64; ++stride) {
    INFO("stride " << stride);
    CHECK(shared_footprint(strided(stride), 4).wavefronts == conflict_of(stride));
  }
}

TEST_CASE("wide shared accesses pass in groups of lanes") {
  CHECK(shared_footprint({}, 4).wavefronts == 1);
  CHECK(shared_footprint({}, 8).wavefronts == 2);
  CHECK(shared_footprint({}, 16).wavefronts == 4);
  CHECK(shared_footprint({}, 1).wavefronts == 1);
  CHECK(shared_footprint(strided(2), 16).wavefronts == 8);
}

TEST_CASE("lanes that the index spreads touch what a stride of the same size does") {
  for (const std::int64_t stride : {0, 1, 2, 3, 8, 32, 33}) {
    INFO("stride " << stride);
    for (const int bytes : {4, 8, 16}) {
      const Footprint said =
          global_footprint(strided(static_cast<std::uint64_t>(stride)), bytes, 0);
      const Footprint derived = global_footprint({}, bytes, 0, evenly_spaced(stride));
      const Footprint mirrored = global_footprint({}, bytes, 0, evenly_spaced(-stride));
      CHECK(derived.lines == said.lines);
      CHECK(derived.sectors == said.sectors);
      CHECK(mirrored.sectors == said.sectors);
    }
    CHECK(shared_footprint({}, 4, evenly_spaced(stride)).wavefronts ==
          conflict_of(static_cast<std::uint64_t>(stride)));
  }
  CHECK_FALSE(global_footprint({}, 4, 0, evenly_spaced(0)).scales_with_lanes);
}
