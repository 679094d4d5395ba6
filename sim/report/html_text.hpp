// Pieces of HTML from text and numbers that come from anywhere.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// Text for an element or an attribute: markup in it is shown, not obeyed.
std::string html_escaped(std::string_view text);

/// JSON for a <script> element, which "</script>" in a name must not end.
std::string json_for_script(const nlohmann::ordered_json& json);

/// A value as a person reads it: "-" for null, thousands separators for numbers. Escaped.
std::string html_value(const nlohmann::ordered_json& value);

/// A table of cells that are HTML already, under plain-text headings; the first column is the row's
/// heading.
std::string html_table(const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<std::vector<std::string>>& rows);

}  // namespace smsim
