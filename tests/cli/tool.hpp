// Runs the command-line tool as a user would.
#pragma once

#include <filesystem>
#include <string>

namespace smsim::tests {

struct ToolRun {
  int code = -1;
  std::string out;  // standard output
  std::string err;  // standard error
};

/// `arguments` are words for the shell; `input` is what the tool reads on standard input.
ToolRun run_tool(const std::string& arguments, const std::string& input = "");

/// The same behind another command, such as "timeout -s INT 1".
ToolRun run_tool_under(const std::string& command, const std::string& arguments);

/// A folder for a test's own files, removed at its end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// Writes a file and returns its path.
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string path(const std::string& name) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace smsim::tests
