// Long lists of whole numbers as short text: a timeline holds hundreds of thousands of numbers.
#pragma once

#include <nlohmann/json.hpp>

namespace smsim {

/// The document with each long list of whole numbers, or of equally long lists of them, written as
/// {"packed": "...", "step": s, "row": k}; web/src/unpack.js says how and undoes it exactly.
nlohmann::ordered_json html_packed(const nlohmann::ordered_json& json);

}  // namespace smsim
