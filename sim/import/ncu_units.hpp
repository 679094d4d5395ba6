// Units of the raw page, scaled to what --print-units base would have printed.
#pragma once

#include <string_view>

namespace smsim {

/// What a number in `unit` is multiplied with to be in base units: 1000 for "Kbyte", 1e9 for
/// "Ghz", 1000 for "us" and "usecond" (the base is ns), 1 for what needs no scaling.
double base_unit_factor(std::string_view unit);

}  // namespace smsim
