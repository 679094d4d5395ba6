#include "sim/study/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "sim/config/expression.hpp"

namespace smsim {
namespace {

constexpr std::uint64_t kMostPoints = 10'000'000;

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string text_of(double value) {
  return value == std::round(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{}", value);
}

class Expander {
 public:
  Expander(const StudySpec& study, Diagnostics& problems) : study_(study), problems_(problems) {}

  std::vector<StudyPoint> run() {
    std::uint64_t all = 1;
    for (const StudyAxis& axis : study_.axes) {
      all *= axis.values.size();
      if (all > kMostPoints) {
        problems_.add(study_.file,
                      fmt::format("found more than {} points, expected fewer values", kMostPoints));
        return {};
      }
    }
    std::vector<StudyPoint> points;
    for (std::uint64_t number = 0; number < all && problems_.empty(); ++number) {
      StudyPoint point = combination(number);
      if (!complete(point)) continue;
      point.number = points.size();
      points.push_back(std::move(point));
    }
    return points;
  }

 private:
  [[nodiscard]] StudyPoint combination(std::uint64_t number) const {
    StudyPoint point;
    point.fixed = study_.fixed;
    std::uint64_t rest = number;
    std::vector<std::size_t> steps(study_.axes.size());
    for (std::size_t i = study_.axes.size(); i-- > 0;) {
      steps[i] = rest % study_.axes[i].values.size();
      rest /= study_.axes[i].values.size();
    }
    for (std::size_t i = 0; i < study_.axes.size(); ++i) {
      const StudyAxis& axis = study_.axes[i];
      for (std::size_t k = 0; k < axis.names.size(); ++k) {
        point.inputs.emplace_back(axis.names[k], axis.values[steps[i]][k]);
      }
    }
    return point;
  }

  // Adds the derived values; false where a condition leaves the point out.
  bool complete(StudyPoint& point) {
    ExpressionScope scope;
    const auto define = [&scope](const std::string& name, const std::string& text) {
      if (const auto value = as_number(text)) scope.values[name] = *value;
    };
    for (const auto& [name, value] : point.fixed) define(name, value);
    for (const auto& [name, value] : point.inputs) define(name, value);
    // What is left out by the axes alone need not make sense for the derived values; but a wrong
    // condition does not hide what else is wrong.
    if (!holds(scope, false) && problems_.empty()) return false;
    for (const StudyFormula& formula : study_.derived) {
      const auto value = evaluated(formula, scope);
      // A wrong value does not hide what else is wrong.
      scope.values[formula.name] = value.value_or(1);
      if (!value) continue;
      point.inputs.emplace_back(formula.name, text_of(*value));
    }
    return holds(scope, true);
  }

  // Whether all conditions hold that do, or do not, look at derived values. Any of them may be
  // wrong: each is looked at.
  bool holds(const ExpressionScope& scope, bool with_derived) {
    bool all = true;
    for (const StudyFormula& condition : study_.conditions) {
      if (mentions_derived(condition) != with_derived) continue;
      all &= evaluated(condition, scope).value_or(0) != 0;
    }
    return all;
  }

  [[nodiscard]] bool mentions_derived(const StudyFormula& condition) const {
    const std::set<std::string> names = names_in(condition.text);
    return std::any_of(
        study_.derived.begin(), study_.derived.end(),
        [&names](const StudyFormula& formula) { return names.count(formula.name) > 0; });
  }

  std::optional<double> evaluated(const StudyFormula& formula, const ExpressionScope& scope) {
    ExpressionError error;
    const auto value = evaluate(formula.text, scope, error);
    if (value) return value->constant;
    YAML::Mark mark;
    mark.line = formula.line - 1;
    mark.column = formula.column - 1 + error.column;
    problems_.add(study_.file, mark, error.message);
    return std::nullopt;
  }

  const StudySpec& study_;
  Diagnostics& problems_;
};

}  // namespace

std::string StudyPoint::value_of(const std::string& name) const {
  for (const auto* list : {&inputs, &fixed}) {
    for (const auto& [known, value] : *list) {
      if (known == name) return value;
    }
  }
  return "";
}

std::vector<StudyPoint> points_of(const StudySpec& study, Diagnostics& problems) {
  return Expander(study, problems).run();
}

}  // namespace smsim
