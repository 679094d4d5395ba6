#include <fmt/format.h>

#include "sim/report/html_page.hpp"
#include "sim/report/html_text.hpp"
#include "sim/study/plot.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

Json points_json(const std::vector<PlotPoint>& points) {
  Json list = Json::array();
  for (const PlotPoint& point : points) list.push_back({point.x, point.y});
  return list;
}

std::string x_text(const PlotData& data, double x) {
  return data.categories.empty() ? fmt::format("{}", x)
                                 : data.categories[static_cast<std::size_t>(x)];
}

// The numbers, for readers without scripts.
std::string static_table(const PlotData& data) {
  std::vector<std::vector<std::string>> rows;
  for (const PlotSeries& series : data.series) {
    for (const PlotPoint& point : series.points) {
      rows.push_back({html_escaped(series.name), html_escaped(x_text(data, point.x)),
                      html_escaped(fmt::format("{}", point.y))});
    }
  }
  return "<h1>" + html_escaped(data.request.title) + "</h1>\n" +
         html_table(data.request.y, {data.request.by, data.request.x, data.request.y}, rows);
}

}  // namespace

std::string plot_page(const PlotData& data) {
  Json series = Json::array();
  for (const PlotSeries& one : data.series) {
    series.push_back(
        {{"name", one.name}, {"line", points_json(one.line)}, {"points", points_json(one.points)}});
  }
  const Json plot = {{"title", data.request.title},   {"x", data.request.x},
                     {"y", data.request.y},           {"y_unit", data.y_unit},
                     {"by", data.request.by},         {"where", data.request.where},
                     {"log_x", data.request.log_x},   {"log_y", data.request.log_y},
                     {"categories", data.categories}, {"several_per_x", data.several_per_x},
                     {"left_out", data.left_out},     {"series", series}};
  return html_page(HtmlContent{"plot", data.request.title + " - smsim", plot, static_table(data)});
}

}  // namespace smsim
