#include "sim/report/html_pack.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<std::int64_t>;

constexpr std::size_t kShortest = 12;  // lists with fewer numbers stay as they are
constexpr std::int64_t kLargest = std::int64_t{1} << 50;  // differences stay exact in a script

bool packable(const Json& value) {
  return value.is_number_integer() && value <= kLargest && value >= -kLargest;
}

// The numbers of a flat list, or none where it holds something else.
std::optional<Numbers> flat(const Json& list) {
  if (!std::all_of(list.begin(), list.end(), packable)) {
    return std::nullopt;
  }
  return list.get<Numbers>();
}

void append(std::string& text, std::int64_t number) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::uint64_t rest = number < 0 ? (static_cast<std::uint64_t>(-number) << 1) | 1
                                  : static_cast<std::uint64_t>(number) << 1;
  do {
    const std::uint64_t digit = rest & 31;
    rest >>= 5;
    text += kDigits[digit | (rest > 0 ? 32 : 0)];
  } while (rest > 0);
}

std::string differences(const Numbers& numbers, std::size_t step) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    append(text, step > 0 && i >= step ? numbers[i] - numbers[i - step] : numbers[i]);
  }
  return text;
}

// By the step that makes it shortest: 0 for noise, 1 for smooth curves, 3 for triples.
Json packed(const Numbers& numbers, std::size_t row) {
  std::string best;
  std::size_t best_step = 0;
  for (const std::size_t step : {std::size_t{0}, std::size_t{1}, row > 0 ? row : std::size_t{3}}) {
    std::string text = differences(numbers, step);
    if (best.empty() || text.size() < best.size()) {
      best = std::move(text);
      best_step = step;
    }
  }
  Json object = {{"packed", std::move(best)}, {"step", best_step}};
  if (row > 0) {
    object["row"] = row;
  }
  return object;
}

// A list of equally long lists of numbers as one list.
std::optional<Numbers> joined(const Json& rows) {
  Numbers all;
  for (const Json& row : rows) {
    if (!row.is_array() || row.empty() || row.size() != rows.front().size()) {
      return std::nullopt;
    }
    const std::optional<Numbers> numbers = flat(row);
    if (!numbers) {
      return std::nullopt;
    }
    all.insert(all.end(), numbers->begin(), numbers->end());
  }
  return all;
}

}  // namespace

Json html_packed(const Json& json) {
  if (json.is_array() && json.size() >= kShortest) {
    if (const std::optional<Numbers> numbers = flat(json)) {
      return packed(*numbers, 0);
    }
    if (const std::optional<Numbers> numbers = joined(json)) {
      return packed(*numbers, json.front().size());
    }
  }
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& item : json) {
      list.push_back(html_packed(item));
    }
    return list;
  }
  if (json.is_object()) {
    Json object = Json::object();
    for (const auto& [key, value] : json.items()) {
      object[key] = html_packed(value);
    }
    return object;
  }
  return json;
}

}  // namespace smsim
