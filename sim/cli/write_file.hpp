// Files that a subcommand writes.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "smsim/diagnostic.hpp"

namespace smsim::cli {

/// Writes a whole file; folders on the way are made. Throws InputError when it cannot be written.
inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code failed;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failed);
  std::ofstream file(path, std::ios::binary);
  if (!(file << text) || !file.flush()) {
    throw InputError(fmt::format("{}: cannot be written", path.string()));
  }
}

}  // namespace smsim::cli
