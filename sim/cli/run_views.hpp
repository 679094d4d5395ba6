// What `smsim run` makes of a result besides its report: timelines, pages, traces.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/report/timeline_view.hpp"
#include "sim/report/why_text.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {

struct RunViews {
  bool timeline = false;
  TimelineView view;
  std::uint32_t sm = 0;
  std::optional<TimelineWindow> window;
  std::string why;  // "BLOCK.WARP@CYCLE" or "WARP@CYCLE" as it was given
  std::string html;
  std::string perfetto;
  std::string konata;

  /// Whether the run has to keep a timeline.
  [[nodiscard]] bool wanted() const;
};

// --window and --sub; --html, --perfetto and --konata.
void add_drawing_options(CommandLine& line);
void add_file_options(CommandLine& line);
RunViews read_drawing_options(CommandLine& line);
/// A build without node has no pages: says how to get them.
void refuse_html_unless_built(CommandLine& line, bool wanted);
void write_page(const std::string& path, const std::vector<nlohmann::ordered_json>& documents);

void add_view_options(CommandLine& line);
RunViews read_view_options(CommandLine& line, std::size_t kernels, const std::string& format);

/// What this kernel's run has to keep. Throws InputError where the SM or the warp does not exist.
std::optional<TimelineOptions> timeline_options(const RunViews& views, const GpuSpec& gpu,
                                                const KernelSpec& kernel);

/// "3.1@1200": warp 1 of block 3; "25@1200": warp 25 of the grid.
std::optional<WarpAt> parse_warp_at(const std::string& text, std::uint32_t warps_per_block);

/// Prints what belongs on stdout and writes the files.
void show_views(const RunViews& views, const std::vector<Result>& results,
                const std::vector<RunSources>& sources);

}  // namespace smsim::cli
