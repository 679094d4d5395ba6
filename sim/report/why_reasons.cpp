#include "sim/report/why_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/metrics/findings.hpp"

namespace smsim {
namespace {

std::string number(std::uint64_t value) {
  return grouped(static_cast<double>(value));
}

class WaitReason {
 public:
  WaitReason(const Result& result, const Program& program, const WarpStay& stay,
             const WarpInterval& interval, const WarpAt& at)
      : result_(result),
        timeline_(*result.timeline),
        program_(program),
        stay_(&stay),
        interval_(&interval),
        at_(at) {}

  [[nodiscard]] std::string explanation() const {
    switch (interval_->state) {
      case WarpState::selected:
        return fmt::format("It issues {}{} in this cycle.", text_of(interval_->pc),
                           line_of(interval_->pc));
      case WarpState::long_scoreboard:
      case WarpState::short_scoreboard:
      case WarpState::gmma:
        return explain_scoreboards();
      case WarpState::barrier:
        return explain_barrier();
      case WarpState::not_selected:
        return explain_not_selected();
      case WarpState::wait:
        return fmt::format(
            "The instruction before it{} holds its warp for a fixed number of "
            "cycles (the stall count of its control code), until its result can be "
            "used.",
            previous_issue());
      case WarpState::branch_resolving:
        return fmt::format("The branch before it{} has to be resolved first.", previous_issue());
      case WarpState::no_instruction:
        return interval_->from == stay_->from
                   ? "The warp has just been launched: its first instruction is on its way."
                   : "Its instruction is not in the instruction cache yet, and is being fetched.";
      case WarpState::math_pipe_throttle:
      case WarpState::mio_throttle:
      case WarpState::lg_throttle:
      case WarpState::dispatch_stall:
        return explain_throttle();
      case WarpState::drain:
        return "It has executed EXIT, and leaves its slot when its last stores have been handed "
               "over to memory.";
      case WarpState::membar:
        return explain_fence();
      case WarpState::sleeping:
        return "It sleeps (NANOSLEEP).";
      default:
        return "";
    }
  }

 private:
  // ", FFMA R1, R2 (pc 4), issued at cycle 17,"
  [[nodiscard]] std::string previous_issue() const {
    const WarpInterval* before = nullptr;
    for (const WarpInterval& one : stay_->intervals) {
      if (one.from >= interval_->from) break;
      if (one.state == WarpState::selected) before = &one;
    }
    return before == nullptr ? ""
                             : fmt::format(", {}, issued at cycle {},", text_of(before->pc),
                                           number(before->from));
  }

  // The instructions that set the scoreboards waited for, latest first.
  [[nodiscard]] std::vector<const WarpInterval*> producers() const {
    std::vector<const WarpInterval*> found;
    std::uint32_t open = code(interval_->pc).wait_mask;
    for (auto one = stay_->intervals.rbegin(); one != stay_->intervals.rend(); ++one) {
      if (one->from >= interval_->from || one->state != WarpState::selected) continue;
      const Instruction& in = code(one->pc);
      const auto sets = [open](std::uint8_t scoreboard) {
        return scoreboard < kScoreboards && (open >> scoreboard & 1U) != 0;
      };
      if (sets(in.write_scoreboard) || sets(in.read_scoreboard)) found.push_back(&*one);
      open &= ~std::uint32_t{in.wait_mask};  // it had to be clear before that
      if (open == 0) break;
    }
    return found;
  }

  struct Answer {
    std::uint64_t requests = 0;
    std::uint64_t left = ~std::uint64_t{0};
    std::uint64_t last = 0;
  };
  [[nodiscard]] Answer answer_to(const WarpInterval& issue) const {
    Answer answer;
    for (const MemoryFlight& one : timeline_.flights) {
      if (one.stay == kNoStay || &timeline_.stays[one.stay] != stay_ || one.pc != issue.pc ||
          one.from < issue.from || one.from >= interval_->until) {
        continue;
      }
      ++answer.requests;
      answer.left = std::min(answer.left, one.from);
      answer.last = std::max(answer.last, one.until);
    }
    return answer;
  }

