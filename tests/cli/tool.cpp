#include "tests/cli/tool.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace smsim::test {
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

}  // namespace smsim::test
