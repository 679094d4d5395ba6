// The results of a validation as text, JSON, CSV or a page.
#pragma once

#include <string>
#include <vector>

#include "sim/compare/validation.hpp"

namespace smsim {

enum class ValidationView {
  references,  // a line for each
  families,    // a line for each family
  what_if      // a line for each pair
};

/// Tables at most 80 columns wide, and the summary. `details` adds every metric of each reference.
/// Why an import failed is left to standard error, or JSON: it holds paths as long as they are.
std::string validation_text(const std::vector<ValidatedReference>& references, ValidationView view,
                            bool details);

/// {"references": [{"name", "family", "use", "status", "metrics": {...}, "stalls": {...}}],
/// "summary": {"cycles_mape", ...}, "by_use": {...}, "by_family": {...}, "what_if": {"pairs",
/// "summary"}}. Errors of metrics are shares or differences, as in `compare`; names that end in
/// _mape, _median, _p90, _worst and _pct are percent.
std::string validation_json(const std::vector<ValidatedReference>& references);

/// One row for each metric of each reference; pairs with --by what-if, groups with --by family.
std::string validation_csv(const std::vector<ValidatedReference>& references, ValidationView view);

/// One HTML file without scripts: predicted against measured cycles, occupancy, eligible warps and
/// issue utilisation as scatter plots, and the tables.
std::string validation_page(const std::vector<ValidatedReference>& references);

}  // namespace smsim
