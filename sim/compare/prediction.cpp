#include "sim/compare/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/import/compressed_file.hpp"
#include "sim/import/problems.hpp"

namespace smsim {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kExpected = "expected what 'smsim run KERNEL --format json' prints";

Json parse_json(std::string_view text, Problems& problems) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte);
    const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    problems.fail(line, fmt::format("found no valid JSON, {}", kExpected));
  } catch (const Json::out_of_range&) {
    problems.fail(0, "found a number beyond all range, expected finite ones");
  }
}

// Reports come one by one or as an array; one is wanted.
const Json& only_report(const Json& json, Problems& problems) {
  if (!json.is_array()) {
    return json;
  }
  if (json.size() != 1) {
    std::string kernels;
    for (const Json& report : json) {
      kernels += "\n  " + (report.is_object() ? report.value("kernel", std::string("?")) : "?");
    }
    problems.fail(0, fmt::format("found predictions of {} kernels, expected one: run that kernel "
                                 "alone{}",
                                 json.size(), kernels));
  }
  return json[0];
}

std::string text_of(const Json& report, const char* key) {
  const auto found = report.find(key);
  return found != report.end() && found->is_string() ? found->get<std::string>() : "";
}

Prediction::Values values_of(const Json& report, const char* key, Problems& problems) {
  Prediction::Values values;
  const auto found = report.find(key);
  if (found == report.end() || !found->is_object()) {
    problems.add(0, fmt::format("found no '{}', {}", key, kExpected));
    return values;
  }
  for (const auto& [name, value] : found->items()) {
    if (value.is_number()) {
      values.emplace_back(name, value.get<double>());
    } else if (value.is_null()) {
      values.emplace_back(name, std::nullopt);
    } else {
      problems.add(0,
                   fmt::format("found {} as '{}', expected a number or null", value.dump(), name));
    }
  }
  return values;
}

Dim3 dim_of(const Json& report, const char* key, Problems& problems) {
  const auto launch = report.find("launch");
  const bool known = launch != report.end() && launch->is_object() && launch->contains(key);
  const Json size = known ? (*launch)[key] : Json();
  const bool whole =
      size.is_array() && size.size() == 3 &&
      std::all_of(size.begin(), size.end(), [](const Json& n) { return n.is_number_unsigned(); });
  if (!whole) {
    problems.add(0, fmt::format("found no 'launch.{}' of three numbers, {}", key, kExpected));
    return {};
  }
  return {size[0].get<std::uint64_t>(), size[1].get<std::uint64_t>(), size[2].get<std::uint64_t>()};
}

}  // namespace

Prediction prediction_of(const Result& result) {
  Prediction prediction;
  prediction.file = result.kernel;
  prediction.status = to_string(result.status);
  prediction.gpu = result.gpu;
  prediction.kernel = result.kernel;
  prediction.grid = result.launch.grid;
  prediction.block = result.launch.block;
  for (const Metric& metric : result.metrics) {
    prediction.metrics.emplace_back(metric.name, metric.value);
  }
  for (std::size_t state = 0; state < kWarpStates; ++state) {
    prediction.stalls.emplace_back(kWarpStateNames[state], result.stalls[state]);
  }
  return prediction;
}

Prediction parse_prediction(const std::string& file, std::string_view text) {
  Problems problems(file);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    problems.fail(0, fmt::format("found an empty file, {}", kExpected));
  }
  const Json json = parse_json(text, problems);
  const Json& report = only_report(json, problems);
  if (!report.is_object()) {
    problems.fail(0, fmt::format("found JSON of another kind, {}", kExpected));
  }
  Prediction prediction;
  prediction.file = file;
  prediction.status = text_of(report, "status");
  prediction.gpu = text_of(report, "gpu");
  prediction.kernel = text_of(report, "kernel");
  prediction.metrics = values_of(report, "metrics", problems);
  prediction.stalls = values_of(report, "stalls", problems);
  prediction.grid = dim_of(report, "grid", problems);
  prediction.block = dim_of(report, "block", problems);
  problems.throw_if_any();
  return prediction;
}

Prediction read_prediction(const std::string& path) {
  return parse_prediction(path, read_file(path == "-" ? "/dev/stdin" : path));
}

}  // namespace smsim
