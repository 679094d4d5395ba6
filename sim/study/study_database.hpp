// The rows of a study in SQLite: one per point, made of committed transactions only, so that a
// process may be killed at any moment.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/points.hpp"
#include "smsim/result.hpp"

struct sqlite3;

namespace smsim {

/// One row, as text and numbers.
struct StudyRow {
  std::uint64_t number = 0;
  std::string key;  // the inputs in words: what makes the point that point
  std::string fingerprint;
  std::vector<StudyInput> inputs;
  std::string status;
  std::string reason;  // of an infeasible point
  std::string bound;
  std::string summary;
  std::string smsim_version;
  std::vector<std::pair<std::string, std::optional<double>>> metrics;
};

/// A table of rows: names, and by row and column a number, a text, or nothing.
struct StudyTable {
  struct Cell {
    std::optional<double> number;
    std::optional<std::string> text;
  };
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;

  /// Throws InputError with a suggestion where there is no such column.
  [[nodiscard]] std::size_t column(const std::string& name, const std::string& file) const;
};

class StudyDatabase {
 public:
  enum class Mode { write, read };
  /// Opens a database, or makes one. For writing it is locked until the object goes. Throws
  /// InputError: no such file, no study, locked by another process.
  StudyDatabase(const std::string& file, Mode mode);
  ~StudyDatabase();
  StudyDatabase(const StudyDatabase&) = delete;
  StudyDatabase& operator=(const StudyDatabase&) = delete;

  /// The fingerprints of the points that it has, by key.
  [[nodiscard]] std::map<std::string, std::string> fingerprints() const;
  /// Makes the columns of a study, in this order, before its rows.
  void declare(const std::vector<std::string>& inputs, const std::vector<std::string>& metrics);
  /// Numbers the rows it has as the present study does; rows of other points keep no number.
  void renumber(const std::map<std::string, std::uint64_t>& numbers);
  /// Adds rows, or replaces those of the same key, in one transaction.
  void write(const std::vector<StudyRow>& rows);
  /// How many rows of the study ended so.
  [[nodiscard]] std::uint64_t count_of(const std::vector<std::string>& statuses) const;
  /// All rows that belong to the study, in order.
  [[nodiscard]] StudyTable table() const;
  /// Adds another database's rows. Returns how many were new. Throws InputError on a conflict.
  std::uint64_t add_from(const StudyDatabase& other);

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  void execute(const std::string& sql) const;
  [[nodiscard]] std::vector<std::string> columns() const;
  [[nodiscard]] bool is_empty() const;
  [[noreturn]] void fail_to_open() const;

  std::string file_;
  std::unique_ptr<sqlite3, Closer> database_;
};

/// "kernel=saxpy launch.block=128": the same for the same inputs.
std::string key_of(const StudyPoint& point);

}  // namespace smsim
