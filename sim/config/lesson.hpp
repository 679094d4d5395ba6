// A lesson: a kernel, one thing that is changed about it, and what is to be seen.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace smsim {

/// Where something stands in a lesson's file, for messages.
struct LessonPlace {
  int line = 0;  // from 1
  int column = 0;
};

/// A metric of the run, or one divided by another: "smsp__inst_executed.sum / launch__grid_size".
/// "work" is what the variant says it does.
struct LessonMetric {
  std::string name;
  std::string per;  // "" for a plain metric
};
inline bool same(const LessonMetric& a, const LessonMetric& b) {
  return a.name == b.name && a.per == b.per;
}

/// One simulation of a lesson.
struct LessonVariant {
  std::string label;
  std::vector<std::string> overrides;  // "params.warps=8"
  std::string scheduler;               // "": the GPU file's
  std::string kernel;                  // "": the lesson's own
  std::optional<double> work;          // how much is done, in a unit of the lesson's own
  LessonPlace place;
};

/// One column of the table of variants.
struct LessonColumn {
  enum class Kind { number, status, largest_stall };
  Kind kind = Kind::number;
  LessonMetric metric;
  std::string title;
  std::string unit;  // of the metric, unless the file has words of its own
};

/// One picture: a bar for each variant, or where the warps' time goes.
struct LessonChart {
  enum class Kind { bars, states };
  Kind kind = Kind::bars;
  std::size_t column = 0;  // of the table, for bars
  std::string title;
};

/// A command for the student, and what it is for.
struct LessonCommand {
  std::string run;
  std::string why;
};

/// What a real GPU did in one variant, or in an experiment that is close to the lesson's.
struct MeasuredPoint {
  std::optional<std::size_t> variant;  // empty: no variant is the same experiment
  LessonMetric metric;
  double value = 0;
  std::string source;  // "validate/reference/h200/NAME"
  std::string note;    // of a related experiment: what was measured
};

/// The effect, so that a machine can check it.
struct Expectation {
  enum class Kind { value, ratio, monotone, order, status, largest_stall };
  Kind kind = Kind::value;
  LessonMetric metric;
  std::vector<std::size_t> of;  // value, ratio, status, stall: one; monotone, order: several
  std::size_t over = 0;         // ratio: the variant below the line
  double low = 0;
  double high = 0;
  bool rising = true;  // monotone
  std::string word;    // of a status or a stall
  std::string seen;    // the effect in words
};

struct Lesson {
  int number = 0;  // 0: the file's name has none
  std::string name;
  std::string file;
  std::string text;         // the whole file
  std::string kernel_text;  // the same without the lesson
  std::string title;
  std::string question;
  std::string predict;  // may be empty, as `ask`, `answer`
  std::string change;
  std::vector<LessonVariant> variants;
  std::vector<LessonColumn> columns;
  std::vector<LessonChart> charts;
  std::string look_at;
  std::string reason;
  std::vector<LessonCommand> commands;
  std::string ask;
  std::string answer;
  std::vector<MeasuredPoint> measured;
  std::vector<Expectation> expectations;
};

}  // namespace smsim
