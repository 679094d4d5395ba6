#include "sim/cli/step_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "sim/cli/parse_number.hpp"
#include "sim/config/suggest.hpp"
#include "sim/metrics/findings.hpp"
#include "sim/report/text_writer.hpp"
#include "sim/report/timeline_view.hpp"
#include "sim/report/why_text.hpp"

namespace smsim::cli {
namespace {

constexpr std::size_t kKeptIntervals = 1'000'000;
constexpr std::uint64_t kKeptBefore = 5'000;  // cycles before the cursor
constexpr std::uint64_t kDrawnBefore = 16;
constexpr std::uint64_t kDrawn = 64;

std::string number(std::uint64_t value) {
  return grouped(static_cast<double>(value));
}

std::string wrapped(const std::string& text) {
  TextWriter out;
  out.paragraph(text, "", "  ");
  return out.take();
}

std::string name_of(const WarpStay& stay) {
  return fmt::format("{}.{}", stay.block, stay.warp);
}

const std::vector<std::string>& command_names() {
  static const std::vector<std::string> kNames{"next", "issue", "until",    "stall", "goto",
                                               "back", "why",   "timeline", "sub",   "policy",
                                               "show", "help",  "quit"};
  return kNames;
}

// "n" for "next": the first command that begins so.
std::string full_name(const std::string& word) {
  for (const std::string& name : command_names()) {
    if (!word.empty() && name.rfind(word, 0) == 0) return name;
  }
  return word;
}

}  // namespace

StepSession::StepSession(const GpuSpec& gpu, const KernelSpec& kernel, SimulateOptions options,
                         std::uint32_t sm)
    : gpu_(gpu), kernel_(kernel), options_(std::move(options)), sm_(sm) {
  options_.count_instructions = true;
  result_ = simulate_from(0, options_.scheduler);
  if (!result_.timeline) {
    finished_ = true;  // it could not be launched
    return;
  }
  const auto& stays = timeline().stays;
  for (const WarpStay& stay : stays) {
    cycle_ = cycle_ == 0 ? stay.from : std::min(cycle_, stay.from);
  }
}

Result StepSession::simulate_from(std::uint64_t from, const std::string& policy) const {
  SimulateOptions options = options_;
  options.scheduler = policy;
  options.timeline = TimelineOptions{};
  options.timeline->sm = sm_;
  options.timeline->from = from;
  options.timeline->most_intervals = kKeptIntervals;
  return make_result(gpu_, kernel_, simulate(gpu_, kernel_, options));
}

void StepSession::keep_around(std::uint64_t cycle) {
  for (const TimelineWindow& window : timeline().windows) {
    if (window.from <= cycle && cycle < window.until) return;
  }
  result_ = simulate_from(cycle - std::min(cycle, kKeptBefore), options_.scheduler);
}

std::uint64_t StepSession::end() const {
  return static_cast<std::uint64_t>(result_.value("gpc__cycles_elapsed.max").value_or(0));
}

std::string StepSession::instruction(std::uint32_t pc) const {
  return pc < result_.instructions.size() ? result_.instructions[pc].text : "";
}

std::vector<StepSession::Now> StepSession::warps_now() const {
  std::vector<Now> now;
  for (const WarpStay& stay : timeline().stays) {
    if (cycle_ < stay.from || cycle_ >= stay.until) continue;
    const auto after = std::upper_bound(
        stay.intervals.begin(), stay.intervals.end(), cycle_,
        [](std::uint64_t cycle, const WarpInterval& one) { return cycle < one.from; });
    if (after == stay.intervals.begin()) continue;
    const WarpInterval& one = *(after - 1);
    if (cycle_ < one.until) now.push_back({&stay, &one});
  }
  return now;
}

std::string StepSession::greeting() {
  if (!result_.timeline) {
    return wrapped(fmt::format("{} cannot be launched on {}: {}", kernel_.name, gpu_.name,
                               result_.launch_failure ? result_.launch_failure->explanation : ""));
  }
  return wrapped(fmt::format("{} on {}, SM {}, policy {}: {} cycles. 'help' lists the commands.",
                             kernel_.name, gpu_.name, sm_, result_.launch.scheduler,
                             number(end()))) +
         show();
}

std::string StepSession::command(const std::string& line) {
  std::istringstream words(line);
  std::string first;
  std::string argument;
  std::string rest;
  words >> first >> argument >> rest;
  if (first.empty()) return "";
  const std::string name = full_name(first);
  const std::uint64_t count = parse_number(argument).value_or(1);
  const bool takes_number = name == "next" || name == "back" || name == "goto" || name == "sub";
  if (takes_number && !argument.empty() && !parse_number(argument)) {
    return fmt::format("{}: found '{}', expected a number\n", name, argument);
  }
  if (!rest.empty()) return fmt::format("{}: found '{}' too much\n", name, rest);
  if (name == "next") return move_to(cycle_ + std::min(count, end()));
  if (name == "issue") return until_issue(argument);
  if (name == "until") {
    return argument.empty() ? "until: expected a warp, as in until 0.3\n" : until_issue(argument);
  }
  if (name == "stall") return until_state(argument);
  if (name == "goto") return argument.empty() ? "goto: expected a cycle\n" : move_to(count);
  if (name == "back") return go_back(argument.empty() ? 0 : count);
  if (name == "why") return why(argument);
  if (name == "timeline") return draw();
  if (name == "sub") return choose_scheduler(argument.empty() ? scheduler_ : count);
  if (name == "policy") return change_policy(argument);
  if (name == "show") return show();
  if (name == "help") return help();
  if (name == "quit") {
    finished_ = true;
    return "";
  }
  return wrapped(fmt::format("found '{}', expected one of {}{}", first,
                             fmt::join(command_names(), ", "),
                             did_you_mean(first, command_names())));
}

std::string StepSession::move_to(std::uint64_t cycle) {
  if (cycle >= end()) {
    return fmt::format("the run ends at cycle {}; still at {}\n", number(end()), number(cycle_));
  }
  visited_.push_back(cycle_);
  cycle_ = cycle;
  keep_around(cycle);
  return show();
}

std::optional<std::uint64_t> StepSession::next_cycle_in(WarpState state,
                                                        const std::string& warp) const {
  std::optional<std::uint64_t> next;
  for (const WarpStay& stay : timeline().stays) {
    if (stay.until <= cycle_ || (!warp.empty() && name_of(stay) != warp)) continue;
    for (const WarpInterval& one : stay.intervals) {
      if (one.from <= cycle_ || one.state != state) continue;
      next = std::min(next.value_or(one.from), one.from);
      break;
    }
  }
  return next;
}

std::string StepSession::until_issue(const std::string& warp) {
  const auto next = next_cycle_in(WarpState::selected, warp);
  if (next) return move_to(*next);
  return warp.empty()
             ? "nothing is issued any more in the cycles kept\n"
             : fmt::format("warp {} issues nothing after this on SM {} in the cycles kept\n", warp,
                           sm_);
}

std::string StepSession::until_state(const std::string& name) {
  const std::vector<std::string> names(kWarpStateNames.begin(), kWarpStateNames.end());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return wrapped(fmt::format("stall: found '{}', expected one of {}{}", name,
                               fmt::join(names, ", "), did_you_mean(name, names)));
  }
  const auto next = next_cycle_in(static_cast<WarpState>(found - names.begin()), "");
  return next ? move_to(*next)
              : fmt::format("no warp begins to be {} after this in the cycles kept\n", name);
}

