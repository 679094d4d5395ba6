#include "sim/config/lesson_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/suggest.hpp"
#include "smsim/result.hpp"
#include "smsim/simulate.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostItems = 64;  // of any list

const MetricInfo* info_of(const std::string& name) {
  static const MetricInfo kWork{"work", "", "Work", "what the variant does, in the lesson's unit"};
  const auto& infos = metric_infos();
  if (name == kWork.name) {
    return &kWork;
  }
  const auto found = std::find_if(infos.begin(), infos.end(),
                                  [&](const MetricInfo& info) { return info.name == name; });
  return found == infos.end() ? nullptr : &*found;
}

std::string unit_of(const LessonMetric& metric) {
  const std::string unit = info_of(metric.name)->unit;
  const std::string per = metric.per.empty() ? "" : info_of(metric.per)->unit;
  return unit == per ? (per.empty() ? unit : "") : per.empty() ? unit : unit + "/" + per;
}

LessonPlace place_of(const YAML::Node& node) {
  return {node.Mark().line + 1, node.Mark().column + 1};
}

// A value as --set takes it; lists and mappings in YAML's one-line form.
std::string on_one_line(const YAML::Node& node) {
  YAML::Emitter out;
  out << YAML::Flow << node;
  return out.c_str();
}

}  // namespace

Lesson LessonReader::read(const YAML::Node& node) {
  MappingReader keys(context_, node);
  read_texts(keys);
  read_variants(keys);
  each(keys.require("columns"), "columns", [this](const YAML::Node& n) { read_column(n); });
  const auto chart = keys.find("chart");
  if (chart && chart->IsMap()) {
    read_chart(*chart);
  } else {
    each(chart, "charts", [this](const YAML::Node& n) { read_chart(n); });
  }
  each(keys.find("measured"), "points", [this](const YAML::Node& n) { read_measured(n); });
  each(keys.require("expect"), "expectations",
       [this](const YAML::Node& n) { read_expectation(n); });
  keys.finish();
  return std::move(lesson_);
}

void LessonReader::read_texts(MappingReader& keys) {
  lesson_.title = text(keys.require("title"));
  lesson_.question = text(keys.require("question"));
  lesson_.predict = text(keys.find("predict"));
  lesson_.change = text(keys.require("change"));
  lesson_.look_at = text(keys.require("look_at"));
  lesson_.reason = text(keys.require("reason"));
  each(keys.find("try"), "commands", [this](const YAML::Node& n) { read_command(n); });
  lesson_.ask = text(keys.find("ask"));
  lesson_.answer = text(keys.find("answer"));
}

void LessonReader::read_variants(MappingReader& keys) {
  const auto list = keys.find("variants");
  const auto sweep = keys.find("sweep");
  if (sweep) {
    read_sweep(*sweep);
  }
  each(list, "variants", [this](const YAML::Node& n) { read_variant(n); });
  if (!list && !sweep) {
    keys.require("variants");
  }
}

void LessonReader::read_sweep(const YAML::Node& node) {
  MappingReader keys(context_, node);
  const std::string path = text(keys.require("path"));
  const std::string last = path.substr(path.rfind('.') + 1);
  const std::string unit = text(keys.find("label"));
  each(keys.require("values"), "values", [&](const YAML::Node& value) {
    const std::string written = on_one_line(value);
    lesson_.variants.push_back({unit.empty() ? last + "=" + written : written + " " + unit,
                                {path + "=" + written},
                                "",
                                "",
                                std::nullopt,
                                place_of(value)});
  });
  keys.finish();
}

void LessonReader::read_variant(const YAML::Node& node) {
  MappingReader keys(context_, node);
  LessonVariant made;
  made.place = place_of(node);
  const auto label = keys.require("label");
  made.label = text(label);
  const std::vector<std::string> known = labels();
  if (label && std::find(known.begin(), known.end(), made.label) != known.end()) {
    context_.error(
        *label, fmt::format("found {} a second time, expected each label once", describe(*label)));
  }
  if (const auto changes = keys.find("set")) {
    if (!changes->IsMap()) {
      context_.error(*changes, fmt::format("found {}, expected a mapping from paths to values",
                                           describe(*changes)));
    } else {
      for (const auto& change : *changes) {
        made.overrides.push_back(text(change.first) + "=" + on_one_line(change.second));
      }
    }
  }
  if (const auto policy = keys.find("scheduler")) {
    made.scheduler = read_choice(context_, *policy, scheduler_names()).value_or("");
  }
  made.kernel = text(keys.find("kernel"));
  if (const auto work = keys.find("work")) {
    made.work = read_number(context_, *work, 0, 1e18);
  }
  keys.finish();
  lesson_.variants.push_back(std::move(made));
}

