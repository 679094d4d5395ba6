#include "sim/study/study_database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>

#include "sim/config/suggest.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {
namespace {

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// A prepared statement, gone with its scope.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& file, const std::string& sql)
      : database_(database), file_(file) {
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) fail();
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int place, const std::string& text) {
    sqlite3_bind_text(statement_, place, text.data(), static_cast<int>(text.size()),
                      SQLITE_TRANSIENT);
  }
  void bind(int place, const std::optional<double>& value) {
    value ? sqlite3_bind_double(statement_, place, *value) : sqlite3_bind_null(statement_, place);
  }
  void bind(int place, std::uint64_t value) {
    sqlite3_bind_int64(statement_, place, static_cast<sqlite3_int64>(value));
  }
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail();
    return code == SQLITE_ROW;
  }
  void reset() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  [[nodiscard]] std::string text(int column) const {
    const auto* found = sqlite3_column_text(statement_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return found == nullptr ? "" : std::string(reinterpret_cast<const char*>(found), size);
  }
  [[nodiscard]] std::string name(int column) const {
    return sqlite3_column_name(statement_, column);
  }
  [[nodiscard]] int columns() const { return sqlite3_column_count(statement_); }
  [[nodiscard]] StudyTable::Cell cell(int column) const {
    switch (sqlite3_column_type(statement_, column)) {
      case SQLITE_NULL:
        return {};
      case SQLITE_TEXT:
      case SQLITE_BLOB:
        return {std::nullopt, text(column)};
      case SQLITE_INTEGER: {
        // Beyond 2^53 a double would be another number.
        constexpr sqlite3_int64 kExact = sqlite3_int64{1} << 53;
        const sqlite3_int64 value = sqlite3_column_int64(statement_, column);
        if (value > kExact || value < -kExact) return {std::nullopt, text(column)};
        return {static_cast<double>(value), std::nullopt};
      }
      default:
        return {sqlite3_column_double(statement_, column), std::nullopt};
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(fmt::format("{}: {}", file_, sqlite3_errmsg(database_)));
  }
  sqlite3* database_;
  const std::string& file_;
  sqlite3_stmt* statement_ = nullptr;
};

// Inputs are stored as numbers where they are numbers: plots need them.
constexpr const char* kInputType = "NUMERIC";

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + quoted(name);
  return out;
}

}  // namespace

std::string key_of(const StudyPoint& point) {
  std::string key;
  for (const auto& [name, value] : point.inputs) {
    key += fmt::format("{}{}={}", key.empty() ? "" : " ", name, value);
  }
  return key;
}

std::size_t StudyTable::column(const std::string& name, const std::string& file) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  throw InputError(fmt::format("{}: found no column '{}', expected one of its inputs or metrics{}",
                               file, name, did_you_mean(name, columns)));
}

void StudyDatabase::Closer::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

StudyDatabase::StudyDatabase(const std::string& file, Mode mode) : file_(file) {
  std::error_code ignored;
  if (mode == Mode::read && !std::filesystem::exists(file, ignored)) {
    throw InputError(fmt::format("{}: no such file", file));
  }
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (mode == Mode::write && !folder.empty()) {
    std::filesystem::create_directories(folder, ignored);
  }
  sqlite3* opened = nullptr;
  const int flags =
      mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(file.c_str(), &opened, flags, nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK) {
    throw InputError(fmt::format("{}: cannot be opened as a database", file));
  }
  try {
    // The lock is taken with the first write and kept: two sweeps would do the same work twice.
    if (mode == Mode::write) execute("PRAGMA locking_mode = EXCLUSIVE");
    if (mode == Mode::write && is_empty()) {
      execute("PRAGMA synchronous = NORMAL");
      execute(
          "CREATE TABLE points (key TEXT PRIMARY KEY, number INTEGER, fingerprint TEXT, "
          "status TEXT, reason TEXT, bound TEXT, summary TEXT, smsim_version TEXT)");
    }
    const std::vector<std::string> known = columns();
    for (const char* name : kPointColumns) {
      if (std::find(known.begin(), known.end(), name) == known.end()) fail_to_open();
    }
    if (mode == Mode::write) {
      execute("BEGIN IMMEDIATE");
      execute("COMMIT");
    }
  } catch (const InputError&) {
    fail_to_open();
  }
}

bool StudyDatabase::is_empty() const {
  Statement count(database_.get(), file_, "SELECT count(*) FROM sqlite_master");
  count.step();
  return count.text(0) == "0";
}

void StudyDatabase::fail_to_open() const {
  switch (sqlite3_errcode(database_.get())) {
    case SQLITE_BUSY:
      throw InputError(fmt::format(
          "{}: found it locked by another process, expected no other sweep at the same time",
          file_));
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_IOERR:
      throw InputError(
          fmt::format("{}: cannot be written: {}", file_, sqlite3_errmsg(database_.get())));
    default:
      throw InputError(fmt::format(
          "{}: found no database of a study, expected one that 'smsim sweep' has made", file_));
  }
}

StudyDatabase::~StudyDatabase() = default;

void StudyDatabase::execute(const std::string& sql) const {
  Statement statement(database_.get(), file_, sql);
  while (statement.step()) {
  }
}

std::vector<std::string> StudyDatabase::columns() const {
  std::vector<std::string> names;
  Statement statement(database_.get(), file_, "SELECT name FROM pragma_table_info('points')");
  while (statement.step()) names.push_back(statement.text(0));
  return names;
}

