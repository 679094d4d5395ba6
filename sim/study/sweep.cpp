#include "smsim/sweep.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>

#include "sim/config/study_file.hpp"
#include "sim/study/points.hpp"
#include "sim/study/study_database.hpp"

namespace smsim {
namespace {

constexpr std::chrono::milliseconds kCommitInterval{200};

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + (static_cast<double>(now.tv_nsec) * 1e-9);
}

StudyRow row_of(const StudyPoint& point, const std::string& fingerprint) {
  StudyRow row;
  row.number = point.number;
  row.key = key_of(point);
  row.fingerprint = fingerprint;
  row.inputs = point.inputs;
  return row;
}

void fill(StudyRow& row, const Result& result, const std::vector<std::string>& keep) {
  row.status = to_string(result.status);
  row.reason = reason_of(result);
  row.bound = result.verdict.bound;
  row.summary = result.verdict.summary;
  row.smsim_version = result.smsim_version;
  for (const Metric& metric : result.metrics) {
    const bool kept =
        keep.empty() || std::find(keep.begin(), keep.end(), metric.name) != keep.end();
    if (kept) row.metrics.emplace_back(metric.name, metric.value);
  }
}

std::vector<std::string> input_names(const std::vector<StudyPoint>& points) {
  std::vector<std::string> names;
  if (points.empty()) return names;
  for (const auto& [name, value] : points.front().inputs) names.push_back(name);
  return names;
}

std::vector<std::string> metric_names(const std::vector<std::string>& keep) {
  if (!keep.empty()) return keep;
  std::vector<std::string> names;
  for (const MetricInfo& info : metric_infos()) names.push_back(info.name);
  return names;
}

// A point that makes no kernel is a row; a study without any other is a mistake, such as a
// misspelled name.
void refuse_if_nothing_is_valid(const std::vector<StudyPoint>& points, PointLoader& loader) {
  constexpr std::size_t kMostReasons = 20;
  std::vector<Diagnostic> reasons;
  for (const StudyPoint& point : points) {
    const std::string refusal = loader.prepare(point).refusal;
    if (refusal.empty()) return;
    if (reasons.size() < kMostReasons) reasons.push_back({"", 0, 0, refusal});
  }
  if (!reasons.empty()) throw InputError(reasons);
}

// Workers simulate; the calling thread writes what is done, a transaction at a time.
class Runner {
 public:
  Runner(const StudySpec& study, PointLoader& loader, StudyDatabase& database,
         const SweepOptions& options)
      : study_(study), loader_(loader), database_(database), options_(options) {}

  void run(const std::vector<const StudyPoint*>& points,
           const std::vector<std::string>& fingerprints, SweepOutcome& outcome) {
    points_ = &points;
    fingerprints_ = &fingerprints;
    const auto threads = static_cast<std::size_t>(std::max(options_.threads, 1));
    {
      const std::size_t count = std::min(threads, points.size());
      working_ = count;
      std::vector<std::jthread> workers;
      try {
        for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this] { work(); });
        write_until_done(outcome);
      } catch (...) {
        next_ = points.size();  // nobody would keep what is simulated from here on
        throw;
      }
    }
    if (fault_) std::rethrow_exception(fault_);
    outcome.interrupted = interrupted();
    outcome.simulation_cpu_seconds = cpu_seconds_;
  }

 private:
  [[nodiscard]] bool interrupted() const {
    return options_.interrupt != nullptr && options_.interrupt->load();
  }

  void work() {
    try {
      while (!interrupted()) {
        const std::size_t i = next_++;
        if (i >= points_->size()) break;
        simulate(*(*points_)[i], (*fingerprints_)[i]);
      }
    } catch (...) {
      const std::lock_guard guard(lock_);
      fault_ = std::current_exception();
      next_ = points_->size();
    }
    const std::lock_guard guard(lock_);
    cpu_seconds_ += thread_cpu_seconds();
    --working_;
    changed_.notify_one();
  }

  void simulate(const StudyPoint& point, const std::string& fingerprint) {
    StudyRow row = row_of(point, fingerprint);
    const PreparedPoint prepared = loader_.prepare(point);
    if (prepared.refusal.empty()) {
      const Result result = run_point(prepared, study_.max_cycles, options_.interrupt);
      if (result.status == Status::interrupted) return;
      fill(row, result, study_.keep);
    } else {
      row.status = "invalid";
      row.reason = prepared.refusal;
    }
    const std::lock_guard guard(lock_);
    done_.push_back(std::move(row));
  }

  void write_until_done(SweepOutcome& outcome) {
    std::unique_lock guard(lock_);
    while (true) {
      changed_.wait_for(guard, kCommitInterval, [this] { return working_ == 0; });
      const bool last = working_ == 0;
      std::vector<StudyRow> rows;
      rows.swap(done_);
      guard.unlock();
      database_.write(rows);
      outcome.simulated += rows.size();
      if (options_.progress) options_.progress(outcome.kept + outcome.simulated, outcome.points);
      guard.lock();
      if (last && done_.empty()) return;
    }
  }

  const StudySpec& study_;
  PointLoader& loader_;
  StudyDatabase& database_;
  const SweepOptions& options_;
  const std::vector<const StudyPoint*>* points_ = nullptr;
  const std::vector<std::string>* fingerprints_ = nullptr;
  std::atomic<std::size_t> next_{0};
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<StudyRow> done_;
  std::size_t working_ = 0;
  double cpu_seconds_ = 0;
  std::exception_ptr fault_;
};

}  // namespace

SweepOutcome sweep(const std::string& study_name, const SweepOptions& options) {
  Diagnostics problems;
  const std::optional<StudySpec> study = load_study(study_name, problems);
  problems.throw_if_any();
  std::vector<StudyPoint> points = points_of(*study, problems);
  problems.throw_if_any();
  PointLoader loader(points);
  refuse_if_nothing_is_valid(points, loader);
  StudyDatabase database(options.database, StudyDatabase::Mode::write);
  const std::map<std::string, std::string> known = database.fingerprints();
  SweepOutcome outcome;
  std::map<std::string, std::uint64_t> numbers;
  std::vector<const StudyPoint*> missing;
  std::vector<std::string> fingerprints;
  for (const StudyPoint& point : points) {
    if (point.number % options.shard.count != options.shard.index) continue;
    ++outcome.points;
    const std::string key = key_of(point);
    numbers.emplace(key, point.number);
    std::string fingerprint = loader.fingerprint(point, *study);
    const auto found = known.find(key);
    if (found != known.end() && found->second == fingerprint) {
      ++outcome.kept;
    } else {
      missing.push_back(&point);
      fingerprints.push_back(std::move(fingerprint));
    }
  }
  database.declare(input_names(points), metric_names(study->keep));
  database.renumber(numbers);
  Runner(*study, loader, database, options).run(missing, fingerprints, outcome);
  outcome.infeasible = database.count_of({"invalid", "launch_failure", "deadlock"});
  return outcome;
}

std::uint64_t merge_sweeps(const std::string& into, const std::vector<std::string>& from) {
  for (const std::string& file : from) {
    std::error_code ignored;
    if (std::filesystem::equivalent(into, file, ignored)) {
      throw InputError(
          fmt::format("{}: found an input as the output, expected another file", file));
    }
    const StudyDatabase readable(file, StudyDatabase::Mode::read);  // before anything is made
  }
  StudyDatabase merged(into, StudyDatabase::Mode::write);
  std::uint64_t added = 0;
  for (const std::string& file : from) {
    added += merged.add_from(StudyDatabase(file, StudyDatabase::Mode::read));
  }
  return added;
}

}  // namespace smsim
