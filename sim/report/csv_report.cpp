#include <fmt/format.h>

#include "smsim/report.hpp"

namespace smsim {
namespace {

// Quoted where a comma, quote or line break would be misread (RFC 4180).
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

}  // namespace

std::string csv_report(const std::vector<Result>& results) {
  std::string out = "kernel,metric,unit,value\n";
  for (const Result& result : results) {
    const std::string kernel = field(result.kernel);
    out += fmt::format("{},status,,{}\n", kernel, to_string(result.status));
    for (const Metric& metric : result.metrics) {
      out += fmt::format("{},{},{},{}\n", kernel, metric.name, metric.unit,
                         metric.value ? fmt::format("{}", *metric.value) : "");
    }
  }
  return out;
}

}  // namespace smsim
