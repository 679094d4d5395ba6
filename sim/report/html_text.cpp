#include "sim/report/html_text.hpp"

#include "smsim/report.hpp"

namespace smsim {

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string json_for_script(const nlohmann::ordered_json& json) {
  // No indentation: bins of every SM would be mostly spaces.
  const std::string text =
      json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string html_value(const nlohmann::ordered_json& value) {
  if (value.is_null()) {
    return "-";
  }
  if (value.is_number()) {
    return format_number(value.get<double>());
  }
  if (value.is_string()) {
    return html_escaped(value.get_ref<const std::string&>());
  }
  return html_escaped(value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

namespace {

// Numbers stand under each other.
std::string table_cell(const std::string& html) {
  const bool number =
      html == "-" || (!html.empty() && html.find_first_not_of("0123456789,.- %") == html.npos);
  return (number ? "<td class='number'>" : "<td>") + html + "</td>";
}

}  // namespace

std::string html_table(const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) {
    return "";
  }
  std::string html =
      "<h2>" + html_escaped(caption) + "</h2>\n<div class='scroll'><table><thead><tr>";
  for (const std::string& column : columns) {
    html += "<th scope='col'>" + html_escaped(column) + "</th>";
  }
  html += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += i == 0 ? "<th scope='row'>" + row[i] + "</th>" : table_cell(row[i]);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace smsim
