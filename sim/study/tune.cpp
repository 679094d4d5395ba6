// Tuning from its inputs to its outcome.
#include "smsim/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/study/tune_explain.hpp"
#include "sim/study/tune_pareto.hpp"
#include "sim/study/tune_plan.hpp"
#include "sim/study/tune_questions.hpp"
#include "sim/study/tune_runner.hpp"
#include "sim/study/tune_search.hpp"

namespace smsim {
namespace {

// Up to so many combinations all are looked at before the search: whether they can run is known
// without a simulation, and if few can, those are simulated one and all.
constexpr std::uint64_t kMostLookedAt = 5000;

class Tuner {
 public:
  Tuner(const TunePlan& plan, const TuneOptions& options)
      : plan_(plan), options_(options), runner_(plan, options) {}

  TuneOutcome run(const std::string& kernel) {
    describe(kernel);
    const std::optional<std::vector<std::uint64_t>> all = listed();
    outcome_.exhaustive = all && all->size() <= options_.budget;
    outcome_.planned = outcome_.exhaustive ? all->size() : options_.budget;
    runner_.expect(outcome_.planned);
    outcome_.method =
        outcome_.exhaustive ? "every configuration that can run" : search_method(options_.budget);
    if (outcome_.exhaustive) {
      outcome_.evaluated = runner_.simulate(*all);
    } else {
      search_space();
    }
    simulate_present();
    conclude();
    outcome_.left_out = runner_.left_out();
    outcome_.infeasible = runner_.infeasible();
    outcome_.reasons = runner_.reasons();
    outcome_.interrupted = runner_.interrupted();
    return std::move(outcome_);
  }

 private:
  void describe(const std::string& kernel) {
    const PreparedPoint present = plan_.loader->prepare(plan_.present);
    outcome_.kernel = present.kernel.name.empty() ? kernel : present.kernel.name;
    outcome_.gpu = present.gpu->spec.name;
    outcome_.gpu_title = present.gpu->spec.title;
    outcome_.axes = plan_.space.axes();
    outcome_.axes_from = plan_.axes_from;
    outcome_.points = plan_.space.size();
    outcome_.budget = options_.budget;
  }

  // Every point that can run, where the space is small enough to look at.
  std::optional<std::vector<std::uint64_t>> listed() {
    if (outcome_.points > kMostLookedAt) return std::nullopt;
    std::vector<std::uint64_t> numbers(outcome_.points);
    for (std::uint64_t i = 0; i < outcome_.points; ++i) numbers[i] = i;
    runner_.look_at(numbers);
    if (runner_.interrupted()) return std::vector<std::uint64_t>{};
    std::vector<std::uint64_t> feasible;
    for (const std::uint64_t number : numbers) {
      if (runner_.feasible(number)) feasible.push_back(number);
    }
    return feasible;
  }

  void search_space() {
    const SearchSpace space{plan_.space.extents(), [this](std::uint64_t number) {
                              return !runner_.interrupted() && runner_.feasible(number);
                            }};
    const SearchLimits limits{options_.budget, options_.seed, plan_.present_number};
    search(space, limits, [this](const std::vector<std::uint64_t>& numbers) {
      std::vector<std::optional<double>> costs;
      for (TunePoint& point : runner_.simulate(numbers)) {
        costs.push_back(point.cycles);
        outcome_.evaluated.push_back(std::move(point));
      }
      return costs;
    });
  }

  // The file as it is: one of the points, or one run more.
  void simulate_present() {
    for (const TunePoint& point : outcome_.evaluated) {
      if (point.number == plan_.present_number && plan_.present_number) outcome_.present = point;
    }
    if (outcome_.present.status.empty()) {
      outcome_.present = runner_.simulate(plan_.present);
      outcome_.present.number = plan_.present_number;
    }
    outcome_.present.values.clear();
    for (const TuneAxis& axis : plan_.space.axes()) {
      const std::string text = plan_.scope.text_at(axis.path);
      outcome_.present.values.emplace_back(axis.path, text.empty() ? "default" : text);
    }
    if (outcome_.present.result) outcome_.scheduler = outcome_.present.result->launch.scheduler;
  }

  void conclude() {
    const std::vector<TunePoint>& points = outcome_.evaluated;
    outcome_.best = fastest(points);
    outcome_.most_occupied = most_occupied(points);
    outcome_.pareto = pareto_front(points);
    if (!outcome_.best) return;
    const TunePoint& best = points[*outcome_.best];
    if (outcome_.most_occupied != outcome_.best) {
      outcome_.why_not_occupied = why_slower(points[*outcome_.most_occupied], best);
    }
    if (!runner_.interrupted()) outcome_.questions = inverse_questions(plan_, runner_, best);
  }

  const TunePlan& plan_;
  const TuneOptions& options_;
  TuneRunner runner_;
  TuneOutcome outcome_;
};

TunePlan checked_plan(const std::string& kernel, const TuneOptions& options) {
  Diagnostics problems;
  std::optional<TunePlan> plan = make_tune_plan(kernel, options, problems);
  problems.throw_if_any();
  if (!plan) throw std::logic_error(kernel + " was refused without a reason");
  return std::move(*plan);
}

}  // namespace

TuneOutcome tune(const std::string& kernel, const TuneOptions& options) {
  const TunePlan plan = checked_plan(kernel, options);
  return Tuner(plan, options).run(kernel);
}

void check_tune(const std::string& kernel, const TuneOptions& options) {
  static_cast<void>(checked_plan(kernel, options));
}

}  // namespace smsim