  [[nodiscard]] std::string explain_scoreboards() const {
    const std::vector<const WarpInterval*> all = producers();
    if (all.empty()) return "What it waits for was issued before the cycles kept.";
    const WarpInterval* last = all.front();
    Answer latest = answer_to(*last);
    for (const WarpInterval* one : all) {
      const Answer answer = answer_to(*one);
      if (answer.last > latest.last) {
        latest = answer;
        last = one;
      }
    }
    std::string text = fmt::format("It needs the result of {}{}, issued at cycle {}",
                                   text_of(last->pc), line_of(last->pc), number(last->from));
    if (all.size() > 1) text += fmt::format(" (and of {} more)", all.size() - 1);
    if (latest.requests == 0) {
      return text + ". It is answered inside the SM, without a request to L2.";
    }
    return text + fmt::format(
                      ". {} request{} left the SM at cycle {}; the last answer ends the "
                      "wait at {}.",
                      latest.requests, latest.requests == 1 ? "" : "s", number(latest.left),
                      number(latest.last));
  }

  // The run ended while it waited: nobody has ended the wait.
  [[nodiscard]] bool never_ends() const {
    return result_.status != Status::completed &&
           static_cast<double>(interval_->until) >=
               result_.value("gpc__cycles_elapsed.max").value_or(0);
  }
  [[nodiscard]] std::string cut_off() const {
    return fmt::format(" It has not opened when the run ends at cycle {}{}.",
                       number(interval_->until),
                       result_.status == Status::deadlock ? ": a deadlock" : "");
  }

  // "It waits for named barrier 1: 2 of 4 warps arrived."
  [[nodiscard]] std::optional<std::string> what_blocks_it() const {
    if (!result_.deadlock) return std::nullopt;
    for (const BlockedWarp& one : result_.deadlock->warps) {
      if (one.block == at_.block && one.warp == at_.warp) {
        return fmt::format("It waits for {}.", one.waits_for);
      }
    }
    return std::nullopt;
  }

  // Who came last to the barrier that it waits at.
  [[nodiscard]] std::string explain_barrier() const {
    const WarpInterval* mine = nullptr;
    for (const WarpInterval& one : stay_->intervals) {
      if (one.from < interval_->until && one.state == WarpState::selected) mine = &one;
    }
    if (mine == nullptr || code(mine->pc).action != Action::barrier) {
      return "It waits for the other warps of its cluster." + (never_ends() ? cut_off() : "");
    }
    const WarpStay* last_stay = stay_;
    const WarpInterval* last = mine;
    std::size_t waiting = 0;
    for (const WarpStay& other : timeline_.stays) {
      if (other.block != stay_->block) continue;
      for (const WarpInterval& one : other.intervals) {
        const bool here =
            one.state == WarpState::barrier && one.from <= at_.cycle && at_.cycle < one.until;
        waiting += here ? 1 : 0;
        if (one.state != WarpState::selected || one.from >= interval_->until ||
            one.from < last->from) {
          continue;
        }
        const Action action = code(one.pc).action;
        const bool arrives =
            (action == Action::barrier && program_.barriers[code(one.pc).operand].id ==
                                              program_.barriers[code(mine->pc).operand].id) ||
            action == Action::exit || code(one.pc).flow == Flow::exit;
        if (!arrives) continue;
        last = &one;
        last_stay = &other;
      }
    }
    std::string text = fmt::format("{} warp{} of its block wait{} at the barrier.", waiting,
                                   waiting == 1 ? "" : "s", waiting == 1 ? "s" : "");
    if (never_ends()) return what_blocks_it().value_or(text) + cut_off();
    if (last_stay == stay_) return text + " It came last itself: the barrier is opening.";
    return text + fmt::format(" Warp {} came last, with {} at cycle {}, and opened it.",
                              last_stay->warp, text_of(last->pc), number(last->from));
  }

  // What the scheduler issued in that cycle.
  [[nodiscard]] const WarpInterval* issued_at(std::uint64_t cycle, const WarpStay** by) const {
    for (const WarpStay& other : timeline_.stays) {
      if (other.scheduler != stay_->scheduler) continue;
      for (const WarpInterval& one : other.intervals) {
        if (one.state != WarpState::selected || one.from != cycle) continue;
        *by = &other;
        return &one;
      }
    }
    return nullptr;
  }

