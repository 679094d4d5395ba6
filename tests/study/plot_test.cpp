// Charts of studies: what is drawn, and that all of it is in the picture.
#include "sim/study/plot.hpp"

#include "sim/study/policy_comparison.hpp"
#include "smsim/diagnostic.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

StudyTable::Cell number(double value) {
  return {value, std::nullopt};
}
StudyTable::Cell text(const std::string& value) {
  return {std::nullopt, value};
}

StudyTable table() {
  StudyTable out;
  out.columns = {"key", "status", "gpu", "block", "gpc__cycles_elapsed.max"};
  for (const char* gpu : {"h200", "it's \"b\" & <c>"}) {
    for (const int block : {256, 64, 128}) {
      out.rows.push_back(
          {text("k"), text("completed"), text(gpu), number(block), number(block * 10)});
    }
  }
  out.rows.push_back({text("k"), text("launch_failure"), text("h200"), number(1024), {}});
  return out;
}

PlotRequest blocks_by_gpu() {
  return {"block", "gpc__cycles_elapsed.max", "gpu", {}, false, false, "A 'title' & more"};
}

}  // namespace

TEST_CASE("a line per value, in the order of x, without rows that have none") {
  const PlotData data = plot_data(table(), "s.db", blocks_by_gpu());
  REQUIRE(data.series.size() == 2);
  CHECK(data.series[0].name == "h200");
  REQUIRE(data.series[0].line.size() == 3);
  CHECK(data.series[0].line[0].x == 64);
  CHECK(data.series[0].line[2].y == 2560);
  CHECK(data.left_out == 1);
  CHECK(data.y_unit == "cycle");
  CHECK_FALSE(data.several_per_x);
}

TEST_CASE("several rows at one x are all drawn, and the line goes through the median") {
  PlotRequest request = blocks_by_gpu();
  request.by = "";
  StudyTable more = table();
  more.rows.push_back({text("k"), text("completed"), text("x"), number(64), number(5000)});
  const PlotData data = plot_data(more, "s.db", request);
  REQUIRE(data.series.size() == 1);
  CHECK(data.series[0].points.size() == 7);
  CHECK(data.series[0].line[0].y == 640);
  CHECK(data.several_per_x);
}

TEST_CASE("text on the x axis becomes places in the order of the study") {
  PlotRequest request = blocks_by_gpu();
  std::swap(request.x, request.by);
  const PlotData data = plot_data(table(), "s.db", request);
  CHECK(data.categories.size() == 2);
  CHECK(data.series.size() == 3);
  request.log_x = true;
  CHECK_THROWS_AS(plot_data(table(), "s.db", request), InputError);
}

TEST_CASE("what cannot be drawn is refused") {
  PlotRequest request = blocks_by_gpu();
  request.y = "gpc__cycles_elapsed.mx";
  CHECK_THROWS_WITH(plot_data(table(), "s.db", request),
                    Catch::Contains("did you mean 'gpc__cycles_elapsed.max'"));
  request = blocks_by_gpu();
  request.where = {"gpu"};
  CHECK_THROWS_AS(plot_data(table(), "s.db", request), InputError);
  request.where = {"gpu=none"};
  CHECK_THROWS_AS(plot_data(table(), "s.db", request), InputError);
}

TEST_CASE("the SVG has every series, with its name as text") {
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0) {
    WARN("gnuplot is missing: no SVG");
    return;
  }
  const std::string svg = plot_svg(plot_data(table(), "s.db", blocks_by_gpu()));
  CHECK(svg.find("<svg") != std::string::npos);
  const auto has = [&svg](const std::string& part) { return svg.find(part) != std::string::npos; };
  CHECK(has("<text>h200</text>"));
  CHECK(has("<text>it's \"b\" &amp; &lt;c></text>"));
  CHECK(has("<text>A 'title' &amp; more</text>"));
  CHECK(has("<text>gpu</text>"));
  // A line of its own colour for each of the two, and none for a third.
  CHECK(has("rgb(  0, 114, 178)"));
  CHECK(has("rgb(213,  94,   0)"));
  CHECK_FALSE(has("rgb(  0, 158, 115)"));
}

TEST_CASE("policies are compared point by point, by the geometric mean of their ratios") {
  StudyTable study;
  study.columns = {"key", "status", "scheduler", "gpc__cycles_elapsed.max"};
  const auto add = [&study](const char* policy, const char* kernel, double cycles,
                            const char* status = "completed") {
    study.rows.push_back({text(std::string("kernel=") + kernel + " scheduler=" + policy),
                          text(status), text(policy), number(cycles)});
  };
  add("gob", "a", 100);
  add("gob", "b", 100);
  add("gob", "c", 100);
  add("lrr", "a", 200);
  add("lrr", "b", 50);
  add("lrr", "c", 1, "deadlock");
  const std::vector<PolicyRow> rows = compare_policies(study);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].mean_ratio == Approx(1));
  CHECK(rows[1].mean_ratio == Approx(1));
  CHECK(rows[1].points == 2);
  CHECK(rows[1].best == "kernel=b");
  CHECK(rows[1].best_ratio == Approx(0.5));
  CHECK(rows[1].worst == "kernel=a");
}
