#include "sim/cli/write_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <set>

#include "smsim/diagnostic.hpp"

namespace smsim::cli {

namespace fs = std::filesystem;

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  std::error_code failed;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
  const fs::path unfinished = path.string() + ".unfinished";
  const auto refuse = [&path] {
    throw InputError(fmt::format("{}: cannot be written", path.string()));
  };
  std::ofstream file(unfinished, std::ios::binary);
  if (!file) refuse();
  try {
    write(file);
    file.close();
    if (!file) refuse();
    fs::rename(unfinished, path, failed);
    if (failed) refuse();
  } catch (...) {
    fs::remove(unfinished, failed);
    throw;
  }
}

void write_text(const fs::path& path, const std::string& text) {
  write_file(path, [&text](std::ostream& out) { out << text; });
}

void check_distinct(const std::vector<std::string>& outputs) {
  std::set<fs::path> seen;
  std::error_code ignored;
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    if (!seen.insert(fs::weakly_canonical(fs::absolute(output, ignored), ignored)).second) {
      throw InputError(
          fmt::format("{}: found one file for two outputs, expected a file for each", output));
    }
  }
}

void check_output(const fs::path& path, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (!input.empty() && fs::equivalent(path, input, ignored)) {
      throw InputError(
          fmt::format("{}: found an input as the output, expected another file", path.string()));
    }
  }
}

}  // namespace smsim::cli
