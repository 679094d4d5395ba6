// The terminal timeline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/metrics/findings.hpp"
#include "sim/report/state_letters.hpp"
#include "sim/report/text_writer.hpp"
#include "sim/report/timeline_columns.hpp"
#include "sim/report/timeline_view.hpp"

namespace smsim {
namespace {

using States = std::array<std::uint64_t, kWarpStates>;

constexpr std::size_t kLabelWidth = 15;
constexpr std::uint64_t kRulerStep = 16;  // columns between two numbers
constexpr std::size_t kSelected = static_cast<std::size_t>(WarpState::selected);
constexpr std::size_t kNotSelected = static_cast<std::size_t>(WarpState::not_selected);

// 256-colour backgrounds by WarpState: memory warm, synchronisation violet, pipes green, front end
// grey, issuing inverse.
constexpr std::array<int, kWarpStates> kColours = {97,  246, 58,  130, 65, 244, 166, 208, 71, 133,
                                                   172, 240, 250, 38,  15, 178, 238, 167, 110};

std::string number(std::uint64_t value) {
  return grouped(static_cast<double>(value));
}

std::uint64_t sum_of(const States& states) {
  std::uint64_t sum = 0;
  for (const std::uint64_t cycles : states) sum += cycles;
  return sum;
}

struct Span {
  std::uint64_t from = 0;
  std::uint64_t until = 0;
  std::uint64_t column_cycles = 1;
  [[nodiscard]] std::size_t columns() const {
    return static_cast<std::size_t>((until - from + column_cycles - 1) / column_cycles);
  }
};

// From when the first warp comes until the first one leaves: the story of one block.
Span choose_span(const Timeline& timeline, const TimelineView& view) {
  std::uint64_t from = view.from;
  std::uint64_t until = view.until;
  if (until <= from && timeline.stays.empty()) return {from, from + kTimelineColumns, 1};
  if (until <= from) {
    from = ~std::uint64_t{0};
    until = ~std::uint64_t{0};
    for (const WarpStay& stay : timeline.stays) {
      from = std::min(from, stay.from);
      until = std::min(until, stay.until);
    }
  }
  until = std::max(until, from + 1);
  return {from, until, (until - from + kTimelineColumns - 1) / kTimelineColumns};
}

class TimelineWriter {
 public:
  TimelineWriter(const Result& result, const TimelineView& view)
      : result_(result),
        timeline_(*result.timeline),
        view_(view),
        span_(choose_span(timeline_, view)),
        columns_(timeline_, span_.from, span_.column_cycles) {}

  std::string write() {
    out_.section("Timeline");
    write_overview();
    write_heading();
    bool any = false;
    for (std::uint8_t scheduler = 0; scheduler < 4; ++scheduler) {
      if (view_.scheduler && *view_.scheduler != scheduler) continue;
      any |= write_scheduler(scheduler);
    }
    if (!any) out_.line("  no warp is resident in these cycles");
    write_legend();
    return out_.take();
  }

 private:
  [[nodiscard]] std::uint64_t elapsed() const {
    return static_cast<std::uint64_t>(result_.value("gpc__cycles_elapsed.max").value_or(0));
  }

  // The whole run of this SM in one line each, from the bins.
  void write_overview() {
    if (timeline_.sm >= timeline_.sms.size()) return;
    const std::uint64_t bins = (elapsed() + timeline_.bin_cycles - 1) / timeline_.bin_cycles;
    const std::uint64_t width =
        timeline_.bin_cycles *
        std::max<std::uint64_t>((bins + kTimelineColumns - 1) / kTimelineColumns, 1);
    std::vector<States> columns(kTimelineColumns);
    for (const SchedulerTimeline& scheduler : timeline_.sms[timeline_.sm].scheduler) {
      for (std::size_t bin = 0; bin < scheduler.bins.size(); ++bin) {
        const std::size_t column =
            std::min<std::size_t>(bin * timeline_.bin_cycles / width, kTimelineColumns - 1);
        for (std::size_t i = 0; i < kWarpStates; ++i) columns[column][i] += scheduler.bins[bin][i];
      }
    }
    out_.line(fmt::format("SM {}, the whole run: {} cycles, {} a column; in tenths:", timeline_.sm,
                          number(elapsed()), number(width)));
    const auto cycles = static_cast<double>(width);
    const double slots = std::max(result_.residency.max_warps_per_sm, 1);
    const auto line = [&](const std::string& label, const auto& share) {
      std::string text;
      for (const States& column : columns) text += tenth(share(column));
      out_.line(fmt::format("{:<{}}{}", label, kLabelWidth, text));
    };
    line("  resident",
         [&](const States& s) { return static_cast<double>(sum_of(s)) / cycles / slots; });
    line("  issuing",
         [&](const States& s) { return static_cast<double>(s[kSelected]) / cycles / 4; });
    std::string shown(kTimelineColumns, ' ');
    for (std::size_t i = 0; i < kTimelineColumns; ++i) {
      const bool inside = i * width < span_.until && (i + 1) * width > span_.from;
      if (inside) shown[i] = '^';
    }
    out_.line(fmt::format("{:<{}}{}", "  shown below", kLabelWidth, shown));
    out_.line();
  }

