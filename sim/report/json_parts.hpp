// JSON that more than one report has.
#pragma once

#include <nlohmann/json.hpp>

#include "smsim/simulate.hpp"

namespace smsim {

nlohmann::ordered_json launch_failure_json(const LaunchFailure& failure);

}  // namespace smsim
