#include "sim/cli/run_views.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "sim/cli/parse_number.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/report/html_page.hpp"
#include "sim/report/json_parts.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim::cli {
namespace {

constexpr std::size_t kOwnWindowIntervals = 2'000'000;
constexpr std::uint64_t kMostCycles = 1'000'000'000'000'000;
constexpr std::uint64_t kWhyReach = 100'000;  // cycles before and after the one asked for

std::optional<TimelineWindow> parse_window(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto from = parse_number(std::string_view(text).substr(0, colon));
  const auto until = parse_number(std::string_view(text).substr(colon + 1));
  if (!from || !until || *until <= *from || *until > kMostCycles) return std::nullopt;
  return TimelineWindow{*from, *until};
}

bool colour_wanted() {
  return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

std::uint32_t warps_per_block(const KernelSpec& kernel) {
  return static_cast<std::uint32_t>((kernel.launch.block.count() + 31) / 32);
}

WarpAt warp_at(const RunViews& views, const KernelSpec& kernel) {
  const std::uint32_t warps = warps_per_block(kernel);
  const std::optional<WarpAt> at = parse_warp_at(views.why, warps);
  if (at && at->block < kernel.launch.grid.count() && at->warp < warps) return *at;
  throw InputError(
      fmt::format("--why: found '{}', expected BLOCK.WARP@CYCLE with a block below {} "
                  "and a warp below {}",
                  views.why, kernel.launch.grid.count(), warps));
}

}  // namespace

bool RunViews::wanted() const {
  return timeline || !why.empty() || !html.empty() || !perfetto.empty() || !konata.empty();
}

std::optional<WarpAt> parse_warp_at(const std::string& text, std::uint32_t warps_per_block) {
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return std::nullopt;
  const std::string_view warp = std::string_view(text).substr(0, at);
  const auto cycle = parse_number(std::string_view(text).substr(at + 1));
  if (cycle && *cycle > kMostCycles) return std::nullopt;
  const std::size_t dot = warp.find('.');
  if (dot == std::string_view::npos) {
    const auto number = parse_number(warp);
    if (!number || !cycle) return std::nullopt;
    return WarpAt{*number / warps_per_block, static_cast<std::uint32_t>(*number % warps_per_block),
                  *cycle};
  }
  const auto block = parse_number(warp.substr(0, dot));
  const auto in_block = parse_number(warp.substr(dot + 1));
  if (!block || !in_block || !cycle || *in_block > UINT32_MAX) return std::nullopt;
  return WarpAt{*block, static_cast<std::uint32_t>(*in_block), *cycle};
}

void add_drawing_options(CommandLine& line) {
  line.value("window", "A:B", "cycles to draw (default: the first block)")
      .value("sub", "N|all", "scheduler to draw, 0 to 3 (default 0), or all four");
}

void add_file_options(CommandLine& line) {
  line.value("html", "FILE", "write a report that a browser opens; two: side by side")
      .value("perfetto", "FILE", "write a trace for ui.perfetto.dev")
      .value("konata", "FILE", "write a log for the pipeline viewer Konata");
}

void add_view_options(CommandLine& line) {
  line.flag("timeline", "draw warps over time (text), or add all that a page shows (json)");
  add_drawing_options(line);
  line.value("sm", "N", "SM whose warps are kept cycle by cycle (default 0)")
      .value("why", "WARP@CYCLE",
             "say what a warp (BLOCK.WARP, or its number in the grid) waits for");
  add_file_options(line);
}

RunViews read_drawing_options(CommandLine& line) {
  RunViews views;
  views.view.colour = colour_wanted();
  if (line.has("window")) {
    views.window = parse_window(line.text("window", ""));
    if (!views.window) {
      line.problem(fmt::format("--window: found '{}', expected FROM:UNTIL in cycles, as in 0:500",
                               line.text("window", "")));
    } else {
      views.view.from = views.window->from;
      views.view.until = views.window->until;
    }
  }
  const std::string sub = line.choice("sub", "0", {"0", "1", "2", "3", "all"});
  views.view.scheduler = sub == "all" ? std::nullopt : std::optional<int>(sub[0] - '0');
  return views;
}

void refuse_html_unless_built(CommandLine& line, bool wanted) {
  if (!wanted || html_available()) return;
  line.problem(
      "--html: this smsim was built without its page; install node and npm (Debian: nodejs npm) "
      "and build it again");
}

void write_page(const std::string& path, const std::vector<nlohmann::ordered_json>& documents) {
  write_text(path, html_page(documents));
}

RunViews read_view_options(CommandLine& line, std::size_t kernels, const std::string& format) {
  RunViews views = read_drawing_options(line);
  views.timeline = line.has("timeline");
  views.why = line.text("why", "");
  views.html = line.text("html", "");
  views.perfetto = line.text("perfetto", "");
  views.konata = line.text("konata", "");
  views.sm = static_cast<std::uint32_t>(line.integer("sm", 0, 0, UINT16_MAX));
  if (format == "csv") line.refuse({"timeline", "why"}, "text or JSON, not with --format csv");
  if (format == "json") line.refuse({"why"}, "--format text");
  if (kernels > 1) line.refuse({"why", "perfetto", "konata"}, "one kernel");
  if (kernels > 2) line.refuse({"html"}, "one kernel, or two side by side");
  if (!views.wanted()) {
    line.refuse({"window", "sm", "sub"}, "--timeline, --html, --perfetto or --konata");
  }
  if (!views.why.empty() && !parse_warp_at(views.why, 1)) {
    line.problem(
        fmt::format("--why: found '{}', expected BLOCK.WARP@CYCLE, as in 0.3@1200", views.why));
  }
  if (!views.why.empty()) {
    line.refuse({"timeline", "html", "perfetto", "konata"}, "a run of their own, without --why");
  }
  refuse_html_unless_built(line, line.has("html"));
  return views;
}

std::optional<TimelineOptions> timeline_options(const RunViews& views, const GpuSpec& gpu,
                                                const KernelSpec& kernel) {
  if (!views.wanted()) return std::nullopt;
  if (views.sm >= static_cast<std::uint32_t>(gpu.topology.sms)) {
    throw InputError(fmt::format("--sm: found {}, expected an SM of {} (0 to {})", views.sm,
                                 gpu.name, gpu.topology.sms - 1));
  }
  TimelineOptions options;
  options.sm = views.sm;
  if (!views.why.empty()) {
    const WarpAt at = warp_at(views, kernel);
    options.with_block = at.block;
    options.from = at.cycle - std::min(at.cycle, kWhyReach);
    options.until = at.cycle + kWhyReach;
    options.most_intervals = kOwnWindowIntervals;
  } else if (views.window) {
    options.from = views.window->from;
    options.until = views.window->until;
    options.most_intervals = kOwnWindowIntervals;
  }
  return options;
}

void show_views(const RunViews& views, const std::vector<Result>& results,
                const std::vector<RunSources>& sources) {
  const Result& first = results.front();
  const bool asked = !views.why.empty() || !views.perfetto.empty() || !views.konata.empty();
  if (asked && !first.timeline) {
    fmt::print(stderr, "{} was not launched: there is no timeline to show or to write\n",
               first.kernel);
  }
  if (!views.why.empty() && first.timeline) {
    const KernelSpec& kernel = sources.front().kernel;
    fmt::print("{}", why_text(first, kernel.program, warp_at(views, kernel)));
  }
  if (!views.perfetto.empty() && first.timeline) write_text(views.perfetto, perfetto_trace(first));
  if (!views.konata.empty() && first.timeline) write_text(views.konata, konata_log(first));
  if (!views.html.empty()) {
    std::vector<nlohmann::ordered_json> documents;
    for (std::size_t i = 0; i < results.size(); ++i) {
      documents.push_back(report_document(results[i], sources[i]));
    }
    write_page(views.html, documents);
  }
}

}  // namespace smsim::cli
