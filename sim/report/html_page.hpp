// A report as one HTML file: data, script and styles in it, nothing fetched from anywhere.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace smsim {

/// Whether the page's script is part of this build (CMake's SMSIM_WEB); without it no page can be
/// made, and html_page throws std::logic_error.
bool html_available();

/// The report of one run, or two runs side by side. Each is a document of json_report, with
/// "timeline", "occupancy" and "configuration" where they are to be shown.
std::string html_page(const std::vector<nlohmann::ordered_json>& runs);

/// What another kind of page brings along; the script of web/ shows it by its kind.
struct HtmlContent {
  std::string kind;             // "report", "lesson"
  std::string title;            // plain text
  nlohmann::ordered_json data;  // an object; "kind" is added
  std::string static_body;      // HTML to read where scripts do not run
};
std::string html_page(const HtmlContent& content);

}  // namespace smsim