// Without a number: to where the cursor was before.
std::string StepSession::go_back(std::uint64_t cycles) {
  if (cycles > 0) return move_to(cycle_ - std::min(cycles, cycle_));
  if (visited_.empty()) return "this is where it began\n";
  cycle_ = visited_.back();
  visited_.pop_back();
  keep_around(cycle_);
  return show();
}

std::string StepSession::why(const std::string& warp) {
  for (const WarpStay& stay : timeline().stays) {
    if (name_of(stay) != warp || stay.until <= cycle_) continue;
    return why_text(result_, kernel_.program, {stay.block, stay.warp, cycle_});
  }
  return fmt::format("why: found '{}', expected a warp of SM {} as BLOCK.WARP\n", warp, sm_);
}

std::string StepSession::draw() {
  TimelineView view;
  view.from = cycle_ - std::min(cycle_, kDrawnBefore);
  view.until = view.from + kDrawn;
  view.scheduler = scheduler_;
  return timeline_text(result_, view);
}

std::string StepSession::choose_scheduler(std::uint64_t scheduler) {
  if (scheduler > 3) return fmt::format("sub: found {}, expected a scheduler, 0 to 3\n", scheduler);
  scheduler_ = static_cast<std::uint8_t>(scheduler);
  return show();
}

std::vector<StepSession::Issue> StepSession::issues_of(const Timeline& timeline) {
  std::vector<Issue> issues;
  for (const WarpStay& stay : timeline.stays) {
    for (const WarpInterval& one : stay.intervals) {
      if (one.state != WarpState::selected) continue;
      issues.push_back({one.from, stay.scheduler, stay.block, stay.warp, one.pc});
    }
  }
  std::sort(issues.begin(), issues.end(), [](const Issue& a, const Issue& b) {
    return std::tuple(a.cycle, a.scheduler) < std::tuple(b.cycle, b.scheduler);
  });
  return issues;
}

