// Holds what a lesson promises against what was simulated.
#pragma once

#include <string>
#include <vector>

#include "sim/study/lesson.hpp"

namespace smsim {

Observation observe(const Lesson& lesson, const Expectation& expectation,
                    const std::vector<Result>& results);

/// What the lesson's table calls a metric, or its name where it is no column.
std::string title_of(const Lesson& lesson, const LessonMetric& metric);

/// The unit of a metric, as the lesson's table has it or else its own.
std::string metric_unit(const Lesson& lesson, const LessonMetric& metric);

/// What to divide a column by whose largest value is `most`: 1e9 for bytes a second that reach
/// Gbyte.
double scale_factor(double most, const std::string& unit);

/// Three digits that count: "0.0312", "43.7", "2,475".
std::string short_number(double value);

}  // namespace smsim
