// Results read back from JSON, for `smsim report`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "smsim/result.hpp"

namespace smsim {

/// The results in a file that `smsim run --format json` has written, one or several; compressed or
/// not. Throws InputError with every problem: no such file, no JSON, no result.
std::vector<nlohmann::ordered_json> read_documents(const std::string& path);

/// What drawing a timeline needs of a result: names, cycles, instructions and the timeline.
/// Throws InputError where the document has none.
Result timeline_result(const std::string& path, const nlohmann::ordered_json& document);

}  // namespace smsim
