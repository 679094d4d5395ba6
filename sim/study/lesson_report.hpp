// A lesson that has run, as text or JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/config/lesson.hpp"
#include "sim/report/text_writer.hpp"
#include "sim/study/lesson.hpp"

namespace smsim {

/// At most 80 columns wide; the answer to the student's question only when asked for.
std::string lesson_text(const Lesson& lesson, const LessonOutcome& outcome, bool with_answer);

/// Everything: texts, variants with their numbers, measured points, what was expected and whether
/// it holds. A page can be made from it alone.
nlohmann::ordered_json lesson_document(const Lesson& lesson, const LessonOutcome& outcome);
/// The same as text.
std::string lesson_json(const Lesson& lesson, const LessonOutcome& outcome);

/// The table of variants.
void write_table(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome);
/// The charts, with measured points as marks.
void write_charts(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome);

/// Whether a point was measured on the GPU that was simulated.
bool same_gpu(const MeasuredPoint& point, const LessonOutcome& outcome);

}  // namespace smsim
