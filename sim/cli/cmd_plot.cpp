// smsim plot: a study as a chart.
#include <fmt/format.h>

#include <filesystem>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/run_views.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/study/plot.hpp"

namespace smsim::cli {
namespace {

CommandLine make_line() {
  CommandLine line(
      "plot STUDY.db --x COLUMN --y COLUMN [options]",
      "Draws one column of a study over another, a line for each value of a third: inputs "
      "(launch.block, gpu, ...) and metrics alike. Rows without a value, as those that cannot be "
      "launched, are left out.",
      "  smsim plot study.db --x launch.block --y gpc__cycles_elapsed.max --by gpu -o blocks.svg\n"
      "  smsim plot study.db --x params.n --y dram__bytes.sum.per_second --log-x --html n.html\n"
      "  smsim plot study.db --x params.ilp --y gpc__cycles_elapsed.max --by params.warps \\\n"
      "             --where params.fma=16 --svg ilp.svg\n");
  line.inputs(1)
      .value("x", "COLUMN", "what is drawn to the right")
      .value("y", "COLUMN", "what is drawn upwards (default: gpc__cycles_elapsed.max)")
      .value("by", "COLUMN", "a line for each of its values")
      .value("where", "COLUMN=VALUE", "only rows with this value; may be repeated")
      .value("title", "TEXT", "above the chart (default: what is drawn)")
      .flag("log-x", "logarithmic x axis")
      .flag("log-y", "logarithmic y axis")
      .value("svg", "FILE", "write an SVG (by gnuplot)")
      .value("html", "FILE", "write a page with the chart and its numbers")
      .value("output,o", "FILE", "one of the two, by the file's ending");
  return line;
}

std::string default_title(const std::string& study, const PlotRequest& request) {
  std::string title = fmt::format("{}: {} over {}", std::filesystem::path(study).stem().string(),
                                  request.y, request.x);
  for (const std::string& where : request.where) title += ", " + where;
  return title;
}

}  // namespace

int run_plot(const Arguments& arguments) {
  CommandLine line = make_line();
  if (!line.parse(arguments)) return kDone;
  if (line.inputs().empty()) line.problem("found no study, expected STUDY.db");
  if (!line.has("x")) line.problem("--x: expected a column");
  std::string svg = line.text("svg", "");
  std::string html = line.text("html", "");
  const std::string output = line.text("output", "");
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending == ".svg") svg = output;
  if (ending == ".html") html = output;
  if (!output.empty() && ending != ".svg" && ending != ".html") {
    line.problem(fmt::format("--output: found '{}', expected a file .svg or .html", output));
  }
  if (svg.empty() && html.empty() && output.empty()) {
    line.problem("expected --svg FILE or --html FILE");
  }
  refuse_html_unless_built(line, !html.empty());
  line.finish();
  const std::string& file = line.inputs().front();
  PlotRequest request{line.text("x", ""),
                      line.text("y", "gpc__cycles_elapsed.max"),
                      line.text("by", ""),
                      line.texts("where"),
                      line.has("log-x"),
                      line.has("log-y"),
                      ""};
  request.title = line.text("title", default_title(file, request));
  for (const std::string& path : {svg, html}) {
    if (!path.empty()) check_output(path, {file});
  }
  const PlotData data =
      plot_data(StudyDatabase(file, StudyDatabase::Mode::read).table(), file, request);
  if (!svg.empty()) write_text(svg, plot_svg(data));
  if (!html.empty()) write_text(html, plot_page(data));
  fmt::print("{} series, {} rows left out\n", data.series.size(), data.left_out);
  return kDone;
}

}  // namespace smsim::cli
