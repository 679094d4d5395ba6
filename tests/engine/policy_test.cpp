// What every warp-scheduling policy promises, and what each of them does.
#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "sim/engine/policy/policy_list.hpp"
#include "tests/catch.hpp"
#include "tests/engine/random_source.hpp"

using namespace smsim;
using namespace smsim::engine;

namespace {

// Slots 0..count-1 in a random order of age; blocks of `per_block` warps.
WarpView random_view(test::RandomSource& random, int count, int per_block) {
  WarpView view;
  view.count = static_cast<std::uint8_t>(count);
  for (int i = 0; i < count; ++i)
    view.by_age[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
  std::shuffle(view.by_age.begin(), view.by_age.begin() + count,
               std::mt19937(static_cast<unsigned>(random.number())));
  view.by_block = view.by_age;
  for (int i = 0; i < count; i += per_block) {
    std::reverse(view.by_block.begin() + i, view.by_block.begin() + std::min(i + per_block, count));
  }
  for (int i = 0; i < count; i += per_block) {
    WarpMask block = 0;
    for (int j = i; j < std::min(i + per_block, count); ++j) {
      block = static_cast<WarpMask>(block | bit_of(view.by_age[static_cast<std::size_t>(j)]));
    }
    view.add_block(static_cast<std::uint8_t>(i / per_block), block);
  }
  view.last = random.one_in(4) ? kNoWarp : static_cast<std::uint8_t>(random.between(0, count - 1));
  return view;
}

WarpMask slots(std::initializer_list<int> list) {
  unsigned mask = 0;
  for (const int slot : list) mask |= 1U << static_cast<unsigned>(slot);
  return static_cast<WarpMask>(mask);
}

// Slots 4, 5, 6, 7 from old to young: block A is 4 and 5, block B is 6 and 7.
WarpView four_warps(std::uint8_t last) {
  WarpView view;
  view.count = 4;
  view.last = last;
  view.by_age = {4, 5, 6, 7};
  view.by_block = {5, 4, 7, 6};
  view.add_block(0, slots({4, 5}));
  view.add_block(1, slots({6, 7}));
  return view;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a policy picks an eligible warp, and the same one every time", "",
                        Policies) {
  test::RandomSource random(1);
  for (int i = 0; i < 2000; ++i) {
    const int count = random.between(1, 16);
    const WarpView view = random_view(random, count, random.between(1, 4));
    const auto eligible = static_cast<WarpMask>(random.between(1, (1 << count) - 1));
    const std::uint8_t picked = TestType::pick(eligible, view);
    REQUIRE(picked < 16);
    CHECK((eligible & bit_of(picked)) != 0);
    CHECK(TestType::pick(eligible, view) == picked);
    const bool may_go_on = view.last != kNoWarp && (eligible & bit_of(view.last)) != 0;
    if (TestType::kGreedy && may_go_on) CHECK(picked == view.last);
    CHECK(TestType::pick(bit_of(picked), view) == picked);
  }
}

TEST_CASE("policies have different names and say what they do") {
  std::set<std::string> names;
  std::apply([&](auto... policy) { (names.insert(decltype(policy)::kName), ...); }, Policies{});
  CHECK(names.size() == std::tuple_size_v<Policies>);
}

TEST_CASE("lrr goes round the slots") {
  CHECK(LooseRoundRobin::pick(slots({4, 5, 6, 7}), four_warps(5)) == 6);
  CHECK(LooseRoundRobin::pick(slots({4, 5}), four_warps(5)) == 4);
  CHECK(LooseRoundRobin::pick(slots({4, 7}), four_warps(kNoWarp)) == 4);
}

TEST_CASE("gto stays, then takes the oldest") {
  CHECK(GreedyThenOldest::pick(slots({4, 6, 7}), four_warps(6)) == 6);
  CHECK(GreedyThenOldest::pick(slots({5, 7}), four_warps(6)) == 5);
  CHECK(GreedyThenOldest::pick(slots({5, 7}), four_warps(kNoWarp)) == 5);
}

TEST_CASE("cggty stays, then takes the youngest") {
  CHECK(GreedyThenYoungest::pick(slots({4, 6, 7}), four_warps(6)) == 6);
  CHECK(GreedyThenYoungest::pick(slots({5, 7}), four_warps(6)) == 7);
}

TEST_CASE("gob stays, then takes the oldest block, whose warps take turns from high to low") {
  CHECK(GreedyThenOldestBlock::pick(slots({4, 5, 7}), four_warps(7)) == 7);
  CHECK(GreedyThenOldestBlock::pick(slots({4, 5, 7}), four_warps(6)) == 5);
  CHECK(GreedyThenOldestBlock::pick(slots({6, 7}), four_warps(4)) == 7);
  WarpView turns = four_warps(kNoWarp);
  turns.issues(5);
  turns.issues(6);
  CHECK(GreedyThenOldestBlock::pick(slots({4, 5, 7}), turns) == 4);
  turns.issues(4);
  turns.issues(6);
  CHECK(GreedyThenOldestBlock::pick(slots({4, 5, 7}), turns) == 5);
}

TEST_CASE("oldest and youngest never stay") {
  CHECK(Oldest::pick(slots({5, 6, 7}), four_warps(7)) == 5);
  CHECK(Youngest::pick(slots({4, 5, 6}), four_warps(4)) == 6);
}

TEST_CASE("two_level goes round a group of four slots and leaves it when all of it waits") {
  CHECK(TwoLevel::pick(slots({4, 6, 9}), four_warps(6)) == 4);
  CHECK(TwoLevel::pick(slots({6, 9}), four_warps(6)) == 6);
  CHECK(TwoLevel::pick(slots({1, 9}), four_warps(6)) == 9);
  CHECK(TwoLevel::pick(slots({1, 2}), four_warps(6)) == 1);
}
