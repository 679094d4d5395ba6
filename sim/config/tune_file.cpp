#include "sim/config/tune_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace smsim {
namespace {

constexpr std::size_t kMostValues = 1000;  // of one axis
constexpr double kMostNumber = 1e15;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// At commas that stand in no brackets: "[32, 8],64" has two items.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  for (std::string& item : items) item = trimmed(item);
  return items;
}

std::string text_of(double value) {
  return value == std::round(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

std::string not_a_range(const std::string& text) {
  return fmt::format(
      "found '{}', expected a range A:B:+S (steps of S) or A:B:*F (F times the one "
      "before) with A at most B",
      text);
}

// "8:64:*2", "8:64:+8", "8:64".
bool add_range(const std::string& text, std::vector<std::string>& values, std::string& wrong) {
  const std::size_t first = text.find(':');
  const std::size_t second = text.find(':', first + 1);
  const auto from = plain_number(trimmed(text.substr(0, first)));
  const auto to = plain_number(trimmed(text.substr(first + 1, second - first - 1)));
  const std::string step = second == std::string::npos ? "+1" : trimmed(text.substr(second + 1));
  const bool times = !step.empty() && step[0] == '*';
  const double by = step.empty() ? 0 : plain_number(step.substr(1)).value_or(0);
  const bool known = times || (!step.empty() && step[0] == '+');
  if (!from || !to || !known || *to < *from || (times ? by <= 1 || *from <= 0 : by <= 0)) {
    wrong = not_a_range(text);
    return false;
  }
  double value = *from;
  for (std::size_t i = 1; value <= *to * (1 + 1e-12); ++i) {
    if (values.size() == kMostValues) break;  // reported by its caller
    values.push_back(text_of(value));
    const double count = static_cast<double>(i);
    value = times ? *from * std::pow(by, count) : *from + (by * count);
  }
  return true;
}

// Numbers in rising order, with `default` before them; anything else stays as it was given.
void sort_numbers(std::vector<std::string>& values) {
  const auto sortable = [](const std::string& text) {
    return text == kTuneDefault || plain_number(text).has_value();
  };
  if (!std::all_of(values.begin(), values.end(), sortable)) return;
  std::stable_sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
    return plain_number(a).value_or(-kMostNumber) < plain_number(b).value_or(-kMostNumber);
  });
}

std::string on_one_line(const YAML::Node& node) {
  if (node.IsScalar()) return node.Scalar();
  YAML::Emitter out;
  out << YAML::Flow << node;
  return out.c_str();
}

// A list, or one text as --over takes it.
std::string list_text(const YAML::Node& node) {
  if (!node.IsSequence()) return on_one_line(node);
  std::string text;
  for (const auto& item : node) text += (text.empty() ? "" : ",") + on_one_line(item);
  return text;
}

void read_conditions(const ReadContext& context, const YAML::Node& node, TuneFile& out) {
  std::vector<YAML::Node> items;
  if (node.IsSequence()) {
    for (const auto& item : node) items.push_back(item);
  } else {
    items.push_back(node);
  }
  for (const YAML::Node& item : items) {
    const auto text = read_text(context, item);
    if (!text) continue;
    out.conditions.push_back({"", *text, item.Mark().line + 1, item.Mark().column + 1});
  }
}

}  // namespace

std::optional<double> plain_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || !(std::abs(value) < kMostNumber)) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::vector<std::string>> parse_tune_values(const std::string& text,
                                                          std::string& wrong) {
  std::vector<std::string> values;
  for (const std::string& item : split_list(text)) {
    if (item.empty()) {
      wrong = fmt::format("found '{}', expected values between the commas", text);
      return std::nullopt;
    }
    if (item[0] != '[' && item.find(':') != std::string::npos) {
      if (!add_range(item, values, wrong)) return std::nullopt;
    } else {
      values.push_back(item);
    }
    if (values.size() >= kMostValues) {
      wrong = fmt::format("found '{}', expected fewer than {} values", text, kMostValues);
      return std::nullopt;
    }
  }
  std::set<std::string> seen;
  for (const std::string& value : values) {
    if (seen.insert(value).second) continue;
    wrong = fmt::format("found {} twice, expected each value once", value);
    return std::nullopt;
  }
  sort_numbers(values);
  return values;
}

std::optional<TuneFile> read_tune(const ReadContext& context, const YAML::Node& document) {
  const auto node = value_of(document, "tune");
  if (!node || node->IsNull()) return std::nullopt;
  TuneFile out;
  if (!node->IsMap()) {
    context.error(*node, fmt::format("found {} as 'tune', expected a mapping of paths and values",
                                     describe(*node)));
    return out;
  }
  for (const auto& entry : *node) {
    const std::string path = entry.first.Scalar();
    if (path == "where") {
      read_conditions(context, entry.second, out);
      continue;
    }
    std::string wrong;
    const auto values = parse_tune_values(list_text(entry.second), wrong);
    if (!values) context.error(entry.second, fmt::format("{}: {}", path, wrong));
    out.axes.push_back({path, values.value_or(std::vector<std::string>{})});
  }
  return out;
}

}  // namespace smsim
