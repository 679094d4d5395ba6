// Simulates points of a tuning space, each once, and knows which of them can run at all.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/tune_plan.hpp"
#include "smsim/tune.hpp"

namespace smsim {

class TuneRunner {
 public:
  TuneRunner(const TunePlan& plan, const TuneOptions& options) : plan_(plan), options_(options) {}

  /// From conditions and the occupancy rules; nothing is simulated. Remembered.
  bool feasible(std::uint64_t number);
  /// The same for many at once, on all threads.
  void look_at(const std::vector<std::uint64_t>& numbers);

  /// Simulates; when interrupted, without the points that were cut short or never begun.
  std::vector<TunePoint> simulate(const std::vector<std::uint64_t>& numbers);
  /// One configuration outside of the space.
  TunePoint simulate(const StudyPoint& point);

  [[nodiscard]] bool interrupted() const;
  /// Of the points looked at so far: left out by conditions, and why the others cannot run.
  [[nodiscard]] std::uint64_t left_out() const;
  [[nodiscard]] std::uint64_t infeasible() const;
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> reasons() const;

  void expect(std::uint64_t at_most) { at_most_ = at_most; }

 private:
  enum class Verdict { runs, left_out, cannot_run };
  struct Known {
    Verdict verdict = Verdict::runs;
    std::string reason;
  };
  [[nodiscard]] Known judge(std::uint64_t number) const;
  void count_done();

  const TunePlan& plan_;
  const TuneOptions& options_;
  std::map<std::uint64_t, Known> known_;
  std::mutex lock_;
  std::uint64_t done_ = 0;
  std::uint64_t at_most_ = 0;
};

/// What a result says of a configuration.
TunePoint tune_point(const Result& result);

}  // namespace smsim
