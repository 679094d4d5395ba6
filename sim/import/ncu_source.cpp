#include "sim/import/ncu_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/import/compressed_file.hpp"
#include "sim/import/csv_columns.hpp"
#include "sim/import/csv_table.hpp"
#include "sim/import/number_format.hpp"
#include "sim/import/problems.hpp"
#include "sim/import/sass_text.hpp"

namespace smsim {

namespace {

constexpr const char* kHowToExport =
    "'ncu --import REPORT --page source --csv --print-source sass'";

constexpr std::uint64_t kBytesPerInstruction = 16;

// A numeric column: its names in this and older versions, newest first, and where it goes.
struct NumberColumn {
  std::vector<std::string_view> names;
  std::optional<double> NcuSourceRow::*field;
};

const std::vector<std::string_view> kExecutedNames{"Instructions Executed",
                                                   "# Instructions Executed", "# Inst Executed",
                                                   "Inst Executed", "inst_executed"};

const std::vector<NumberColumn>& number_columns() {
  static const std::vector<NumberColumn> kColumns{
      {{"Thread Instructions Executed", "# Thread Instructions Executed", "# Thread Inst Executed"},
       &NcuSourceRow::thread_executed},
      {{"Predicated-On Thread Instructions Executed",
        "# Predicated-On Thread Instructions Executed", "# Predicated-On Thread Inst Executed"},
       &NcuSourceRow::predicated_on_threads},
      {{"Divergent Branches", "# Divergent Branches"}, &NcuSourceRow::divergent_branches},
      {{"# Samples", "Samples", "Warp Stall Sampling (All Samples)",
        "Warp Stall Sampling (All Cycles)", "Sampling Data (All)"},
       &NcuSourceRow::samples},
      {{"L1 Tag Requests Global"}, &NcuSourceRow::tag_requests_global},
      {{"L2 Theoretical Sectors Global"}, &NcuSourceRow::sectors_global},
      {{"L2 Theoretical Sectors Global Ideal"}, &NcuSourceRow::sectors_global_ideal},
      {{"L2 Theoretical Sectors Local"}, &NcuSourceRow::sectors_local},
      {{"L1 Conflicts Shared N-Way"}, &NcuSourceRow::conflicts_shared_n_way},
      {{"L1 Wavefronts Shared"}, &NcuSourceRow::wavefronts_shared},
      {{"L1 Wavefronts Shared Ideal"}, &NcuSourceRow::wavefronts_shared_ideal},
      {{"Access Size"}, &NcuSourceRow::access_size_bits},
  };
  return kColumns;
}

// Where the columns of one block are; a file may have blocks with different ones.
struct Layout {
  CsvColumns columns{{}};
  std::size_t address = 0;
  std::size_t source = 0;
  std::size_t executed = 0;
  std::optional<std::size_t> space, operation;
  struct Number {
    std::size_t column;
    std::optional<double> NcuSourceRow::*field;
  };
  std::vector<Number> numbers;
};

bool names_a_kernel(const CsvRow& row) {
  return folded(row.cells[0]) == "kernel name";
}

bool is_header(const CsvRow& row) {
  return row.cells.size() > 2 && CsvColumns(row.cells).find({"Address", "Source"}).has_value();
}

class SourceReader {
 public:
  SourceReader(const std::string& file, std::string_view text)
      : problems_(file), table_(parse_csv(file, text)) {}

  std::vector<NcuSourceBlock> read() {
    choose_number_format();
    for (const CsvRow& row : table_.rows) {
      if (row.cells[0].rfind("==", 0) == 0) {  // "==PROF== ..."
        continue;
      }
      if (names_a_kernel(row)) {
        begin_block(row);
      } else if (inside_) {
        layout_ ? read_row(row) : read_header(row);
      }
    }
    end_block();
    if (blocks_.empty()) {
      reject_without_block();
    }
    problems_.throw_if_any();
    return std::move(blocks_);
  }

 private:
  void choose_number_format() {
    NumberFormatFinder finder(problems_.file());
    for (const CsvRow& row : table_.rows) {
      for (const std::string& cell : row.cells) {
        finder.see(cell, row.line);
      }
    }
    format_ = finder.decide(table_.delimiter);
  }

  [[noreturn]] void reject_without_block() {
    problems_.throw_if_any();
    if (table_.rows.empty()) {
      problems_.fail(0, fmt::format("found an empty file, expected what {} writes", kHowToExport));
    }
    const CsvRow& first = table_.rows[0];
    problems_.fail(first.line,
                   fmt::format("found no 'Kernel Name' row{}, expected what {} writes",
                               is_header(first) ? " above the header" : "", kHowToExport));
  }

  void begin_block(const CsvRow& row) {
    end_block();
    inside_ = true;
    layout_.reset();
    block_ = {};
    block_.line = row.line;
    block_.kernel_name = row.cells.size() > 1 ? row.cells[1] : "";
    if (block_.kernel_name.empty()) {
      problems_.add(row.line, "found no name after 'Kernel Name', expected one");
    }
  }

