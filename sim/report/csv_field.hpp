// One field of a CSV row.
#pragma once

#include <string>

namespace smsim {

/// Quoted where a comma, quote or line break would be misread (RFC 4180).
std::string csv_field(const std::string& text);

}  // namespace smsim
