// smsim sweep: the points of a study, simulated on all cores and kept in a database.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/parse_number.hpp"
#include "sim/cli/progress_bar.hpp"
#include "sim/study/sweep_report.hpp"
#include "smsim/sweep.hpp"

namespace smsim::cli {
namespace {

constexpr int kMostThreads = 1024;
constexpr std::uint64_t kMostShards = 1'000'000;
constexpr std::size_t kMostInputs = 10'000;

std::optional<std::uint64_t> from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : parse_number(text);
}

std::optional<Shard> checked(std::optional<std::uint64_t> index,
                             std::optional<std::uint64_t> count) {
  if (!index || !count || *count == 0 || *count > kMostShards || *index >= *count) {
    return std::nullopt;
  }
  return Shard{*index, *count};
}

// What a batch system says of this task: Slurm's job arrays, or ranks under Open MPI.
std::optional<Shard> shard_of_environment() {
  if (const auto task = from_environment("SLURM_ARRAY_TASK_ID")) {
    const std::uint64_t first = from_environment("SLURM_ARRAY_TASK_MIN").value_or(0);
    return checked(*task >= first ? std::optional(*task - first) : std::nullopt,
                   from_environment("SLURM_ARRAY_TASK_COUNT"));
  }
  if (from_environment("SLURM_PROCID")) {
    return checked(from_environment("SLURM_PROCID"), from_environment("SLURM_NTASKS"));
  }
  return checked(from_environment("OMPI_COMM_WORLD_RANK"),
                 from_environment("OMPI_COMM_WORLD_SIZE"));
}

std::optional<Shard> parse_shard(const std::string& text) {
  if (text == "auto") return shard_of_environment();
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  return checked(parse_number(std::string_view(text).substr(0, slash)),
                 parse_number(std::string_view(text).substr(slash + 1)));
}

CommandLine make_line() {
  CommandLine line(
      "sweep STUDY [options], or sweep --merge ALL.db SHARD.db...",
      "Simulates every point of a study on all cores and keeps one row per point in an SQLite "
      "database. Started again it runs only what is missing, or what another kernel file, GPU or "
      "version changes; it may be killed at any time.\n"
      "A STUDY is a file (configs/sweeps/README.md) or one of configs/sweeps.",
      "  smsim sweep eligible_vs_occupancy\n"
      "  smsim sweep my/study.yaml --db results.db --csv > results.csv\n"
      "  smsim sweep my/study.yaml --shard 0/4        # and 1/4, 2/4, 3/4 elsewhere\n"
      "  smsim sweep --merge all.db study.shard-*.db\n");
  line.inputs(kMostInputs)
      .value("db", "FILE", "database (default: the study's name with .db, in this folder)")
      .value("threads", "N", "points simulated at a time (default: all cores)")
      .value("shard", "I/N",
             "only every N-th point, from the I-th on; 'auto': as Slurm or Open "
             "MPI number this task")
      .value("merge", "FILE", "put the rows of other databases into this one")
      .flag("verbose", "say how long it took and how busy the cores were, on stderr")
      .flag("csv", "print all rows as CSV")
      .flag("json", "print all rows as JSON");
  return line;
}

void print_table(const CommandLine& line, const std::string& database) {
  const StudyTable table = StudyDatabase(database, StudyDatabase::Mode::read).table();
  if (line.has("json")) {
    fmt::print("{}", sweep_json(table));
  } else if (line.has("csv")) {
    fmt::print("{}", sweep_csv(table));
  } else {
    fmt::print("{}", sweep_text(table));
  }
}

int merge(const CommandLine& line) {
  const std::string into = line.text("merge", "");
  const std::uint64_t added = merge_sweeps(into, line.inputs());
  if (!line.has("csv") && !line.has("json")) fmt::print("{}: {} rows added\n", into, added);
  print_table(line, into);
  return kDone;
}

std::string default_database(const std::string& study, const Shard& shard) {
  const std::string stem = std::filesystem::path(study).stem().string();
  if (shard.count == 1) return stem + ".db";
  return fmt::format("{}.shard-{}-of-{}.db", stem, shard.index, shard.count);
}

void print_speed(const SweepOutcome& outcome, int threads, std::chrono::duration<double> took) {
  const double seconds = std::max(took.count(), 1e-9);
  fmt::print(stderr,
             "{} points in {:.2f} s ({:.1f} a second), {} threads, {:.1f} % of their time inside "
             "simulations\n",
             outcome.simulated, seconds, static_cast<double>(outcome.simulated) / seconds, threads,
             100 * outcome.simulation_cpu_seconds / (seconds * threads));
}

int run(const CommandLine& line, const SweepOptions& given) {
  const std::string& study = line.inputs().front();
  SweepOptions options = given;
  ProgressBar bar(std::filesystem::path(study).stem().string());
  if (bar.visible()) {
    options.progress = [&bar](std::uint64_t done, std::uint64_t all) {
      bar.update_count(done, all);
    };
  }
  const InterruptGuard guard;
  options.interrupt = &InterruptGuard::flag();
  const auto begin = std::chrono::steady_clock::now();
  const SweepOutcome outcome = sweep(study, options);
  if (line.has("verbose")) {
    print_speed(outcome, options.threads, std::chrono::steady_clock::now() - begin);
  }
  const bool text = !line.has("csv") && !line.has("json");
  if (text) {
    fmt::print("{}: {} points, {} simulated now, {} kept, {} infeasible -> {}\n", study,
               outcome.points, outcome.simulated, outcome.kept, outcome.infeasible,
               options.database);
  }
  if (outcome.interrupted) {
    fmt::print(stderr, "interrupted: {} of {} points are done; the same command goes on\n",
               outcome.kept + outcome.simulated, outcome.points);
    return kInterrupted;
  }
  print_table(line, options.database);
  return kDone;
}

}  // namespace

int run_sweep(const Arguments& arguments) {
  CommandLine line = make_line();
  if (!line.parse(arguments)) return kDone;
  if (line.has("csv") && line.has("json")) line.problem("found --csv and --json, expected one");
  if (line.has("merge")) {
    line.refuse({"db", "threads", "shard", "verbose"}, "a study, not with --merge");
    if (line.inputs().empty()) line.problem("--merge: found no databases to merge");
    line.finish();
    return merge(line);
  }
  if (line.inputs().size() != 1) {
    line.problem(fmt::format("found {} inputs, expected one STUDY", line.inputs().size()));
  }
  SweepOptions options;
  const auto cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  options.threads = static_cast<int>(line.integer("threads", cores, 1, kMostThreads));
  if (line.has("shard")) {
    const auto shard = parse_shard(line.text("shard", ""));
    if (!shard) {
      line.problem(
          fmt::format("--shard: found '{}', expected I/N with I below N, or auto inside a "
                      "Slurm job array or under Open MPI",
                      line.text("shard", "")));
    }
    options.shard = shard.value_or(Shard{});
  }
  line.finish();
  options.database = line.text("db", default_database(line.inputs().front(), options.shard));
  return run(line, options);
}

}  // namespace smsim::cli
