// Files that a subcommand writes.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace smsim::cli {

/// Has `write` fill a file (folders on the way are made), which takes its place only when it is
/// whole. Throws InputError when it cannot be written.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

/// The same for a text that is there already.
void write_text(const std::filesystem::path& path, const std::string& text);

/// Refuses two outputs in one file; empty paths are outputs that nobody wants.
void check_distinct(const std::vector<std::string>& outputs);

/// Refuses to write over one of the inputs.
void check_output(const std::filesystem::path& path, const std::vector<std::string>& inputs);

}  // namespace smsim::cli
