#include "sim/import/ncu_raw.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "sim/import/compressed_file.hpp"
#include "sim/import/csv_columns.hpp"
#include "sim/import/csv_table.hpp"
#include "sim/import/ncu_units.hpp"
#include "sim/import/number_format.hpp"
#include "sim/import/problems.hpp"

namespace smsim {

namespace {

constexpr const char* kHowToExport = "'ncu --import REPORT --page raw --csv --print-units base'";

// "(256, 1, 1)"
std::optional<Dim3> parse_dim3(std::string_view text) {
  std::array<std::uint64_t, 3> sizes{};
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto skip = [&](std::string_view any) {
    while (at != end && any.find(*at) != std::string_view::npos) {
      ++at;
    }
  };
  for (std::uint64_t& size : sizes) {
    skip(" (,;x");
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size == 0) {
      return std::nullopt;
    }
    at = next;
  }
  skip(" )");
  return at == end ? std::optional(Dim3{sizes[0], sizes[1], sizes[2]}) : std::nullopt;
}

class RawReader {
 public:
  RawReader(const std::string& file, std::string_view text)
      : problems_(file), table_(parse_csv(file, text)), columns_({}) {}

  std::vector<NcuLaunch> read() {
    find_header();
    find_columns();
    read_units();
    choose_number_format();
    std::vector<NcuLaunch> launches;
    for (std::size_t i = first_; i < table_.rows.size(); ++i) {
      if (!is_remark(table_.rows[i])) {
        launches.push_back(read_launch(table_.rows[i]));
      }
    }
    if (launches.empty()) {
      problems_.add(0, "found a header and no launch below it, expected one row per launch");
    }
    problems_.throw_if_any();
    return launches;
  }

 private:
  // "==PROF== Connected to process 1210", also in the middle of the file.
  static bool is_remark(const CsvRow& row) { return row.cells[0].rfind("==", 0) == 0; }

  void find_header() {
    for (first_ = 0; first_ < table_.rows.size(); ++first_) {
      const CsvColumns columns(table_.rows[first_].cells);
      if (columns.find({"ID"}) && columns.find({"Kernel Name"})) {
        columns_ = columns;
        header_line_ = table_.rows[first_++].line;
        return;
      }
      if (columns.find({"Address"}) && columns.find({"Source"})) {
        problems_.fail(table_.rows[first_].line,
                       fmt::format("found a source page, expected a raw page: {}", kHowToExport));
      }
    }
    reject_without_header();
  }

  [[noreturn]] void reject_without_header() {
    if (table_.rows.empty()) {
      problems_.fail(0, fmt::format("found an empty file, expected what {} writes", kHowToExport));
    }
    const CsvRow* widest = &table_.rows[0];
    for (const CsvRow& row : table_.rows) {
      widest = row.cells.size() > widest->cells.size() ? &row : widest;
    }
    const CsvColumns columns(widest->cells);
    const char* const missing = columns.find({"ID"}) ? "Kernel Name" : "ID";
    problems_.fail(widest->line, fmt::format("found no header with the columns 'ID' and 'Kernel "
                                             "Name', expected what {} writes{}",
                                             kHowToExport, columns.near(missing)));
  }

  void find_columns() {
    if (columns_.find({"Metric Name"})) {
      problems_.fail(header_line_,
                     fmt::format("found one metric per row (the details page), expected one launch "
                                 "per row: {}",
                                 kHowToExport));
    }
    id_ = *columns_.find({"ID"});
    name_ = *columns_.find({"Kernel Name"});
    block_ = columns_.find({"Block Size"});
    grid_ = columns_.find({"Grid Size"});
    capability_ = columns_.find({"CC"});
    device_ = columns_.find({"device__attribute_display_name", "Device"});
    for (const char* column : {"Block Size", "Grid Size"}) {
      const std::string metric = column[0] == 'B' ? "launch__block_dim_x" : "launch__grid_dim_x";
      if (!columns_.find({column, metric})) {
        problems_.add(header_line_,
                      fmt::format("found no column '{}'{}", column, columns_.near(column)));
      }
    }
  }

