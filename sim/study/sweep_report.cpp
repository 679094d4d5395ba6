#include "sim/study/sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/report/csv_field.hpp"
#include "sim/report/text_writer.hpp"
#include "sim/study/policy_comparison.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCycles = "gpc__cycles_elapsed.max";
constexpr std::size_t kMostReasons = 5;

std::optional<std::size_t> find_column(const StudyTable& table, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns.begin());
}

void write_extremes(TextWriter& out, const StudyTable& table) {
  const auto cycles = find_column(table, kCycles);
  const auto key = find_column(table, "key");
  if (!cycles || !key) return;
  const std::vector<StudyTable::Cell>* fastest = nullptr;
  const std::vector<StudyTable::Cell>* slowest = nullptr;
  for (const auto& row : table.rows) {
    if (!row[*cycles].number || cell_text(row[*find_column(table, "status")]) != "completed")
      continue;
    if (fastest == nullptr || *row[*cycles].number < *(*fastest)[*cycles].number) fastest = &row;
    if (slowest == nullptr || *row[*cycles].number > *(*slowest)[*cycles].number) slowest = &row;
  }
  if (fastest == nullptr) return;
  const auto write = [&](const char* word, const std::vector<StudyTable::Cell>& row) {
    out.paragraph(
        fmt::format("{} cycles: {}", format_number(*row[*cycles].number), cell_text(row[*key])),
        fmt::format("  {} ", word), "    ");
  };
  write("fastest", *fastest);
  if (slowest != fastest) write("slowest", *slowest);
}

void write_infeasible(TextWriter& out, const StudyTable& table) {
  const std::size_t status = *find_column(table, "status");
  const std::size_t reason = *find_column(table, "reason");
  std::vector<std::pair<std::string, std::size_t>> reasons;
  for (const auto& row : table.rows) {
    const std::string state = cell_text(row[status]);
    if (state == "completed" || state == "max_cycles") continue;
    const std::string text = state + ": " + cell_text(row[reason]);
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const auto& one) { return one.first == text; });
    known == reasons.end() ? reasons.emplace_back(text, 1) : * known = {text, known->second + 1};
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i) {
    out.paragraph(reasons[i].first, fmt::format("  {} x ", reasons[i].second), "      ");
  }
  if (reasons.size() > kMostReasons) {
    out.line(fmt::format("  and {} other reasons", reasons.size() - kMostReasons));
  }
}

}  // namespace

std::string cell_text(const StudyTable::Cell& cell) {
  if (cell.text) return *cell.text;
  return cell.number ? fmt::format("{}", *cell.number) : "";
}

std::string sweep_text(const StudyTable& table) {
  TextWriter out;
  write_extremes(out, table);
  write_infeasible(out, table);
  write_policies(out, table);
  return out.take();
}

std::string sweep_csv(const StudyTable& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out += (i > 0 ? "," : "") + csv_field(table.columns[i]);
  }
  out += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (i > 0 ? "," : "") + csv_field(cell_text(row[i]));
    }
    out += "\n";
  }
  return out;
}

std::string sweep_json(const StudyTable& table) {
  Json list = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      object[table.columns[i]] = row[i].text     ? Json(*row[i].text)
                                 : row[i].number ? Json(*row[i].number)
                                                 : Json(nullptr);
    }
    list.push_back(std::move(object));
  }
  return list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smsim
