#include "sim/report/html_static.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/report/html_text.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

// A member, or null: documents of older versions lack some.
const Json& at(const Json& object, const char* key) {
  static const Json kNull;
  if (!object.is_object()) {
    return kNull;
  }
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

double number_or(const Json& value, double otherwise) {
  return value.is_number() ? value.get<double>() : otherwise;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

std::string heading(const Json& run) {
  const Json& title = at(run, "gpu_title").is_null() ? at(run, "gpu") : at(run, "gpu_title");
  std::string html = fmt::format(
      "<h1>{} on {}</h1>\n<p>Status: {}. smsim {}.</p>\n", html_value(at(run, "kernel")),
      html_value(title), html_value(at(run, "status")), html_value(at(run, "smsim_version")));
  for (const char* failure : {"deadlock", "launch_failure"}) {
    if (const Json& explanation = at(at(run, failure), "explanation"); !explanation.is_null()) {
      html += "<p>" + html_value(explanation) + "</p>\n";
    }
  }
  return html;
}

std::string verdict(const Json& run) {
  const Json& verdict = at(run, "verdict");
  std::string html;
  if (const Json& summary = at(verdict, "summary");
      summary.is_string() && !summary.get_ref<const std::string&>().empty()) {
    html += "<p><strong>" + html_value(summary) + "</strong></p>\n<ol>\n";
    for (const Json& one : at(verdict, "suggestions")) {
      html += fmt::format("<li>{} ({})</li>\n", html_value(at(one, "text")),
                          html_value(at(one, "evidence")));
    }
    html += "</ol>\n";
  }
  Rows rows;
  for (const Json& bound : at(verdict, "bounds")) {
    rows.push_back({html_value(at(bound, "name")),
                    html_value(std::round(number_or(at(bound, "cycles"), 0))),
                    percent(number_or(at(bound, "share"), 0)), html_value(at(bound, "meaning"))});
  }
  return html + html_table("What each limit alone would allow",
                           {"limit", "cycles", "share of run", "meaning"}, rows);
}

std::string stalls(const Json& run) {
  const Json& ratios = at(run, "stalls");
  double all = 0;
  for (const Json& ratio : ratios) {
    all += number_or(ratio, 0);
  }
  Rows rows;
  for (const auto& [state, ratio] : ratios.items()) {
    if (number_or(ratio, 0) > 0) {
      rows.push_back({html_escaped(state), html_value(ratio), percent(number_or(ratio, 0) / all)});
    }
  }
  return html_table("Where a warp's time goes",
                    {"state", "warp cycles per issued instruction", "share"}, rows);
}

std::string occupancy(const Json& run) {
  Rows rows;
  for (const auto& [name, value] : at(run, "metrics").items()) {
    const std::string prefix = "launch__occupancy_limit_";
    if (name.rfind(prefix, 0) == 0) {
      rows.push_back({html_escaped(name.substr(prefix.size())), html_value(value)});
    }
  }
  return html_table("Occupancy limits", {"resource", "blocks per SM that it alone admits"}, rows);
}

std::string metrics(const Json& run) {
  Rows rows;
  for (const auto& [name, value] : at(run, "metrics").items()) {
    const Json& about = at(at(run, "definitions"), name.c_str());
    rows.push_back({html_escaped(name), html_value(value),
                    about.is_null() ? "" : html_value(at(about, "unit")),
                    about.is_null() ? "" : html_value(at(about, "definition"))});
  }
  return html_table("Metrics", {"metric", "value", "unit", "definition"}, rows);
}

std::string top_state(const Json& states) {
  std::string top = "-";
  double most = 0;
  for (const auto& [state, cycles] : states.items()) {
    if (state != "selected" && number_or(cycles, 0) > most) {
      most = number_or(cycles, 0);
      top = html_escaped(state);
    }
  }
  return top;
}

std::string instructions(const Json& run) {
  double all = 0;
  for (const Json& row : at(run, "instructions")) {
    all += number_or(at(row, "warp_cycles"), 0);
  }
  Rows rows;
  for (const Json& row : at(run, "instructions")) {
    const double cycles = number_or(at(row, "warp_cycles"), 0);
    const double issued = number_or(at(row, "issued"), 0);
    rows.push_back({html_value(at(row, "pc")), "<code>" + html_value(at(row, "text")) + "</code>",
                    html_value(at(row, "issued")),
                    issued > 0 ? format_number(cycles / issued) : std::string("-"),
                    top_state(at(row, "states")), all > 0 ? percent(cycles / all) : "-"});
  }
  return html_table(
      "Instructions",
      {"pc", "instruction", "issues", "warp cycles per issue", "top reason", "share of warp time"},
      rows);
}

std::string notes(const Json& run) {
  std::string html;
  for (const Json& note : at(run, "notes")) {
    html += "<li>" + html_value(note) + "</li>\n";
  }
  return html.empty() ? "" : "<h2>Notes</h2>\n<ul>\n" + html + "</ul>\n";
}

}  // namespace

std::string html_static_report(const Json& run) {
  return heading(run) + verdict(run) + occupancy(run) + stalls(run) + instructions(run) +
         metrics(run) + notes(run);
}

}  // namespace smsim
