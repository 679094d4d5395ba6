// The part of a lesson that a machine checks: measured points and expectations.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/lesson_reader.hpp"
#include "smsim/counters.hpp"
#include "smsim/simulate.hpp"

namespace smsim {
namespace {

constexpr double kLargest = 1e18;

// "completed", "deadlock", "launch_failure": what a lesson can show.
const std::vector<std::string> kStatuses{"completed", "deadlock", "launch_failure"};

std::vector<std::string> stall_names() {
  return {kWarpStateNames.begin(), kWarpStateNames.end()};
}

}  // namespace

void LessonReader::read_measured(const YAML::Node& node) {
  MappingReader keys(context_, node);
  MeasuredPoint point;
  const auto note = keys.find("note");
  const auto at = variant(note ? keys.find("at") : keys.require("at"));
  point.note = text(note);
  const auto found = metric(keys.require("metric"));
  if (const auto value = keys.require("value")) {
    point.value = read_number(context_, *value, -kLargest, kLargest).value_or(0);
  }
  point.source = text(keys.require("source"));
  keys.finish();
  if ((at || note) && found) {
    point.variant = at;
    point.metric = *found;
    lesson_.measured.push_back(std::move(point));
  }
}

void LessonReader::read_expectation(const YAML::Node& node) {
  MappingReader keys(context_, node);
  Expectation expectation;
  expectation.seen = text(keys.find("seen"));
  const auto status = keys.find("status");
  const auto stall = keys.find("largest_stall");
  const auto monotone = keys.find("monotone");
  const auto order = keys.find("order");
  if (status || stall) {
    expectation.kind = status ? Expectation::Kind::status : Expectation::Kind::largest_stall;
    expectation.word =
        read_choice(context_, status ? *status : *stall, status ? kStatuses : stall_names())
            .value_or("");
    read_word(keys, expectation);
  } else if (monotone || order) {
    expectation.kind = monotone ? Expectation::Kind::monotone : Expectation::Kind::order;
    expectation.rising =
        !monotone || read_choice(context_, *monotone, {"rising", "falling"}) == "rising";
    read_sequence(keys, order.value_or(node), expectation);
  } else {
    read_ratio_or_value(keys, expectation);
  }
  keys.finish();
  lesson_.expectations.push_back(std::move(expectation));
}

void LessonReader::read_word(MappingReader& keys, Expectation& expectation) {
  if (const auto of = variant(keys.require("of"))) {
    expectation.of = {*of};
  }
}

// "order" lists variants from the smallest value to the largest; "monotone" means all, or those
// that "of" lists.
void LessonReader::read_sequence(MappingReader& keys, const YAML::Node& node,
                                 Expectation& expectation) {
  expectation.metric = metric(keys.require("metric")).value_or(LessonMetric{});
  const auto of = keys.find("of");
  if (expectation.kind == Expectation::Kind::order) {
    expectation.of = variants(node);
  } else if (of) {
    expectation.of = variants(*of);
  } else {
    for (std::size_t i = 0; i < lesson_.variants.size(); ++i) {
      expectation.of.push_back(i);
    }
  }
}

void LessonReader::read_ratio_or_value(MappingReader& keys, Expectation& expectation) {
  expectation.metric = metric(keys.require("metric")).value_or(LessonMetric{});
  read_word(keys, expectation);
  if (const auto over = keys.find("over")) {
    expectation.kind = Expectation::Kind::ratio;
    expectation.over = variant(over).value_or(0);
  }
  const auto between = keys.require("between");
  if (!between) {
    return;
  }
  if (!between->IsSequence() || between->size() != 2) {
    context_.error(
        *between, fmt::format("found {}, expected two numbers: [least, most]", describe(*between)));
    return;
  }
  expectation.low = read_number(context_, (*between)[0], -kLargest, kLargest).value_or(0);
  expectation.high = read_number(context_, (*between)[1], -kLargest, kLargest).value_or(0);
  if (expectation.low > expectation.high) {
    context_.error(*between, "found the larger number first, expected [least, most]");
  }
}

std::vector<std::string> LessonReader::labels() const {
  std::vector<std::string> labels;
  for (const LessonVariant& known : lesson_.variants) {
    labels.push_back(known.label);
  }
  return labels;
}

// The variant of that label.
std::optional<std::size_t> LessonReader::variant(const std::optional<YAML::Node>& node) {
  const std::vector<std::string> known = labels();
  const auto found = node ? read_choice(context_, *node, known) : std::nullopt;
  if (!found) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(std::find(known.begin(), known.end(), *found) - known.begin());
}

std::vector<std::size_t> LessonReader::variants(const YAML::Node& node) {
  std::vector<std::size_t> found;
  each(node, "variants", [&](const YAML::Node& item) {
    if (const auto place = variant(item)) {
      found.push_back(*place);
    }
  });
  return found;
}

}  // namespace smsim