  void read_units() {
    if (first_ >= table_.rows.size() || !folded(cell(table_.rows[first_], id_)).empty()) {
      problems_.fail(first_ < table_.rows.size() ? table_.rows[first_].line : header_line_,
                     "found no row with units below the header, expected one with an empty ID");
    }
    units_ = table_.rows[first_++].cells;
    units_.resize(columns_.count());
    for (const std::string& unit : units_) {
      factors_.push_back(base_unit_factor(unit));
    }
  }

  // The columns before the first metric are text, "9.0" for the compute capability included.
  bool is_metric(std::size_t column) const {
    return columns_.names()[column].find("__") != std::string::npos;
  }

  void choose_number_format() {
    NumberFormatFinder finder(problems_.file());
    for (std::size_t i = first_; i < table_.rows.size(); ++i) {
      const CsvRow& row = table_.rows[i];
      for (std::size_t column = 0; column < row.cells.size() && column < columns_.count();
           ++column) {
        if (is_metric(column)) {
          finder.see(row.cells[column], row.line);
        }
      }
    }
    format_ = finder.decide(table_.delimiter);
  }

  NcuLaunch read_launch(const CsvRow& row) {
    NcuLaunch launch;
    launch.line = row.line;
    if (row.cells.size() != columns_.count()) {
      problems_.add(row.line, fmt::format("found {} cells, expected {} as in the header",
                                          row.cells.size(), columns_.count()));
      return launch;
    }
    for (std::size_t i = 0; i < columns_.count(); ++i) {
      const std::string& name = columns_.names()[i];
      if (const std::optional<double> number = format_.parse(row.cells[i])) {
        launch.numbers.emplace(name, *number * factors_[i]);
        launch.rounded = launch.rounded || factors_[i] != 1;
      } else if (!row.cells[i].empty()) {
        launch.text.emplace(name, row.cells[i]);
      }
    }
    read_identity(row, launch);
    read_size(row, block_, "block", launch, launch.block);
    read_size(row, grid_, "grid", launch, launch.grid);
    return launch;
  }

  void read_identity(const CsvRow& row, NcuLaunch& launch) {
    const std::optional<double> id = format_.parse(cell(row, id_));
    if (!id || *id < 0 || *id > 1e9) {
      problems_.add(row.line, fmt::format("found '{}' as ID, expected the number of a launch",
                                          cell(row, id_)));
    } else {
      launch.id = static_cast<int>(*id);
    }
    launch.kernel_name = cell(row, name_);
    if (launch.kernel_name.empty()) {
      problems_.add(row.line, "found no kernel name, expected one");
    }
    launch.compute_capability = capability_ ? cell(row, *capability_) : "";
    launch.device = device_ ? cell(row, *device_) : "";
  }

  void read_size(const CsvRow& row, std::optional<std::size_t> column, const std::string& what,
                 const NcuLaunch& launch, Dim3& size) {
    if (column) {
      if (const std::optional<Dim3> read = parse_dim3(cell(row, *column))) {
        size = *read;
      } else {
        problems_.add(row.line, fmt::format("found '{}' as {} size, expected '(x, y, z)'",
                                            cell(row, *column), what));
      }
      return;
    }
    const auto dimension = [&](const char* axis) {
      const double value =
          launch.number("launch__" + what + "_dim_" + axis).value_or(1);  // reported when missing
      return value >= 1 ? static_cast<std::uint64_t>(value) : 1;
    };
    size = {dimension("x"), dimension("y"), dimension("z")};
  }

  static const std::string& cell(const CsvRow& row, std::size_t column) {
    static const std::string kNone;
    return column < row.cells.size() ? row.cells[column] : kNone;
  }

  Problems problems_;
  CsvTable table_;
  CsvColumns columns_;
  NumberFormat format_;
  std::vector<std::string> units_;
  std::vector<double> factors_;
  std::size_t first_ = 0;  // the row to read next
  int header_line_ = 0;
  std::size_t id_ = 0;
  std::size_t name_ = 0;
  std::optional<std::size_t> block_, grid_, capability_, device_;
};

}  // namespace

std::optional<double> NcuLaunch::number(std::string_view metric) const {
  const auto found = numbers.find(metric);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::vector<NcuLaunch> parse_ncu_raw(const std::string& file, std::string_view text) {
  return RawReader(file, text).read();
}

std::vector<NcuLaunch> read_ncu_raw(const std::string& path) {
  return parse_ncu_raw(path, read_file(path));
}

}  // namespace smsim
