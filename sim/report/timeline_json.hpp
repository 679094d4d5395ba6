// A timeline as JSON, and back.
//
// An interval costs three small numbers: those of one warp follow each other without a gap, so
// only the first needs its cycle. [100, 4, 18, 7, 1, 14, 7]: from cycle 100 on 4 cycles in state
// 18 before instruction 7, then 1 cycle in state 14, the issue of 7.
#pragma once

#include <nlohmann/json.hpp>

#include "smsim/timeline.hpp"

namespace smsim {

nlohmann::ordered_json timeline_json(const Timeline& timeline);

/// The warps, windows and flights again; bins only of the watched SM. Throws InputError where the
/// JSON is none of `timeline_json`.
Timeline timeline_from_json(const nlohmann::ordered_json& json);

}  // namespace smsim
