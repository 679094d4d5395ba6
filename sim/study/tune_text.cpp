// The outcome of tuning as a report of at most 80 columns.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/report/text_writer.hpp"
#include "sim/study/tune_front.hpp"
#include "smsim/report.hpp"
#include "smsim/tune.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostReasons = 4;
constexpr double kHardlyMore = 1;  // percentage points of occupancy
constexpr std::size_t kNameWidth = 30;
constexpr std::size_t kValueWidth = 24;

std::string counted(std::uint64_t count) {
  return format_number(static_cast<double>(count));
}

class Report {
 public:
  explicit Report(const TuneOutcome& outcome) : outcome_(outcome) {}

  std::string run() {
    head();
    if (!outcome_.best) {
      nothing_runs();
      return out_.take();
    }
    summary();
    comparison();
    write_front(out_, outcome_);
    occupancy_question();
    questions();
    infeasible();
    return out_.take();
  }

 private:
  [[nodiscard]] const TunePoint& best() const { return outcome_.evaluated[*outcome_.best]; }

  void head() {
    out_.paragraph(
        fmt::format("{} on {} ({}){}", outcome_.kernel, outcome_.gpu, outcome_.gpu_title,
                    outcome_.scheduler.empty() ? "" : ", scheduler " + outcome_.scheduler));
    out_.line();
    const std::string from = outcome_.axes_from == "--over"    ? "as --over says"
                             : outcome_.axes_from == "default" ? "block sizes and register limits"
                                                               : "as the kernel file says";
    out_.line(fmt::format("Varied, {}:", from));
    for (const TuneAxis& axis : outcome_.axes) {
      out_.paragraph(fmt::format("{}", fmt::join(axis.values, ", ")),
                     fmt::format("  {:<22} ", axis.path), std::string(25, ' '));
    }
    out_.paragraph(
        fmt::format("{} configurations{}{}. Simulated: {}{}{}.", counted(outcome_.points),
                    part(outcome_.left_out, "left out by conditions"),
                    part(outcome_.infeasible, "cannot run"), simulated(), outcome_.method,
                    outcome_.interrupted ? "; interrupted before it was done" : ""));
    out_.line();
  }

  static std::string part(std::uint64_t count, const char* what) {
    return count == 0 ? "" : fmt::format(", {} {}", counted(count), what);
  }

  [[nodiscard]] std::string simulated() const {
    const std::string done = counted(outcome_.evaluated.size());
    if (outcome_.exhaustive) {
      return outcome_.evaluated.size() == outcome_.planned
                 ? done + ", "
                 : fmt::format("{} of {}, ", done, counted(outcome_.planned));
    }
    return fmt::format("{} of at most {}; ", done, counted(outcome_.budget));
  }

  void nothing_runs() {
    out_.paragraph(outcome_.interrupted ? "Interrupted before the first configuration was done."
                                        : "No configuration can run.");
    infeasible();
    std::vector<std::string> seen;
    for (const TunePoint& point : outcome_.evaluated) {
      if (std::find(seen.begin(), seen.end(), point.reason) != seen.end()) continue;
      if (seen.size() == kMostReasons) break;
      seen.push_back(point.reason);
      out_.paragraph(fmt::format("{}: {}", point.status, point.reason), "  ", "    ");
    }
  }

  void summary() {
    const TunePoint& present = outcome_.present;
    if (!present.cycles) {
      out_.paragraph(
          fmt::format("Best: {} with {} cycles. The kernel as it is has no cycles to "
                      "compare with ({}).",
                      in_words(best()), format_number(*best().cycles),
                      present.reason.empty() ? present.status : present.reason));
      return;
    }
    const double ratio = *present.cycles / *best().cycles;
    if (ratio > 1) {
      out_.paragraph(fmt::format(
          "Best: {}. It takes {} cycles instead of {}: {:.2f} x as fast as "
          "the kernel as it is.",
          in_words(best()), format_number(*best().cycles), format_number(*present.cycles), ratio));
    } else if (ratio == 1) {
      out_.paragraph(
          "The kernel as it is is the fastest: nothing that was tried takes fewer "
          "cycles.");
    } else {
      out_.paragraph(fmt::format(
          "The kernel as it is, which is not among these configurations, is "
          "faster than all of them: {} cycles; the best one, {}, takes {}.",
          format_number(*present.cycles), in_words(best()), format_number(*best().cycles)));
    }
  }

