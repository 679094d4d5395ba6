// What a warp waits for, in words: checked against the timeline for every interval.
#include "sim/report/why_text.hpp"

#include <regex>

#include "tests/report/golden.hpp"
#include "tests/report/simulated.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

// Without line breaks, so that phrases can be looked for.
std::string why(const Simulated& run, const WarpAt& at) {
  const std::string text = why_text(run.result, run.sources.kernel.program, at);
  std::string flat = std::regex_replace(text, std::regex("\\s+"), " ");
  return flat;
}

const WarpInterval* first_in(const Simulated& run, WarpState state, WarpAt& at) {
  for (const WarpStay& stay : run.result.timeline->stays) {
    for (const WarpInterval& one : stay.intervals) {
      if (one.state != state) continue;
      at = {stay.block, stay.warp, one.from};
      return &one;
    }
  }
  return nullptr;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a load's wait names the load, its line, and when the answer comes") {
  const Simulated run = simulated(kLoadAndAdd);
  WarpAt at;
  const WarpInterval* wait = first_in(run, WarpState::long_scoreboard, at);
  REQUIRE(wait != nullptr);
  const std::string text = why(run, at);
  CHECK(contains(text, "long_scoreboard"));
  CHECK(contains(text, "before FADD"));
  CHECK(contains(text, "It needs the result of LDG"));
  CHECK(contains(text, "line 5 of the kernel"));
  const std::string until =
      std::regex_replace(std::to_string(wait->until), std::regex("(\\d)(?=(\\d{3})+$)"), "$1,");
  CHECK(contains(text, "the last answer ends the wait at " + until));
}

TEST_CASE("a barrier's wait names the warp that came last") {
  const Simulated run = simulated(kLoadAndAdd);
  WarpAt at;
  REQUIRE(first_in(run, WarpState::barrier, at) != nullptr);
  const std::string text = why(run, at);
  CHECK(contains(text, "barrier"));
  CHECK((contains(text, "came last, with BAR.SYNC") || contains(text, "It came last itself")));
}

TEST_CASE("every state of every warp has an explanation, and states its interval") {
  const Simulated run = simulated(
      "name: mixed\n"
      "launch: {grid: 8, block: 256}\n"
      "scalars: [a]\n"
      "arrays: {X: 4 * 2048, Y: 4 * 2048, s: {space: shared, bytes: 4 * 256}}\n"
      "program:\n"
      "  - x: {op: LDG, array: X, index: i}\n"
      "  - repeat: {c: 4, body: [m.c: {op: MUFU, src: [x]}]}\n"
      "  - y: {op: FADD, src: [m.0, m.3]}\n"
      "  - {op: STS, array: s, index: tid, src: y}\n"
      "  - barrier:\n"
      "  - z: {op: LDS, array: s, index: tid}\n"
      "  - for: {trips: 3, body: [z: {op: FFMA, src: [z, a, z]}]}\n"
      "  - {op: STG, array: Y, index: i, src: z}\n"
      "  - fence: gpu\n");
  std::set<WarpState> seen;
  for (const WarpStay& stay : run.result.timeline->stays) {
    for (const WarpInterval& one : stay.intervals) {
      if (!seen.insert(one.state).second) continue;
      const std::string name = kWarpStateNames[static_cast<std::size_t>(one.state)];
      INFO(name);
      const std::string text = why(run, {stay.block, stay.warp, one.until - 1});
      CHECK(contains(text, "): " + name));
      CHECK(text.size() > 200);
    }
  }
  CHECK(seen.size() >= 9);
}

TEST_CASE("a warp that is not there is told apart from one that never is") {
  const Simulated run = simulated(kLoadAndAdd);
  CHECK(contains(why(run, {0, 0, 0}), "becomes resident only at cycle"));
  CHECK(contains(why(run, {0, 0, 1'000'000}), "has left its slot"));
  CHECK(contains(why(run, {77, 0, 1'000'000}), "the run ends at cycle"));
  CHECK(contains(why(run, {77, 0, 5}), "not on an SM then"));
}
