// What a report's page says where scripts do not run: verdict and tables, as HTML.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace smsim {

std::string html_static_report(const nlohmann::ordered_json& run);

}  // namespace smsim