  void end_block() {
    if (!inside_) {
      return;
    }
    if (block_.rows.empty() && !broken_header_) {
      problems_.add(block_.line, fmt::format("found no instruction of kernel '{}', expected a "
                                             "header and a row for each; was the report made with "
                                             "--import-source yes or --set full?",
                                             block_.kernel_name));
    }
    blocks_.push_back(std::move(block_));
    inside_ = false;
    broken_header_ = false;
  }

  void read_header(const CsvRow& row) {
    Layout layout;
    layout.columns = CsvColumns(row.cells);
    layout.address = required(row, layout.columns, {"Address"});
    layout.source = required(row, layout.columns, {"Source"});
    layout.executed = required(row, layout.columns, kExecutedNames);
    layout.space = layout.columns.find({"Address Space"});
    layout.operation = layout.columns.find({"Access Operation"});
    for (const NumberColumn& number : number_columns()) {
      if (const auto column = layout.columns.find(number.names)) {
        layout.numbers.push_back({*column, number.field});
      }
    }
    inside_ = true;
    layout_ = std::move(layout);
  }

  std::size_t required(const CsvRow& row, const CsvColumns& columns,
                       const std::vector<std::string_view>& names) {
    const auto found = columns.find(names);
    if (!found) {
      problems_.add(row.line,
                    fmt::format("found no column '{}'{}", names[0], columns.near(names[0])));
      broken_header_ = true;
    }
    return found.value_or(0);
  }

  void read_row(const CsvRow& row) {
    if (broken_header_) {
      return;
    }
    if (row.cells.size() != layout_->columns.count()) {
      problems_.add(row.line, fmt::format("found {} cells, expected {} as in the header",
                                          row.cells.size(), layout_->columns.count()));
      return;
    }
    NcuSourceRow out;
    out.line = row.line;
    read_place(row, out);
    out.executed = read_number(row, layout_->executed).value_or(-1);
    if (out.executed < 0) {
      report_number(row, layout_->executed);
    }
    for (const Layout::Number& number : layout_->numbers) {
      out.*number.field = read_number(row, number.column);
      if (!(out.*number.field) && !is_absent(row.cells[number.column])) {
        report_number(row, number.column);
      }
    }
    out.address_space = word(row, layout_->space);
    out.access_operation = word(row, layout_->operation);
    block_.rows.push_back(std::move(out));
  }

  std::optional<double> read_number(const CsvRow& row, std::size_t column) const {
    return format_.parse(row.cells[column]);
  }

  void report_number(const CsvRow& row, std::size_t column) {
    problems_.add(row.line, fmt::format("found '{}' as '{}', expected a number", row.cells[column],
                                        layout_->columns.names()[column]));
  }

  static std::string word(const CsvRow& row, std::optional<std::size_t> column) {
    return column && !is_absent(row.cells[*column]) ? row.cells[*column] : "";
  }

  void read_place(const CsvRow& row, NcuSourceRow& out) {
    const std::string& cell = row.cells[layout_->address];
    const std::optional<std::uint64_t> address = parse_hex(cell);
    if (!address) {
      problems_.add(row.line,
                    fmt::format("found '{}' as address, expected a hexadecimal number, as {} "
                                "writes",
                                cell, kHowToExport));
      return;
    }
    if (block_.rows.empty()) {
      block_.base = *address;
    }
    const std::uint64_t expected =
        block_.rows.empty() ? *address
                            : block_.base + block_.rows.back().address + kBytesPerInstruction;
    if (*address < expected || (*address - block_.base) % kBytesPerInstruction != 0) {
      problems_.add(row.line, fmt::format("found address {}, expected 0x{:x}", cell, expected));
    }
    out.address = *address - block_.base;
    out.text = squeezed(row.cells[layout_->source]);
    if (out.text.empty()) {
      problems_.add(row.line, "found no instruction in column 'Source', expected one");
    }
  }

  Problems problems_;
  CsvTable table_;
  NumberFormat format_;
  std::optional<Layout> layout_;
  NcuSourceBlock block_;
  bool inside_ = false;
  bool broken_header_ = false;
  std::vector<NcuSourceBlock> blocks_;
};

// Targets are absolute in the page: what lies within the block becomes relative to it, and a call
// of something else stays as it is. Predicates are split off.
void finish(NcuSourceBlock& block) {
  const std::uint64_t size = block.rows.back().address + kBytesPerInstruction;
  const auto relative = [&](std::uint64_t value) {
    return value >= block.base && value <= block.base + size ? std::optional(value - block.base)
                                                             : std::nullopt;
  };
  for (NcuSourceRow& row : block.rows) {
    if (has_code_target(row.text)) {
      row.text = with_hex_operands(row.text, relative);
    }
    row.predicate = predicate_of(row.text);
    row.text.erase(0, row.predicate.empty() ? 0 : row.predicate.size() + 1);
  }
}

}  // namespace

std::vector<NcuSourceBlock> parse_ncu_source(const std::string& file, std::string_view text) {
  std::vector<NcuSourceBlock> blocks = SourceReader(file, text).read();
  std::for_each(blocks.begin(), blocks.end(), finish);
  return blocks;
}

std::vector<NcuSourceBlock> read_ncu_source(const std::string& path) {
  return parse_ncu_source(path, read_file(path));
}

}  // namespace smsim