  void pair(const std::string& name, const std::string& present, const std::string& found) {
    out_.line(fmt::format("  {:<{}}{:>{}}{:>{}}", cut(name, kNameWidth), kNameWidth,
                          cut(present, kValueWidth - 2), kValueWidth, cut(found, kValueWidth - 2),
                          kValueWidth));
  }

  void metric(const char* label, const char* name) {
    const auto text = [&](const TunePoint& point) {
      const auto value = point.result ? point.result->value(name) : std::nullopt;
      return value ? format_number(*value) : std::string("n/a");
    };
    pair(label, text(outcome_.present), text(best()));
  }

  void comparison() {
    out_.section("Best configuration");
    const TunePoint& present = outcome_.present;
    pair("", "as it is", "best");
    for (std::size_t axis = 0; axis < outcome_.axes.size(); ++axis) {
      pair(outcome_.axes[axis].path, present.values[axis].second, best().values[axis].second);
    }
    metric("Elapsed Cycles", "gpc__cycles_elapsed.max");
    metric("Theoretical Occupancy, %", "sm__maximum_warps_per_active_cycle_pct");
    metric("Achieved Occupancy, %", "sm__warps_active.avg.pct_of_peak_sustained_active");
    metric("Eligible Warps Per Scheduler", "smsp__warps_eligible.avg.per_cycle_active");
    metric("Grid Size, blocks", "launch__grid_size");
    metric("Waves Per SM", "launch__waves_per_multiprocessor");
    metric("Registers Per Thread", "launch__registers_per_thread");
    if (present.spilled_bytes + best().spilled_bytes > 0) {
      pair("Spilled Per Thread, bytes", std::to_string(present.spilled_bytes),
           std::to_string(best().spilled_bytes));
    }
    const auto bound = [](const TunePoint& point) {
      return point.result ? point.result->verdict.bound : std::string("n/a");
    };
    pair("Bound by", bound(present), bound(best()));
  }

  void occupancy_question() {
    out_.section("Is the highest occupancy the fastest?");
    const TunePoint& top = outcome_.evaluated[*outcome_.most_occupied];
    if (outcome_.most_occupied == outcome_.best) {
      out_.paragraph(fmt::format("Yes: the fastest configuration also holds the most warps, {:.1f} "
                                 "% of the slots.",
                                 best().achieved_pct),
                     "  ", "  ");
      return;
    }
    const double more = 100 * ((*top.cycles / *best().cycles) - 1);
    if (top.achieved_pct - best().achieved_pct < kHardlyMore) {
      out_.paragraph(fmt::format("Nearly: {} holds hardly more warps, {:.2f} % of the slots (the "
                                 "fastest {:.2f} %), and takes {:.1f} % more cycles.",
                                 in_words(top), top.achieved_pct, best().achieved_pct, more),
                     "  ", "  ");
      return;
    }
    out_.paragraph(
        fmt::format("No: {} holds {:.1f} % of the warp slots (the fastest {:.1f} %), but takes "
                    "{:.1f} % more cycles:",
                    in_words(top), top.achieved_pct, best().achieved_pct, more),
        "  ", "  ");
    for (const std::string& reason : outcome_.why_not_occupied) {
      out_.paragraph(reason, "  - ", "    ");
    }
  }

  void questions() {
    if (outcome_.questions.empty()) return;
    out_.section("What would change the blocks per SM of the best one");
    for (const TuneQuestion& question : outcome_.questions) {
      out_.paragraph(question.answer, "  - ", "    ");
    }
  }

  void infeasible() {
    if (outcome_.reasons.empty()) return;
    out_.section("Configurations that cannot run");
    for (std::size_t i = 0; i < std::min(outcome_.reasons.size(), kMostReasons); ++i) {
      out_.paragraph(outcome_.reasons[i].first,
                     fmt::format("  {} x ", counted(outcome_.reasons[i].second)), "      ");
    }
    if (outcome_.reasons.size() > kMostReasons) {
      out_.line(fmt::format("  and {} other reasons", outcome_.reasons.size() - kMostReasons));
    }
  }

  const TuneOutcome& outcome_;
  TextWriter out_;
};

}  // namespace

std::string tune_text(const TuneOutcome& outcome) {
  return Report(outcome).run();
}

}  // namespace smsim
