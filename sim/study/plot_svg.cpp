// Charts by gnuplot.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/study/plot.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {
namespace {

// Colours that colour-blind eyes tell apart (Okabe and Ito).
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#000000", "#8c6d1f"};
constexpr std::size_t kColourCount = std::size(kColours);

// A folder that goes with its scope.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "smsim-plot-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw InputError("no temporary folder can be made");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// Text inside gnuplot's single quotes, where only the quote itself means something.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "'";
}

std::string shell_quoted(const std::string& path) {
  std::string out = "'";
  for (const char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string tics(const std::vector<std::string>& categories) {
  std::string out;
  for (std::size_t i = 0; i < categories.size(); ++i) {
    out += fmt::format("{}{} {}", i > 0 ? ", " : "", quoted(categories[i]), i);
  }
  return out;
}

void write_data(std::ostream& script, const char* prefix, std::size_t i,
                const std::vector<PlotPoint>& points) {
  script << "$" << prefix << i << " << EOD\n";
  for (const PlotPoint& point : points) script << fmt::format("{} {}\n", point.x, point.y);
  script << "EOD\n";
}

std::string script_of(const PlotData& data, const std::string& output) {
  const PlotRequest& request = data.request;
  std::ostringstream script;
  script << "set terminal svg size 900,560 noenhanced font 'sans-serif,14' background '#ffffff'\n"
         << "set output " << quoted(output) << "\n"
         << "set title " << quoted(request.title) << "\n"
         << "set xlabel " << quoted(request.x) << "\n"
         << "set ylabel "
         << quoted(request.y + (data.y_unit.empty() ? "" : " [" + data.y_unit + "]")) << "\n"
         << "set key outside right top " << (request.by.empty() ? "" : "title ")
         << (request.by.empty() ? "" : quoted(request.by)) << "\n"
         << "set grid lc '#cccccc'\nset border lc '#444444'\nset format y '%.6g'\n";
  if (request.log_x) script << "set logscale x 2\n";
  if (request.log_y) script << "set logscale y\n";
  if (!request.log_y) script << "set yrange [0:*]\n";
  if (!data.categories.empty()) {
    script << "set xtics rotate by -40 (" << tics(data.categories) << ")\n"
           << "set xrange [-0.5:" << static_cast<double>(data.categories.size()) - 0.5 << "]\n";
  }
  for (std::size_t i = 0; i < data.series.size(); ++i) {
    write_data(script, "line", i, data.series[i].line);
    write_data(script, "points", i, data.series[i].points);
  }
  script << "plot ";
  for (std::size_t i = 0; i < data.series.size(); ++i) {
    const char* colour = kColours[i % kColourCount];
    script << (i > 0 ? ", " : "")
           << fmt::format(
                  "$line{} with lines lc '{}' lw 2 dt {} notitle, $points{} with points lc "
                  "'{}' pt {} ps 0.7 notitle, NaN with linespoints lc '{}' lw 2 dt {} pt {} "
                  "ps 0.7 title {}",
                  i, colour, 1 + (i / kColourCount), i, colour, 4 + (i % 10), colour,
                  1 + (i / kColourCount), 4 + (i % 10), quoted(data.series[i].name));
  }
  script << "\n";
  return script.str();
}

}  // namespace

std::string plot_svg(const PlotData& data) {
  const ScratchFolder folder;
  const std::string script = folder.file("plot.gp");
  const std::string picture = folder.file("plot.svg");
  const std::string errors = folder.file("errors.txt");
  std::ofstream(script) << script_of(data, picture);
  // -d: the user's own settings would change the picture.
  const std::string command =
      fmt::format("gnuplot -d {} > /dev/null 2> {}", shell_quoted(script), shell_quoted(errors));
  const int code = std::system(command.c_str());
  std::ostringstream svg;
  svg << std::ifstream(picture).rdbuf();
  if (code != 0 || svg.str().empty()) {
    std::ostringstream said;
    said << std::ifstream(errors).rdbuf();
    throw InputError("gnuplot, which draws SVG, failed or is missing (Debian: gnuplot-nox): " +
                     said.str().substr(0, 300));
  }
  return svg.str();
}

}  // namespace smsim
