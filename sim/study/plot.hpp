// A study as a picture: one column over another, a line for each value of a third.
#pragma once

#include <string>
#include <vector>

#include "sim/study/study_database.hpp"

namespace smsim {

struct PlotRequest {
  std::string x;  // columns of the study
  std::string y;
  std::string by;                  // "": one series
  std::vector<std::string> where;  // "gpu=h200": only these rows
  bool log_x = false;
  bool log_y = false;
  std::string title;
};

struct PlotPoint {
  double x = 0;  // the value, or the place among `categories`
  double y = 0;
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;  // by x
  std::vector<PlotPoint> line;    // one per x: the median of what stands there
};

struct PlotData {
  PlotRequest request;
  std::string y_unit;                   // of a metric
  std::vector<std::string> categories;  // where x is no number
  std::vector<PlotSeries> series;       // in the order of the study
  std::size_t left_out = 0;             // rows without a number for y
  bool several_per_x = false;           // other inputs vary, too
};

/// Throws InputError: no such column, nothing to draw, a logarithm of 0 or less.
PlotData plot_data(const StudyTable& table, const std::string& file, const PlotRequest& request);

/// By gnuplot, which must be on the path; throws InputError where it is not.
std::string plot_svg(const PlotData& data);

/// A page with the same chart and its numbers; only where html_available().
std::string plot_page(const PlotData& data);

}  // namespace smsim
