#include "sim/study/tune_explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "smsim/report.hpp"

namespace smsim {
namespace {

constexpr double kOtherWork = 0.02;  // share of instructions, bytes
constexpr double kLeastSpills = 0.05;
constexpr double kOtherHits = 2;     // percentage points
constexpr double kOtherTail = 0.02;  // share of the cycles
constexpr double kOtherWaves = 0.005;
constexpr double kOtherWaiting = 0.05;  // share of the warp time
constexpr std::size_t kMostReasons = 5;
constexpr double kNoticed = 0.3;    // share of the cycles that DRAM takes
constexpr double kHalf = 0.5;       // of the cycles: a limit that matters
constexpr double kFullShare = 0.8;  // of a bound that more warps cannot widen

struct Reason {
  double weight = 0;  // roughly the share of the cycles that it may cost
  std::string text;
};

class Explainer {
 public:
  Explainer(const TunePoint& occupied, const TunePoint& best)
      : point_(occupied), other_(best), slow_(*occupied.result), fast_(*best.result) {}

  std::vector<std::string> run() {
    spills();
    instructions();
    hits("l1tex__t_sector_hit_rate.pct", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "L1");
    hits("lts__t_sector_hit_rate.pct", "lts__t_sectors_srcunit_tex.sum", "L2");
    traffic();
    empty_sms();
    tail();
    wider_bounds();
    waiting();
    bound();
    std::stable_sort(reasons_.begin(), reasons_.end(),
                     [](const Reason& a, const Reason& b) { return a.weight > b.weight; });
    std::vector<std::string> texts;
    for (const Reason& reason : reasons_) {
      if (texts.size() < kMostReasons) texts.push_back(reason.text);
    }
    if (texts.empty()) {
      texts.emplace_back(
          "nothing that is counted differs much: the difference is small change of "
          "when blocks start and end");
    }
    return texts;
  }

 private:
  void add(double weight, std::string text) { reasons_.push_back({weight, std::move(text)}); }

  void spills() {
    if (point_.spilled_bytes <= other_.spilled_bytes) return;
    // They cost instructions before they cost anything else.
    const double more = relative("smsp__inst_executed.sum").value_or(0);
    add(std::max(kLeastSpills, 2 * more),
        fmt::format(
            "with {} registers a thread spills {} bytes to local memory{}", point_.registers,
            point_.spilled_bytes,
            other_.spilled_bytes > 0 ? fmt::format(" instead of {}", other_.spilled_bytes) : ""));
  }

  void instructions() {
    const auto share = relative("smsp__inst_executed.sum");
    if (!share || *share < kOtherWork) return;
    add(*share,
        fmt::format("{:.1f} % more instructions are executed for the same work", 100 * *share));
  }

  // A rate alone says little (larger tiles read less, and hit less): there must be more misses.
  void hits(const char* metric, const char* sectors, const char* cache) {
    const auto slow = slow_.value(metric);
    const auto fast = fast_.value(metric);
    if (!slow || !fast || *fast - *slow < kOtherHits) return;
    const auto misses = [&](const Result& result, double hit) {
      return result.value(sectors).value_or(0) * (100 - hit);
    };
    if (misses(slow_, *slow) < misses(fast_, *fast) * (1 + kOtherWork)) return;
    add((*fast - *slow) / 100,
        fmt::format("the {} hit rate is {:.1f} % instead of {:.1f} %", cache, *slow, *fast));
  }

  // Counts as far as DRAM limits.
  void traffic() {
    const auto bytes = [](const Result& result) {
      return result.value("dram__bytes_read.sum").value_or(0) +
             result.value("dram__bytes_write.sum").value_or(0);
    };
    const double fast = bytes(fast_);
    const double share = fast > 0 ? (bytes(slow_) / fast) - 1 : 0;
    double limits = 0;
    for (const Bound& bound : slow_.verdict.bounds) {
      if (bound.name == "dram_bandwidth") limits = bound.share.value_or(0);
    }
    if (share < kOtherWork || limits < kNoticed) return;
    add(share * limits, fmt::format("{:.1f} % more bytes move between DRAM and L2", 100 * share));
  }

