#include <fmt/format.h>

#include "sim/report/csv_field.hpp"
#include "smsim/report.hpp"

namespace smsim {

std::string csv_field(const std::string& text) {
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

std::string csv_report(const std::vector<Result>& results) {
  std::string out = "kernel,gpu,scheduler,metric,unit,value\n";
  for (const Result& result : results) {
    const std::string run = fmt::format("{},{},{}", csv_field(result.kernel), csv_field(result.gpu),
                                        result.launch.scheduler);
    out += fmt::format("{},status,,{}\n", run, to_string(result.status));
    for (const Metric& metric : result.metrics) {
      out += fmt::format("{},{},{},{}\n", run, metric.name, metric.unit,
                         metric.value ? fmt::format("{}", *metric.value) : "");
    }
  }
  return out;
}

}  // namespace smsim