std::string StepSession::change_policy(const std::string& name) {
  const std::vector<std::string> known = scheduler_names();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    return wrapped(fmt::format("policy: found '{}', expected one of {}{}", name,
                               fmt::join(known, ", "), did_you_mean(name, known)));
  }
  const Result before = std::move(result_);
  const auto cycles_before =
      static_cast<std::uint64_t>(before.value("gpc__cycles_elapsed.max").value_or(0));
  options_.scheduler = name;
  result_ = simulate_from(before.timeline->windows.front().from, name);
  const double change =
      cycles_before == 0
          ? 0
          : 100 * (static_cast<double>(end()) / static_cast<double>(cycles_before) - 1);
  std::string text =
      fmt::format("{}: {} cycles; {}: {} cycles ({:+.2f} %)\n", before.launch.scheduler,
                  number(cycles_before), name, number(end()), change);
  const std::vector<Issue> old_issues = issues_of(*before.timeline);
  const std::vector<Issue> new_issues = issues_of(timeline());
  const auto [a, b] =
      std::mismatch(old_issues.begin(), old_issues.end(), new_issues.begin(), new_issues.end());
  if (a == old_issues.end() || b == new_issues.end()) {
    text += "The same issues in the same cycles on this SM, as far as they are kept.\n";
  } else {
    text += fmt::format(
        "First difference on this SM:\n  {:<8} cycle {}: scheduler {} issues {}.{} {}\n"
        "  {:<8} cycle {}: scheduler {} issues {}.{} {}\n",
        before.launch.scheduler, number(a->cycle), a->scheduler, a->block, a->warp,
        instruction(a->pc), name, number(b->cycle), b->scheduler, b->block, b->warp,
        instruction(b->pc));
  }
  cycle_ = std::min(cycle_, end() - std::min<std::uint64_t>(end(), 1));
  keep_around(cycle_);
  return text + show();
}

std::string StepSession::show() const {
  const std::vector<Now> warps = warps_now();
  TextWriter out;
  out.line(fmt::format("cycle {}", number(cycle_)));
  for (std::uint8_t scheduler = 0; scheduler < 4; ++scheduler) {
    int resident = 0;
    int eligible = 0;
    std::string issued = "nothing";
    for (const Now& now : warps) {
      if (now.stay->scheduler != scheduler) continue;
      ++resident;
      const WarpState state = now.interval->state;
      eligible += state == WarpState::selected || state == WarpState::not_selected ? 1 : 0;
      if (state == WarpState::selected) {
        issued = fmt::format("{} {}", name_of(*now.stay), instruction(now.interval->pc));
      }
    }
    out.line(
        cut(fmt::format("{} scheduler {}: {:>2} resident, {:>2} eligible, issues {}",
                        scheduler == scheduler_ ? ">" : " ", scheduler, resident, eligible, issued),
            kReportWidth));
  }
  for (const Now& now : warps) {
    if (now.stay->scheduler != scheduler_) continue;
    const WarpInterval& one = *now.interval;
    const bool issues = one.state == WarpState::selected;
    const std::string since = issues ? ""
                                     : fmt::format("{} of {}", number(cycle_ - one.from + 1),
                                                   number(one.until - one.from));
    out.line(
        cut(fmt::format("    {:>2} {:<10} {:<18} {:>15}  {}", now.stay->slot, name_of(*now.stay),
                        issues ? "issues" : kWarpStateNames[static_cast<std::size_t>(one.state)],
                        since, instruction(one.pc)),
            kReportWidth));
  }
  return out.take();
}

std::string StepSession::help() {
  return "next [N]        N cycles on (default 1)\n"
         "issue [WARP]    to the next cycle in which a warp (this one) issues\n"
         "until WARP      the same, for a warp BLOCK.WARP\n"
         "stall STATE     until a warp begins to be in a state (long_scoreboard, ...)\n"
         "goto CYCLE      to that cycle\n"
         "back [N]        N cycles back; without N to where you were before\n"
         "why WARP        what a warp waits for now, since when, and who ends it\n"
         "timeline        the scheduler's warps around this cycle\n"
         "sub N           look at scheduler N (0 to 3)\n"
         "policy P        the same kernel with another policy, and what differs\n"
         "show, help, quit; the first letters of a command are enough\n";
}

}  // namespace smsim::cli
