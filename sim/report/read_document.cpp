#include "sim/report/read_document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/import/compressed_file.hpp"
#include "sim/import/problems.hpp"
#include "sim/report/timeline_json.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostCycles = 1e15;
constexpr const char* kExpected = "expected what 'smsim run KERNEL --format json' prints";

Json parse(const std::string& path, const std::string& text) {
  Problems problems(path);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = static_cast<int>(std::count(text.begin(), end, '\n')) + 1;
    problems.fail(line, fmt::format("found no valid JSON, {}", kExpected));
  } catch (const Json::out_of_range&) {
    problems.fail(0, "found a number beyond all range, expected finite ones");
  }
}

bool is_result(const Json& json) {
  const auto has = [&json](const char* key, auto is) {
    const auto found = json.find(key);
    return found != json.end() && ((*found).*is)();
  };
  return json.is_object() && has("kernel", &Json::is_string) && has("status", &Json::is_string) &&
         has("metrics", &Json::is_object);
}

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::vector<Json> read_documents(const std::string& path) {
  const Json json = parse(path, read_file(path == "-" ? "/dev/stdin" : path));
  std::vector<Json> documents;
  if (json.is_array()) {
    documents.assign(json.begin(), json.end());
  } else {
    documents.push_back(json);
  }
  Problems problems(path);
  if (documents.empty()) problems.add(0, fmt::format("found no result, {}", kExpected));
  for (const Json& one : documents) {
    if (!is_result(one)) problems.add(0, fmt::format("found JSON of another kind, {}", kExpected));
  }
  problems.throw_if_any();
  return documents;
}

Result timeline_result(const std::string& path, const Json& document) {
  Result result;
  result.smsim_version = text_of(document, "smsim_version");
  result.gpu = text_of(document, "gpu");
  result.kernel = text_of(document, "kernel");
  if (document.find("timeline") == document.end()) {
    Problems(path).fail(0, fmt::format("found no timeline of {}, expected one as 'smsim run KERNEL "
                                       "--format json --timeline' prints it",
                                       result.kernel));
  }
  try {
    result.timeline = std::make_shared<const Timeline>(timeline_from_json(document.at("timeline")));
    for (const auto& [name, value] : document.at("metrics").items()) {
      if (!value.is_number()) continue;
      const auto number = value.get<double>();
      if (name == "gpc__cycles_elapsed.max" && !(number >= 0 && number <= kMostCycles)) {
        throw InputError(fmt::format("found {} as {}, expected 0 to 1e15", value.dump(), name));
      }
      result.metrics.push_back({name, "", number});
    }
    for (const Json& one : document.at("instructions")) {
      InstructionBreakdown row;
      row.pc = one.at("pc").get<std::uint32_t>();
      row.source_line = one.at("line").get<std::uint32_t>();
      row.text = one.at("text").get<std::string>();
      result.instructions.push_back(row);
    }
    result.residency.max_warps_per_sm = document.at("occupancy").at("max_warps_per_sm").get<int>();
  } catch (const Json::exception& wrong) {
    Problems(path).fail(0,
                        fmt::format("found a damaged timeline ({}), {}", wrong.what(), kExpected));
  } catch (const InputError& wrong) {
    Problems(path).fail(0, wrong.diagnostics().front().message);
  }
  return result;
}

}  // namespace smsim
