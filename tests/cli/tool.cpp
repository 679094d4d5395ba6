#include "tests/cli/tool.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace smsim::tests {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ToolRun run(const std::string& before, const std::string& arguments, const std::string& input) {
  const ScratchFolder folder;
  const std::string in = folder.write("stdin", input);
  const std::string out = folder.path("stdout");
  const std::string err = folder.path("stderr");
  const std::string command = before + " '" SMSIM_TOOL "' " + arguments + " < '" + in + "' > '" +
                              out + "' 2> '" + err + "'";
  const int status = std::system(command.c_str());
  ToolRun result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read(out);
  result.err = read(err);
  return result;
}

}  // namespace

ToolRun run_tool(const std::string& arguments, const std::string& input) {
  return run("", arguments, input);
}

ToolRun run_tool_under(const std::string& command, const std::string& arguments) {
  return run(command, arguments, "");
}

ScratchFolder::ScratchFolder() {
  static std::atomic<int> counter{0};
  folder_ = std::filesystem::temp_directory_path() /
            ("smsim_test_" + std::to_string(getpid()) + "_" + std::to_string(++counter));
  std::filesystem::create_directories(folder_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFolder::path(const std::string& name) const {
  return (folder_ / name).string();
}

std::string ScratchFolder::write(const std::string& name, const std::string& text) const {
  const std::string file = path(name);
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace smsim::tests
