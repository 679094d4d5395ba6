#include "sim/study/tune_runner.hpp"

#include <algorithm>
#include <charconv>

#include "sim/study/parallel.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {
namespace {

// The assembler's note says how much: "...: 24 bytes a thread spilled to local memory, ...".
std::int64_t spilled_bytes(const std::vector<std::string>& notes) {
  const std::string words = " bytes a thread spilled";
  for (const std::string& note : notes) {
    const std::size_t end = note.find(words);
    if (end == std::string::npos) continue;
    const std::size_t begin = note.find_last_not_of("0123456789", end - 1) + 1;
    std::int64_t bytes = 0;
    std::from_chars(note.data() + begin, note.data() + end, bytes);
    return bytes;
  }
  return 0;
}

// The first of several problems, without the figure of this very point: "found 'n / block' (5.33),
// expected ..." is one reason at many points.
std::string kind_of(const std::string& refusal) {
  std::string text = refusal.substr(0, refusal.find(';'));
  const std::size_t open = text.find(" (");
  const std::size_t close = text.find(')', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return text;
  const bool figure = text.find_first_not_of("0123456789.-e", open + 2) == close;
  return figure ? text.erase(open, close + 1 - open) : text;
}

}  // namespace

TunePoint tune_point(const Result& result) {
  TunePoint point;
  point.status = to_string(result.status);
  point.reason = reason_of(result);
  if (result.status == Status::completed) point.cycles = result.value("gpc__cycles_elapsed.max");
  point.theoretical_pct = result.value("sm__maximum_warps_per_active_cycle_pct").value_or(0);
  point.achieved_pct =
      result.value("sm__warps_active.avg.pct_of_peak_sustained_active").value_or(0);
  point.registers = result.launch.registers;
  point.spilled_bytes = spilled_bytes(result.notes);
  auto kept = std::make_shared<Result>(result);
  kept->sms.clear();
  kept->instructions.clear();
  point.result = std::move(kept);
  return point;
}

TuneRunner::Known TuneRunner::judge(std::uint64_t number) const {
  if (!plan_.allowed(number)) return {Verdict::left_out, ""};
  const PreparedPoint prepared = plan_.loader->prepare(plan_.point(number));
  if (!prepared.refusal.empty()) return {Verdict::cannot_run, kind_of(prepared.refusal)};
  const auto failure = launch_failure(prepared.gpu->spec, prepared.kernel.launch);
  if (failure) return {Verdict::cannot_run, failure->explanation};
  return {};
}

bool TuneRunner::feasible(std::uint64_t number) {
  const auto found = known_.find(number);
  if (found != known_.end()) return found->second.verdict == Verdict::runs;
  return known_.emplace(number, judge(number)).first->second.verdict == Verdict::runs;
}

void TuneRunner::look_at(const std::vector<std::uint64_t>& numbers) {
  std::vector<Known> judged(numbers.size());
  for_each_index(numbers.size(), options_.threads, [&](std::size_t i) {
    if (!interrupted()) judged[i] = judge(numbers[i]);
  });
  if (interrupted()) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) known_.emplace(numbers[i], judged[i]);
}

bool TuneRunner::interrupted() const {
  return options_.interrupt != nullptr && options_.interrupt->load();
}

void TuneRunner::count_done() {
  const std::lock_guard guard(lock_);
  ++done_;
  if (options_.progress) options_.progress(std::min(done_, at_most_), at_most_);
}

TunePoint TuneRunner::simulate(const StudyPoint& study_point) {
  const PreparedPoint prepared = plan_.loader->prepare(study_point);
  if (!prepared.refusal.empty()) {
    TunePoint point;
    point.status = "invalid";
    point.reason = prepared.refusal;
    return point;
  }
  return tune_point(run_point(prepared, 0, options_.interrupt));
}

std::vector<TunePoint> TuneRunner::simulate(const std::vector<std::uint64_t>& numbers) {
  std::vector<TunePoint> points(numbers.size());
  for_each_index(numbers.size(), options_.threads, [&](std::size_t i) {
    if (interrupted()) return;
    points[i] = simulate(plan_.point(numbers[i]));
    points[i].number = numbers[i];
    points[i].values = plan_.space.values(numbers[i]);
    if (points[i].status != to_string(Status::interrupted)) count_done();
  });
  const auto cut_short = [](const TunePoint& point) {
    return point.status.empty() || point.status == to_string(Status::interrupted);
  };
  points.erase(std::remove_if(points.begin(), points.end(), cut_short), points.end());
  return points;
}

std::uint64_t TuneRunner::left_out() const {
  return static_cast<std::uint64_t>(
      std::count_if(known_.begin(), known_.end(),
                    [](const auto& one) { return one.second.verdict == Verdict::left_out; }));
}

std::uint64_t TuneRunner::infeasible() const {
  return static_cast<std::uint64_t>(
      std::count_if(known_.begin(), known_.end(),
                    [](const auto& one) { return one.second.verdict == Verdict::cannot_run; }));
}

std::vector<std::pair<std::string, std::uint64_t>> TuneRunner::reasons() const {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [number, known] : known_) {
    if (known.verdict == Verdict::cannot_run) ++counts[known.reason];
  }
  std::vector<std::pair<std::string, std::uint64_t>> list(counts.begin(), counts.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

}  // namespace smsim
