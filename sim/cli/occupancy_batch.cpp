#include "sim/cli/occupancy_batch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cli/csv.hpp"
#include "sim/config/suggest.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/gpu_file.hpp"

namespace smsim::cli {

namespace {

// Far beyond any limit, so that what a row asks for is refused by the rules and not by us.
constexpr std::int64_t kLargest = 1'000'000'000;

constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";  // Excel writes one

const std::vector<std::string> kRequired{"gpu", "block", "regs", "smem_static", "smem_dynamic"};
const std::vector<std::string> kOptional{"barriers", "carveout_pct", "smem_optin", "cluster"};
const std::vector<std::string> kAdded{
    "blocks_per_sm", "warps_per_sm",    "theoretical_occupancy_pct", "limit_warps",
    "limit_blocks",  "limit_registers", "limit_shared_mem",          "limiter"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Batch {
 public:
  explicit Batch(std::string name) : name_(std::move(name)) {}

  std::string run(std::istream& input) {
    std::string line;
    while (std::getline(input, line)) {
      ++line_number_;
      if (!line.empty() && line.back() == '\r') {
        line.pop_back();
      }
      if (line_number_ == 1 && line.rfind(kByteOrderMark, 0) == 0) {
        line.erase(0, std::string_view(kByteOrderMark).size());
      }
      if (std::count(line.begin(), line.end(), '"') % 2 != 0) {
        error(static_cast<int>(line.rfind('"')) + 1,
              "found a quote without its end, expected both on one line");
        continue;
      }
      if (line.find_first_not_of(" \t") == std::string::npos) {
        continue;
      }
      const std::vector<CsvCell> cells = split_csv_line(line);
      if (columns_.empty()) {
        read_heading(cells);
      } else {
        answer(cells);
      }
    }
    if (columns_.empty() && problems_.empty()) {
      error(0,
            "found no heading, expected at least " + fmt::format("{}", fmt::join(kRequired, ",")));
    }
    if (!problems_.empty()) {
      throw InputError(problems_);
    }
    return output_;
  }

 private:
  void error(int column, const std::string& message) {
    problems_.push_back({name_, column == 0 ? 0 : line_number_, column, message});
  }

  void read_heading(const std::vector<CsvCell>& cells) {
    for (const CsvCell& cell : cells) {
      if ((contains(kRequired, cell.text) || contains(kOptional, cell.text)) &&
          contains(columns_, cell.text)) {
        error(cell.column, fmt::format("found column '{}' a second time", cell.text));
      }
      columns_.push_back(cell.text);
      if (!contains(kAdded, cell.text)) {  // a batch of a batch's output answers anew
        output_ += cell.raw + ",";
      }
    }
    output_ += occupancy_csv_heading() + "\n";
    for (const std::string& name : kRequired) {
      if (!contains(columns_, name)) {
        error(1, fmt::format("found no column '{}', expected {}{}", name, fmt::join(kRequired, ","),
                             did_you_mean(name, columns_)));
      }
    }
    if (!problems_.empty()) {  // the rows would repeat the same complaint
      throw InputError(problems_);
    }
  }

  void answer(const std::vector<CsvCell>& cells) {
    if (cells.size() != columns_.size()) {
      error(1, fmt::format("found {} cells, expected {}", cells.size(), columns_.size()));
      return;
    }
    const std::size_t problems_before = problems_.size();
    const GpuSpec* gpu = gpu_of(cell(cells, "gpu"));
    const BlockRequest request = request_of(cells);
    if (gpu == nullptr || problems_.size() != problems_before) {
      return;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!contains(kAdded, columns_[i])) {
        output_ += cells[i].raw;
        output_ += ',';
      }
    }
    output_ += occupancy_csv_values(occupancy(*gpu, request));
    output_ += '\n';
  }

  BlockRequest request_of(const std::vector<CsvCell>& cells) {
    BlockRequest request;
    request.threads = static_cast<int>(number(cells, "block", std::nullopt, 0, kLargest));
    request.registers = static_cast<int>(number(cells, "regs", std::nullopt, 0, kLargest));
    request.smem_static_bytes = number(cells, "smem_static", std::nullopt, 0, kLargest);
    request.smem_dynamic_bytes = number(cells, "smem_dynamic", std::nullopt, 0, kLargest);
    request.barriers = static_cast<int>(number(cells, "barriers", 1, 0, kLargest));
    request.carveout_pct = static_cast<int>(number(cells, "carveout_pct", -1, -1, 100));
    request.cluster = static_cast<int>(number(cells, "cluster", 1, 1, kLargest));
    request.smem_optin = yes_or_no(cells, "smem_optin");
    return request;
  }

  // nullptr when the input has no such column.
  const CsvCell* cell(const std::vector<CsvCell>& cells, const std::string& name) const {
    const auto found = std::find(columns_.begin(), columns_.end(), name);
    return found == columns_.end() ? nullptr
                                   : &cells[static_cast<std::size_t>(found - columns_.begin())];
  }

  std::int64_t number(const std::vector<CsvCell>& cells, const std::string& name,
                      std::optional<std::int64_t> fallback, std::int64_t min, std::int64_t max) {
    const CsvCell* found = cell(cells, name);
    if (fallback && (found == nullptr || found->text.empty())) {
      return *fallback;
    }
    const std::string& text = found->text;
    std::int64_t value = 0;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || stop != text.data() + text.size() || value < min || value > max) {
      error(found->column,
            fmt::format("{}: found '{}', expected an integer from {} to {}", name, text, min, max));
      return min;
    }
    return value;
  }

  bool yes_or_no(const std::vector<CsvCell>& cells, const std::string& name) {
    const CsvCell* found = cell(cells, name);
    if (found == nullptr || found->text.empty()) {
      return true;
    }
    for (const char* yes : {"yes", "true", "1"}) {
      if (found->text == yes) {
        return true;
      }
    }
    for (const char* no : {"no", "false", "0"}) {
      if (found->text == no) {
        return false;
      }
    }
    error(found->column, fmt::format("{}: found '{}', expected yes or no", name, found->text));
    return true;
  }

  // Loaded once each; nullptr (and a problem per row) for one that cannot be.
  const GpuSpec* gpu_of(const CsvCell* name) {
    auto known = gpus_.find(name->text);
    if (known == gpus_.end()) {
      Loaded loaded;
      try {
        loaded.spec = load_gpu(name->text).spec;
      } catch (const InputError& failure) {
        loaded.message = failure.diagnostics().front().message;
      }
      known = gpus_.emplace(name->text, std::move(loaded)).first;
    }
    if (!known->second.spec) {
      error(name->column, known->second.message);
      return nullptr;
    }
    return &*known->second.spec;
  }

  struct Loaded {
    std::optional<GpuSpec> spec;
    std::string message;
  };

  std::string name_;
  int line_number_ = 0;
  std::vector<std::string> columns_;
  std::map<std::string, Loaded> gpus_;
  std::vector<Diagnostic> problems_;
  std::string output_;
};

}  // namespace

std::string occupancy_csv_heading() {
  return fmt::format("{}", fmt::join(kAdded, ","));
}

std::string occupancy_csv_values(const Occupancy& result) {
  return fmt::format("{},{},{:.2f},{},{},{},{},{}", result.blocks_per_sm, result.warps_per_sm,
                     result.theoretical_pct, result.limits.warps, result.limits.blocks,
                     result.limits.registers, result.limits.shared_mem,
                     fmt::join(result.limiters, "+"));
}

std::string occupancy_batch(std::istream& input, const std::string& name) {
  return Batch(name).run(input);
}

}  // namespace smsim::cli
