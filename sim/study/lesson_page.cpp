#include "sim/report/html_page.hpp"
#include "sim/report/html_text.hpp"
#include "sim/study/lesson_report.hpp"

namespace smsim {

std::string lesson_page(const Lesson& lesson, const LessonOutcome& outcome) {
  HtmlContent content;
  content.kind = "lesson";
  content.title = lesson.title + " - smsim lesson";
  content.data = {{"lesson", lesson_document(lesson, outcome)}};
  content.static_body = "<pre>" + html_escaped(lesson_text(lesson, outcome, true)) + "</pre>\n";
  return html_page(content);
}

}  // namespace smsim
