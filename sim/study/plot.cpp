#include "sim/study/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/study/sweep_report.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/result.hpp"

namespace smsim {
namespace {

using Row = std::vector<StudyTable::Cell>;

// "column=value", as a row has to have it.
struct RowFilter {
  std::size_t column;
  std::string value;
};

std::vector<RowFilter> conditions_of(const StudyTable& table, const std::string& file,
                                     const std::vector<std::string>& texts) {
  std::vector<RowFilter> conditions;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw InputError(fmt::format("--where: found '{}', expected COLUMN=VALUE", text));
    }
    conditions.push_back({table.column(text.substr(0, equals), file), text.substr(equals + 1)});
  }
  return conditions;
}

std::string unit_of(const std::string& name) {
  for (const MetricInfo& info : metric_infos()) {
    if (info.name == name) return info.unit;
  }
  return "";
}

// Where x is no number its values become places, in the order in which they come.
double place_of(const StudyTable::Cell& cell, std::vector<std::string>& categories) {
  const std::string text = cell_text(cell);
  const auto found = std::find(categories.begin(), categories.end(), text);
  if (found != categories.end()) return static_cast<double>(found - categories.begin());
  categories.push_back(text);
  return static_cast<double>(categories.size() - 1);
}

PlotSeries& series_of(PlotData& data, const std::string& name) {
  for (PlotSeries& one : data.series) {
    if (one.name == name) return one;
  }
  data.series.push_back({name, {}, {}});
  return data.series.back();
}

void draw_line(PlotSeries& series, bool& several) {
  std::map<double, std::vector<double>> by_x;
  for (const PlotPoint& point : series.points) by_x[point.x].push_back(point.y);
  for (auto& [x, values] : by_x) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    const bool odd = values.size() % 2 == 1;
    series.line.push_back({x, odd ? values[half] : (values[half - 1] + values[half]) / 2});
    several |= values.size() > 1;
  }
  std::stable_sort(series.points.begin(), series.points.end(),
                   [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
}

void check_logarithm(const PlotData& data) {
  for (const PlotSeries& series : data.series) {
    for (const PlotPoint& point : series.points) {
      if ((data.request.log_x && (point.x <= 0 || !data.categories.empty())) ||
          (data.request.log_y && point.y <= 0)) {
        throw InputError(fmt::format("--log-{}: found values that are no numbers above 0",
                                     data.request.log_x && point.x <= 0 ? "x" : "y"));
      }
    }
  }
}

}  // namespace

PlotData plot_data(const StudyTable& table, const std::string& file, const PlotRequest& request) {
  const std::size_t x = table.column(request.x, file);
  const std::size_t y = table.column(request.y, file);
  const std::size_t by = request.by.empty() ? 0 : table.column(request.by, file);
  const std::vector<RowFilter> conditions = conditions_of(table, file, request.where);
  PlotData data;
  data.request = request;
  data.y_unit = unit_of(request.y);
  const auto wanted = [&conditions](const Row& row) {
    return std::all_of(conditions.begin(), conditions.end(), [&row](const RowFilter& condition) {
      return cell_text(row[condition.column]) == condition.value;
    });
  };
  const bool numbers = std::all_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
    return !wanted(row) || row[x].number.has_value();
  });
  for (const Row& row : table.rows) {
    if (!wanted(row)) continue;
    if (!row[y].number) {
      ++data.left_out;
      continue;
    }
    const double place = numbers ? *row[x].number : place_of(row[x], data.categories);
    const std::string name = request.by.empty() ? request.y : fmt::format("{}", cell_text(row[by]));
    series_of(data, name).points.push_back({place, *row[y].number});
  }
  if (data.series.empty()) {
    throw InputError(fmt::format("{}: found no row with a number for '{}'", file, request.y));
  }
  for (PlotSeries& series : data.series) draw_line(series, data.several_per_x);
  check_logarithm(data);
  return data;
}

}  // namespace smsim