  [[nodiscard]] std::string explain_not_selected() const {
    const WarpStay* by = nullptr;
    const WarpInterval* picked = issued_at(at_.cycle, &by);
    std::string text = "It is eligible, but the scheduler issues one warp a cycle";
    if (picked != nullptr) {
      text += fmt::format(", and picked block {} warp {} ({})", number(by->block), by->warp,
                          text_of(picked->pc));
    }
    return text + fmt::format(" (policy {}). Its turn comes at cycle {}.", result_.launch.scheduler,
                              number(interval_->until));
  }

  [[nodiscard]] std::string explain_throttle() const {
    const bool queue =
        interval_->state == WarpState::lg_throttle || interval_->state == WarpState::mio_throttle;
    const Pipe pipe = code(interval_->pc).pipe;
    const WarpStay* by = nullptr;
    const WarpInterval* busy = nullptr;
    for (const WarpStay& other : timeline_.stays) {
      if (other.scheduler != stay_->scheduler) continue;
      for (const WarpInterval& one : other.intervals) {
        const bool same =
            interval_->state == WarpState::dispatch_stall || code(one.pc).pipe == pipe;
        if (one.state != WarpState::selected || one.from > at_.cycle || !same) continue;
        if (busy != nullptr && one.from <= busy->from) continue;
        busy = &one;
        by = &other;
      }
    }
    const std::string who =
        busy == nullptr
            ? ""
            : fmt::format(" Last to use it: block {} warp {} with {} at cycle {}.",
                          number(by->block), by->warp, text_of(busy->pc), number(busy->from));
    if (interval_->state == WarpState::dispatch_stall) {
      return "The scheduler waits while an earlier instruction reads its registers from a bank "
             "that others use, too." +
             who;
    }
    if (queue) {
      return fmt::format(
                 "The {} queue of its scheduler is full: entries leave it one after the "
                 "other for the unit that all four schedulers share.",
                 interval_->state == WarpState::lg_throttle ? "LG (global and local memory)"
                                                            : "MIO") +
             who;
    }
    return "The pipe that it needs is still busy with another instruction." + who;
  }

  [[nodiscard]] std::string explain_fence() const {
    std::uint64_t pending = 0;
    std::uint64_t last = 0;
    for (const MemoryFlight& one : timeline_.flights) {
      if (one.stay == kNoStay || &timeline_.stays[one.stay] != stay_) continue;
      if (one.from > at_.cycle || one.until <= at_.cycle) continue;
      ++pending;
      last = std::max(last, one.until);
    }
    if (pending == 0) return "The fence itself takes this long; nothing is pending any more.";
    return fmt::format(
        "The fence waits for {} of its requests to be acknowledged, the last at "
        "cycle {}.",
        pending, number(last));
  }

  [[nodiscard]] std::string text_of(std::uint32_t pc) const { return instruction_at(result_, pc); }
  [[nodiscard]] std::string line_of(std::uint32_t pc) const { return line_at(result_, pc); }
  [[nodiscard]] const Instruction& code(std::uint32_t pc) const { return program_.code[pc]; }

  const Result& result_;
  const Timeline& timeline_;
  const Program& program_;
  const WarpStay* stay_;
  const WarpInterval* interval_;
  WarpAt at_;
};

}  // namespace

std::string instruction_text(const Result& result, std::uint32_t pc) {
  return pc < result.instructions.size() ? result.instructions[pc].text : "";
}

std::string instruction_at(const Result& result, std::uint32_t pc) {
  return fmt::format("{} (pc {})", instruction_text(result, pc), pc);
}

std::string line_at(const Result& result, std::uint32_t pc) {
  const std::uint32_t line =
      pc < result.instructions.size() ? result.instructions[pc].source_line : 0;
  return line == 0 ? "" : fmt::format(", line {} of the kernel", line);
}

std::string wait_reason(const Result& result, const Program& program, const WarpStay& stay,
                        const WarpInterval& interval, const WarpAt& at) {
  return WaitReason(result, program, stay, interval, at).explanation();
}

}  // namespace smsim