  // 0 to 9, '*' for (nearly) all; a blank for nothing.
  static char tenth(double share) {
    if (share <= 0) return ' ';
    const long digit = std::lround(std::floor((share * 10) + 1e-9));
    return digit >= 10 ? '*' : static_cast<char>('0' + digit);
  }

  void write_heading() {
    out_.paragraph(fmt::format(
        "cycles {} to {}, {} a column; '{}' issues, a letter waits, a capital both; | a block "
        "begins",
        number(span_.from), number(span_.until),
        span_.column_cycles == 1 ? "one" : number(span_.column_cycles), kIssueMark));
    out_.line();
    std::string numbers(kLabelWidth, ' ');
    std::string ticks(kLabelWidth, ' ');
    for (std::uint64_t column = 0; column < span_.columns(); column += kRulerStep) {
      numbers += fmt::format("{:<{}}", number(span_.from + (column * span_.column_cycles)),
                             static_cast<std::size_t>(kRulerStep));
      ticks += fmt::format("{:<{}}", "|", static_cast<std::size_t>(kRulerStep));
    }
    out_.line(numbers);
    out_.line(ticks);
  }

  bool write_scheduler(std::uint8_t scheduler) {
    const std::vector<std::uint8_t> slots = columns_.slots(scheduler);
    if (slots.empty()) return false;
    out_.line(fmt::format("scheduler {}", scheduler));
    for (const std::uint8_t slot : slots) {
      std::string text;
      for (std::size_t column = 0; column < span_.columns(); ++column) {
        const TimelineCell& cell = columns_.row(scheduler, slot)[column];
        text += coloured(cell);
        for (std::size_t i = 0; i < kWarpStates; ++i) seen_[i] += cell.state[i];
      }
      out_.line(fmt::format("{:>2} {:<{}}{}", slot, columns_.label(scheduler, slot),
                            kLabelWidth - 3, text));
    }
    write_sums(scheduler);
    return true;
  }

  // Eligible warps (rounded), and how much of each column is used to issue.
  void write_sums(std::uint8_t scheduler) {
    std::string eligible;
    std::string issuing;
    for (std::size_t column = 0; column < span_.columns(); ++column) {
      const TimelineCell cell = columns_.sum(scheduler, column);
      const auto cycles = static_cast<double>(std::max<std::uint64_t>(cell.known, 1));
      const double warps =
          static_cast<double>(cell.state[kSelected] + cell.state[kNotSelected]) / cycles;
      const long rounded = std::lround(warps);
      eligible += warps == 0 ? ' ' : rounded > 9 ? '+' : static_cast<char>('0' + rounded);
      issuing += tenth(static_cast<double>(cell.state[kSelected]) / cycles);
    }
    out_.line(fmt::format("{:<{}}{}", "eligible warps", kLabelWidth, eligible));
    out_.line(fmt::format("{:<{}}{}", "issuing, 1/10", kLabelWidth, issuing));
  }

  static char letter(const TimelineCell& cell) {
    if (cell.known == 0) return '?';
    if (cell.begins) return '|';
    const std::uint64_t resident = sum_of(cell.state);
    if (resident == 0) return ' ';
    const auto most = std::max_element(cell.state.begin(), cell.state.end());
    const char found = kStateLetters[static_cast<std::size_t>(most - cell.state.begin())];
    const bool issues = cell.state[kSelected] > 0;
    return issues && found != kIssueMark ? static_cast<char>(std::toupper(found)) : found;
  }

  [[nodiscard]] std::string coloured(const TimelineCell& cell) const {
    const char found = letter(cell);
    if (!view_.colour || sum_of(cell.state) == 0) return std::string(1, found);
    const auto most = std::max_element(cell.state.begin(), cell.state.end());
    const int colour = kColours[static_cast<std::size_t>(most - cell.state.begin())];
    return fmt::format("\x1b[30;48;5;{}m{}\x1b[0m", colour, found);
  }

  // States that occur, the largest first.
  void write_legend() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < kWarpStates; ++i) {
      if (seen_[i] > 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return seen_[a] > seen_[b]; });
    if (order.empty()) return;
    const auto all = static_cast<double>(sum_of(seen_));
    std::string legend;
    for (const std::size_t i : order) {
      legend += fmt::format("{}{} {} {:.1f} %", legend.empty() ? "" : ", ", kStateLetters[i],
                            i == kSelected ? "issues" : kWarpStateNames[i],
                            100 * static_cast<double>(seen_[i]) / all);
    }
    out_.line();
    out_.paragraph(legend, "Warp time here: ", "  ");
    if (timeline_.windows.size() > 1) {
      out_.paragraph(fmt::format(
          "Kept cycle by cycle: {} to {} and {} to {}; '?': only sums are known (--window A:B "
          "keeps others).",
          number(timeline_.windows[0].from), number(timeline_.windows[0].until),
          number(timeline_.windows[1].from), number(timeline_.windows[1].until)));
    }
  }

  const Result& result_;
  const Timeline& timeline_;
  const TimelineView& view_;
  Span span_;
  TimelineColumns columns_;
  TextWriter out_;
  States seen_{};
};

}  // namespace

std::string timeline_text(const Result& result, const TimelineView& view) {
  return TimelineWriter(result, view).write();
}

}  // namespace smsim