std::map<std::string, std::string> StudyDatabase::fingerprints() const {
  std::map<std::string, std::string> found;
  Statement statement(database_.get(), file_, "SELECT key, fingerprint FROM points");
  while (statement.step()) found.emplace(statement.text(0), statement.text(1));
  return found;
}

void StudyDatabase::renumber(const std::map<std::string, std::uint64_t>& numbers) {
  execute("BEGIN IMMEDIATE");
  execute("UPDATE points SET number = NULL");
  Statement update(database_.get(), file_, "UPDATE points SET number = ?1 WHERE key = ?2");
  for (const auto& [key, number] : numbers) {
    update.reset();
    update.bind(1, number);
    update.bind(2, key);
    update.step();
  }
  execute("COMMIT");
}

void StudyDatabase::declare(const std::vector<std::string>& inputs,
                            const std::vector<std::string>& metrics) {
  const std::vector<std::string> known = columns();
  const auto add = [&](const std::string& name, const char* type) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    execute(fmt::format("ALTER TABLE points ADD COLUMN {} {}", quoted(name), type));
  };
  execute("BEGIN IMMEDIATE");
  for (const std::string& name : inputs) add(name, kInputType);
  for (const std::string& name : metrics) add(name, "REAL");
  execute("COMMIT");
}

void StudyDatabase::write(const std::vector<StudyRow>& rows) {
  if (rows.empty()) return;
  execute("BEGIN IMMEDIATE");
  for (const StudyRow& row : rows) {
    std::vector<std::string> names(std::begin(kPointColumns), std::end(kPointColumns));
    for (const auto& [name, value] : row.inputs) names.push_back(name);
    for (const auto& [name, value] : row.metrics) names.push_back(name);
    std::string places = "?1";
    for (std::size_t i = 2; i <= names.size(); ++i) places += fmt::format(", ?{}", i);
    Statement insert(
        database_.get(), file_,
        fmt::format("INSERT OR REPLACE INTO points ({}) VALUES ({})", joined(names), places));
    int place = 0;
    insert.bind(++place, row.key);
    insert.bind(++place, row.number);
    for (const std::string* text : {&row.fingerprint, &row.status, &row.reason, &row.bound,
                                    &row.summary, &row.smsim_version}) {
      insert.bind(++place, *text);
    }
    for (const auto& [name, value] : row.inputs) insert.bind(++place, value);
    for (const auto& [name, value] : row.metrics) insert.bind(++place, value);
    insert.step();
  }
  execute("COMMIT");
}

std::uint64_t StudyDatabase::count_of(const std::vector<std::string>& statuses) const {
  std::uint64_t count = 0;
  Statement select(database_.get(), file_,
                   "SELECT count(*) FROM points WHERE number IS NOT NULL AND status = ?1");
  for (const std::string& status : statuses) {
    select.reset();
    select.bind(1, status);
    select.step();
    count += static_cast<std::uint64_t>(select.cell(0).number.value_or(0));
  }
  return count;
}

StudyTable StudyDatabase::table() const {
  Statement select(database_.get(), file_,
                   "SELECT * FROM points WHERE number IS NOT NULL ORDER BY number");
  StudyTable table;
  for (int i = 0; i < select.columns(); ++i) table.columns.push_back(select.name(i));
  while (select.step()) {
    table.rows.emplace_back();
    for (int i = 0; i < select.columns(); ++i) table.rows.back().push_back(select.cell(i));
  }
  return table;
}

std::uint64_t StudyDatabase::add_from(const StudyDatabase& other) {
  const std::map<std::string, std::string> mine = fingerprints();
  const StudyTable table = other.table();
  const std::size_t key_at = table.column("key", other.file_);
  const std::size_t fingerprint_at = table.column("fingerprint", other.file_);
  const std::size_t number_at = table.column("number", other.file_);
  std::vector<std::string> known = columns();
  execute("BEGIN IMMEDIATE");
  for (const std::string& name : table.columns) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool metric = name.find("__") != std::string::npos;
    execute(fmt::format("ALTER TABLE points ADD COLUMN {} {}", quoted(name),
                        metric ? "REAL" : kInputType));
  }
  std::string places = "?1";
  for (std::size_t i = 2; i <= table.columns.size(); ++i) places += fmt::format(", ?{}", i);
  Statement insert(
      database_.get(), file_,
      fmt::format("INSERT INTO points ({}) VALUES ({})", joined(table.columns), places));
  Statement renumber_one(database_.get(), file_, "UPDATE points SET number = ?1 WHERE key = ?2");
  std::uint64_t added = 0;
  for (const auto& row : table.rows) {
    const auto found = mine.find(*row[key_at].text);
    if (found != mine.end() && found->second != *row[fingerprint_at].text) {
      execute("ROLLBACK");
      throw InputError(
          fmt::format("{}: found another result for '{}' than {} has, expected "
                      "databases of one study, kernel and GPU",
                      other.file_, *row[key_at].text, file_));
    }
    if (found != mine.end()) {
      renumber_one.reset();
      renumber_one.bind(1, row[number_at].number);
      renumber_one.bind(2, *row[key_at].text);
      renumber_one.step();
      continue;
    }
    insert.reset();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].text) {
        insert.bind(static_cast<int>(i) + 1, *row[i].text);
      } else {
        insert.bind(static_cast<int>(i) + 1, row[i].number);
      }
    }
    insert.step();
    ++added;
  }
  execute("COMMIT");
  return added;
}

}  // namespace smsim
