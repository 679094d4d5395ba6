#include "sim/report/why_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/metrics/findings.hpp"
#include "sim/report/text_writer.hpp"
#include "sim/report/why_reasons.hpp"

namespace smsim {
namespace {

constexpr std::ptrdiff_t kShownBefore = 4;  // intervals around the one asked for
constexpr std::ptrdiff_t kShownAfter = 3;

std::string number(std::uint64_t value) {
  return grouped(static_cast<double>(value));
}

std::string cycles(std::uint64_t count) {
  return fmt::format("{} cycle{}", number(count), count == 1 ? "" : "s");
}

class WhyWriter {
 public:
  WhyWriter(const Result& result, const Program& program, const WarpAt& at)
      : result_(result), timeline_(*result.timeline), program_(program), at_(at) {}

  std::string write() {
    out_.section("Why");
    find();
    if (interval_ == nullptr) {
      explain_absence();
    } else {
      write_state();
      out_.paragraph(wait_reason(result_, program_, *stay_, *interval_, at_), "  ", "  ");
      write_neighbours();
    }
    return out_.take();
  }

 private:
  [[nodiscard]] std::string me() const {
    return fmt::format("Block {} warp {}", number(at_.block), at_.warp);
  }

  void find() {
    for (const WarpStay& stay : timeline_.stays) {
      if (stay.block != at_.block || stay.warp != at_.warp) continue;
      stay_ = &stay;
      for (const WarpInterval& one : stay.intervals) {
        if (one.from <= at_.cycle && at_.cycle < one.until) interval_ = &one;
      }
    }
  }

  void explain_absence() {
    const auto end =
        static_cast<std::uint64_t>(result_.value("gpc__cycles_elapsed.max").value_or(0));
    std::string text;
    if (stay_ == nullptr) {
      text = at_.cycle >= end
                 ? fmt::format("the run ends at cycle {}.", number(end))
                 : "its block is not on an SM then: it has not started yet, or has ended.";
    } else if (at_.cycle < stay_->from) {
      text = fmt::format("it becomes resident only at cycle {} (SM {}, scheduler {}).",
                         number(stay_->from), timeline_.sm, stay_->scheduler);
    } else if (result_.status != Status::completed && stay_->until >= end &&
               !stay_->intervals.empty()) {
      const WarpInterval& last = stay_->intervals.back();
      text = fmt::format(
          "the run ends at cycle {}; the warp is resident to the end, in {} since "
          "cycle {} (--why {}.{}@{}).",
          number(end), kWarpStateNames[static_cast<std::size_t>(last.state)], number(last.from),
          at_.block, at_.warp, end - 1);
    } else {
      text = fmt::format("it has left its slot at cycle {}.", number(stay_->until));
    }
    out_.paragraph(fmt::format("{} at cycle {}: {}", me(), number(at_.cycle), text));
  }

  void write_state() {
    const WarpInterval& now = *interval_;
    out_.paragraph(fmt::format("{} at cycle {} (SM {}, scheduler {}, slot {}): {}", me(),
                               number(at_.cycle), timeline_.sm, stay_->scheduler, stay_->slot,
                               kWarpStateNames[static_cast<std::size_t>(now.state)]));
    out_.line();
    if (now.state != WarpState::selected) {
      const auto end =
          static_cast<std::uint64_t>(result_.value("gpc__cycles_elapsed.max").value_or(0));
      const bool cut = result_.status == Status::max_cycles && now.until >= end;
      out_.paragraph(fmt::format("since cycle {} until {}{} ({}), before {}{}", number(now.from),
                                 number(now.until), cut ? ", where the run is cut off" : "",
                                 cycles(now.until - now.from), instruction_at(result_, now.pc),
                                 line_at(result_, now.pc)),
                     "  ", "  ");
    }
  }

  void write_neighbours() {
    const std::vector<WarpInterval>& all = stay_->intervals;
    const std::ptrdiff_t here = interval_ - all.data();
    const std::ptrdiff_t first = std::max<std::ptrdiff_t>(here - kShownBefore, 0);
    const std::ptrdiff_t end =
        std::min<std::ptrdiff_t>(here + kShownAfter + 1, static_cast<std::ptrdiff_t>(all.size()));
    out_.line();
    out_.line("   from cycle  cycles  state                pc instruction");
    for (std::ptrdiff_t i = first; i < end; ++i) {
      const WarpInterval& one = all[static_cast<std::size_t>(i)];
      const std::string text = fmt::format(
          "{} {:>11} {:>7}  {:<18} {:>4} {}", i == here ? ">" : " ", number(one.from),
          number(one.until - one.from),
          one.state == WarpState::selected ? "issues"
                                           : kWarpStateNames[static_cast<std::size_t>(one.state)],
          one.pc, instruction_text(result_, one.pc));
      out_.line(cut(text, kReportWidth));
    }
  }

  const Result& result_;
  const Timeline& timeline_;
  const Program& program_;
  WarpAt at_;
  const WarpStay* stay_ = nullptr;
  const WarpInterval* interval_ = nullptr;
  TextWriter out_;
};

}  // namespace

std::string why_text(const Result& result, const Program& program, const WarpAt& at) {
  return WhyWriter(result, program, at).write();
}

}  // namespace smsim
