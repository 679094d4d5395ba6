// Hit or miss from sizes alone.
#include "sim/memory/cache_model.hpp"

#include "sim/kernel/random.hpp"
#include "tests/catch.hpp"

using namespace smsim;
using namespace smsim::memory;

namespace {

constexpr std::uint64_t kLine = 128;

// One array of `lines` lines, one load that follows it.
Program one_array(std::uint64_t lines, Array::Reuse reuse) {
  Program program;
  Array array;
  array.bytes = lines * kLine;
  array.reuse = reuse;
  program.arrays.push_back(array);
  MemoryAccess load;
  load.array = 0;
  load.l2_hit = -1;
  program.accesses.push_back(load);
  return program;
}

double hit_rate(CacheModel& cache, int requests, std::uint64_t first_key = 0) {
  int hits = 0;
  for (int i = 0; i < requests; ++i)
    hits += cache.hit(0, mix(first_key + static_cast<std::uint64_t>(i)));
  return static_cast<double>(hits) / requests;
}

}  // namespace

TEST_CASE("a drawn rate is met") {
  Program program;
  program.accesses.emplace_back();
  for (const double rate : {0.0, 0.25, 0.9, 1.0}) {
    program.accesses[0].l2_hit = rate;
    CacheModel cache(program, CacheModel::Level::l2, 1 << 20, false);
    CHECK(hit_rate(cache, 20000) == Approx(rate).margin(0.01));
  }
}

TEST_CASE("a stream misses in its first pass and hits later where all of it fits") {
  const Program program = one_array(100, Array::Reuse::streaming);
  CacheModel fits(program, CacheModel::Level::l2, 100 * kLine, false);
  CHECK(hit_rate(fits, 100) == 0);
  CHECK(hit_rate(fits, 300) == 1);
  CacheModel too_small(program, CacheModel::Level::l2, 99 * kLine, false);
  CHECK(hit_rate(too_small, 400) == 0);
}

TEST_CASE("a warm cache has the stream already") {
  const Program program = one_array(100, Array::Reuse::streaming);
  CacheModel cache(program, CacheModel::Level::l2, 100 * kLine, true);
  CHECK(hit_rate(cache, 100) == 1);
}

TEST_CASE("random reuse hits as often as the cache holds lines of the array") {
  const Program program = one_array(1000, Array::Reuse::random);
  for (const std::uint64_t held : {100U, 500U, 1000U}) {
    CacheModel cache(program, CacheModel::Level::l2, held * kLine, true);
    CHECK(hit_rate(cache, 20000) == Approx(static_cast<double>(held) / 1000).margin(0.015));
  }
}

TEST_CASE("a cold cache fills by its misses") {
  const Program program = one_array(1000, Array::Reuse::random);
  CacheModel cache(program, CacheModel::Level::l2, 1000 * kLine, false);
  const double first = hit_rate(cache, 500);
  hit_rate(cache, 20000, 1000);
  CHECK(first < 0.35);
  CHECK(hit_rate(cache, 1000, 50000) > 0.99);
}

TEST_CASE("arrays share a cache in proportion to their sizes") {
  Program program = one_array(300, Array::Reuse::random);
  program.arrays.push_back(program.arrays[0]);
  program.arrays[1].bytes = 100 * kLine;
  CacheModel cache(program, CacheModel::Level::l2, 200 * kLine, true);
  CHECK(hit_rate(cache, 20000) == Approx(150.0 / 300).margin(0.015));
}

TEST_CASE(
    "an L1 knows what one SM touches; where that is unknown only random data are used again") {
  Program program = one_array(1000, Array::Reuse::random);
  program.accesses[0].l1_hit = -1;
  CacheModel all_of_it(program, CacheModel::Level::l1, 1 << 20, true);
  CHECK(hit_rate(all_of_it, 1000) == 1);
  CacheModel as_much_as_fits(program, CacheModel::Level::l1, 100 * kLine, true);
  CHECK(hit_rate(as_much_as_fits, 4000) == Approx(0.1).margin(0.02));
  program.arrays[0].bytes_per_sm = 10 * kLine;
  CacheModel small(program, CacheModel::Level::l1, 10 * kLine, true);
  CHECK(hit_rate(small, 1000) == 1);
  Program stream = one_array(10, Array::Reuse::streaming);
  stream.accesses[0].l1_hit = -1;
  CacheModel unknown(stream, CacheModel::Level::l1, 1 << 20, true);
  CHECK(hit_rate(unknown, 1000) == 0);
}