void LessonReader::read_column(const YAML::Node& node) {
  MappingReader keys(context_, node);
  LessonColumn column;
  column.title = text(keys.require("title"));
  const auto name = keys.require("metric");
  const std::string word = name && name->IsScalar() ? name->Scalar() : "";
  if (word == "status" || word == "largest_stall") {
    column.kind = word == "status" ? LessonColumn::Kind::status : LessonColumn::Kind::largest_stall;
  } else if (const auto found = metric(name)) {
    column.metric = *found;
    column.unit = unit_of(*found);
  }
  if (const auto unit = keys.find("unit")) {
    column.unit = text(unit);
  }
  keys.finish();
  lesson_.columns.push_back(std::move(column));
}

void LessonReader::read_chart(const YAML::Node& node) {
  MappingReader keys(context_, node);
  LessonChart chart;
  chart.title = text(keys.find("title"));
  if (const auto kind = keys.find("kind")) {
    chart.kind = read_choice(context_, *kind, {"bars", "states"}) == "states"
                     ? LessonChart::Kind::states
                     : LessonChart::Kind::bars;
  }
  const auto column = chart.kind == LessonChart::Kind::bars ? keys.require("y") : std::nullopt;
  if (column) {
    std::vector<std::string> titles;
    for (const LessonColumn& known : lesson_.columns) {
      titles.push_back(known.title);
    }
    if (const auto found = read_choice(context_, *column, titles)) {
      chart.column = static_cast<std::size_t>(std::find(titles.begin(), titles.end(), *found) -
                                              titles.begin());
      if (lesson_.columns[chart.column].kind != LessonColumn::Kind::number) {
        context_.error(*column,
                       fmt::format("found {}, expected a column of numbers", describe(*column)));
      }
    }
  }
  keys.finish();
  lesson_.charts.push_back(std::move(chart));
}

void LessonReader::read_command(const YAML::Node& node) {
  MappingReader keys(context_, node);
  lesson_.commands.push_back({text(keys.require("run")), text(keys.find("why"))});
  keys.finish();
}

// Printable text; paragraphs may be parted by line breaks.
std::string LessonReader::text(const std::optional<YAML::Node>& node) {
  std::string found = node ? read_text(context_, *node).value_or("") : "";
  found.erase(found.find_last_not_of('\n') + 1);
  std::string one_line = found;
  std::replace(one_line.begin(), one_line.end(), '\n', ' ');
  if (has_control_character(one_line)) {
    context_.error(*node, "found control characters, expected text");
    return "";
  }
  return found;
}

std::optional<LessonMetric> LessonReader::metric(const std::optional<YAML::Node>& node) {
  if (!node) {
    return std::nullopt;
  }
  const std::string written = text(node);
  const std::size_t slash = written.find(" / ");
  LessonMetric made{written.substr(0, slash),
                    slash == std::string::npos ? "" : written.substr(slash + 3)};
  std::vector<std::string> names;
  for (const MetricInfo& info : metric_infos()) {
    names.push_back(info.name);
  }
  for (const std::string* name : {&made.name, &made.per}) {
    if (info_of(*name) == nullptr && !(name == &made.per && slash == std::string::npos)) {
      context_.error(*node, fmt::format("found unknown metric '{}', expected one that 'smsim run "
                                        "--format json' prints{}",
                                        *name, did_you_mean(*name, names)));
      return std::nullopt;
    }
  }
  return made;
}

void LessonReader::each(const std::optional<YAML::Node>& list, const char* what,
                        const std::function<void(const YAML::Node&)>& read) {
  if (!list) {
    return;
  }
  if (!list->IsSequence() || list->size() < 1 || list->size() > kMostItems) {
    context_.error(*list, fmt::format("found {}, expected a list of 1 to {} {}",
                                      list->IsSequence() ? fmt::format("a list of {}", list->size())
                                                         : describe(*list),
                                      kMostItems, what));
    return;
  }
  for (const auto& item : *list) {
    read(item);
  }
}

}  // namespace smsim