  void empty_sms() {
    const auto empty = [](const Result& result) {
      return result.value("launch__sm_count").value_or(0) -
             result.value("launch__grid_size").value_or(0);
    };
    if (empty(slow_) <= 0 || empty(slow_) <= empty(fast_)) return;
    const double sms = slow_.value("launch__sm_count").value_or(1);
    add(0.1 + (empty(slow_) / sms),
        fmt::format("{:.0f} of {:.0f} SMs get none of its {:.0f} blocks", empty(slow_), sms,
                    slow_.value("launch__grid_size").value_or(0)));
  }

  void tail() {
    const auto share = [](const Result& result) {
      const double cycles = result.value("gpc__cycles_elapsed.max").value_or(0);
      return cycles > 0 ? result.value("smsim__tail_cycles").value_or(0) / cycles : 0;
    };
    const double more = share(slow_) - share(fast_);
    if (more < kOtherTail) return;
    const auto waves = [](const Result& result) {
      return result.value("launch__waves_per_multiprocessor").value_or(0);
    };
    const double changed = std::abs(waves(slow_) - waves(fast_));
    add(more, fmt::format("the tail, in which SMs already stand idle, is {:.1f} % of its cycles "
                          "instead of {:.1f} %{}",
                          100 * share(slow_), 100 * share(fast_),
                          changed < kOtherWaves ? ""
                                                : fmt::format(" ({:.2f} waves instead of {:.2f})",
                                                              waves(slow_), waves(fast_))));
  }

  // The state in which its warps spend most of the time that they spend more.
  void waiting() {
    std::size_t largest = kWarpStates;
    double most = 0;
    double all = 0;
    for (std::size_t state = 0; state < kWarpStates; ++state) {
      const double slow = warp_time(slow_, state);
      all += slow;
      const double more = slow - warp_time(fast_, state);
      if (more > most) {
        most = more;
        largest = state;
      }
    }
    if (largest == kWarpStates || all <= 0 || most / all < kOtherWaiting) return;
    const double before = warp_time(fast_, largest);
    add(0.01, fmt::format("its warps are {}in {}: {:.0f} % of their time",
                          before > 0
                              ? fmt::format("{:.1f} x as long ", warp_time(slow_, largest) / before)
                              : std::string(),
                          kWarpStateNames[largest], 100 * warp_time(slow_, largest) / all));
  }

  // A limit that asks for more cycles than it does in the fastest configuration.
  void wider_bounds() {
    for (const Bound& slow : slow_.verdict.bounds) {
      if (slow.share.value_or(0) < kHalf || slow.name == "latency") continue;
      for (const Bound& fast : fast_.verdict.bounds) {
        if (fast.name != slow.name || slow.cycles < fast.cycles * (1 + kOtherWaiting)) continue;
        add((slow.cycles - fast.cycles) / std::max(slow.cycles, 1.0),
            fmt::format("{} alone takes {} cycles instead of {}", slow.name,
                        format_number(std::round(slow.cycles)),
                        format_number(std::round(fast.cycles))));
      }
    }
  }

  void bound() {
    if (slow_.verdict.bound != fast_.verdict.bound) {
      add(0.005, fmt::format("it is bound by {}, the fastest by {}", slow_.verdict.bound,
                             fast_.verdict.bound));
      return;
    }
    for (const Bound& one : fast_.verdict.bounds) {
      if (one.name != fast_.verdict.bound || one.share.value_or(0) < kFullShare) continue;
      add(0.005, fmt::format("the fastest already reaches {:.0f} % of its bound, {}: more warps do "
                             "not widen it",
                             100 * *one.share, one.name));
    }
  }

  static double warp_time(const Result& result, std::size_t state) {
    return result.stalls[state].value_or(0) * result.value("smsp__inst_issued.sum").value_or(0);
  }

  [[nodiscard]] std::optional<double> relative(const char* metric) const {
    const auto slow = slow_.value(metric);
    const auto fast = fast_.value(metric);
    if (!slow || !fast || *fast <= 0) return std::nullopt;
    return (*slow / *fast) - 1;
  }

  const TunePoint& point_;
  const TunePoint& other_;
  const Result& slow_;
  const Result& fast_;
  std::vector<Reason> reasons_;
};

}  // namespace

std::vector<std::string> why_slower(const TunePoint& occupied, const TunePoint& best) {
  return Explainer(occupied, best).run();
}

}  // namespace smsim
