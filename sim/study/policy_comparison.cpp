#include "sim/study/policy_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/study/sweep_report.hpp"

namespace smsim {
namespace {

constexpr const char* kCycles = "gpc__cycles_elapsed.max";

struct CyclesByPolicy {
  std::vector<std::string> policies;                            // as they come
  std::vector<std::string> others;                              // inputs besides, as they come
  std::map<std::string, std::map<std::string, double>> cycles;  // by the others, by policy
};

// "kernel=saxpy params.n=4" without its "scheduler=...".
std::string without_policy(const std::string& key, const std::string& policy) {
  const std::string part = "scheduler=" + policy;
  std::string rest = key;
  const std::size_t at = rest.find(part);
  if (at == std::string::npos) return rest;
  rest.erase(at, part.size());
  if (at < rest.size() && rest[at] == ' ') rest.erase(at, 1);
  while (!rest.empty() && rest.back() == ' ') rest.pop_back();
  return rest;
}

CyclesByPolicy group(const StudyTable& table) {
  CyclesByPolicy grouped;
  const auto column = [&table](const char* name) {
    return static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), name) -
                                    table.columns.begin());
  };
  const std::size_t policy = column("scheduler");
  const std::size_t cycles = column(kCycles);
  const std::size_t key = column("key");
  const std::size_t status = column("status");
  const std::size_t end = table.columns.size();
  if (policy == end || cycles == end || key == end || status == end) return grouped;
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& row : table.rows) {
    if (cell_text(row[status]) != "completed" || !row[cycles].number) continue;
    const std::string name = cell_text(row[policy]);
    const std::string others = without_policy(cell_text(row[key]), name);
    add(grouped.policies, name);
    add(grouped.others, others);
    grouped.cycles[others][name] = *row[cycles].number;
  }
  return grouped;
}

PolicyRow row_of(const CyclesByPolicy& grouped, const std::string& policy) {
  PolicyRow row{policy, 1, "", 0, "", 0, 0};
  double logarithms = 0;
  for (const std::string& others : grouped.others) {
    const auto& by_policy = grouped.cycles.at(others);
    if (by_policy.size() != grouped.policies.size()) continue;
    const double ratio = by_policy.at(policy) / by_policy.at(grouped.policies.front());
    logarithms += std::log(ratio);
    if (row.points == 0 || ratio < row.best_ratio) {
      row.best = others;
      row.best_ratio = ratio;
    }
    if (row.points == 0 || ratio > row.worst_ratio) {
      row.worst = others;
      row.worst_ratio = ratio;
    }
    ++row.points;
  }
  if (row.points > 0) row.mean_ratio = std::exp(logarithms / static_cast<double>(row.points));
  return row;
}

std::string change(double ratio) {
  return fmt::format("{:+.1f} %", 100 * (ratio - 1));
}

}  // namespace

std::vector<PolicyRow> compare_policies(const StudyTable& table) {
  const CyclesByPolicy grouped = group(table);
  std::vector<PolicyRow> rows;
  if (grouped.policies.size() < 2) return rows;
  for (const std::string& policy : grouped.policies) {
    rows.push_back(row_of(grouped, policy));
    if (rows.back().points == 0) return {};
  }
  return rows;
}

void write_policies(TextWriter& out, const StudyTable& table) {
  const std::vector<PolicyRow> rows = compare_policies(table);
  if (rows.empty()) return;
  out.line();
  out.paragraph(
      fmt::format("Cycles under each policy against {}, over {} points that complete "
                  "under all of them:",
                  rows.front().policy, rows.front().points));
  out.line("  policy     geometric mean   best                      worst");
  for (const PolicyRow& row : rows) {
    const auto extreme = [](double ratio, const std::string& where) {
      const std::string kernel = "kernel=";
      const bool named = where.rfind(kernel, 0) == 0;
      return cut(fmt::format("{:>7} {}", change(ratio), where.substr(named ? kernel.size() : 0)),
                 25);
    };
    out.line(fmt::format("  {:<10} {:>8} {:>7}  {:<25} {:<25}", row.policy,
                         fmt::format("{:.3f}", row.mean_ratio), change(row.mean_ratio),
                         extreme(row.best_ratio, row.best), extreme(row.worst_ratio, row.worst)));
  }
}

}  // namespace smsim
