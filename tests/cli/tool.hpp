// Runs the command-line tool as a user would.
#pragma once

#include <string>

#include "tests/scratch_folder.hpp"

namespace smsim::test {

struct ToolRun {
  int code = -1;
  std::string out;  // standard output
  std::string err;  // standard error
};

/// `arguments` are words for the shell; `input` is what the tool reads on standard input.
ToolRun run_tool(const std::string& arguments, const std::string& input = "");

/// The same behind another command, such as "timeout -s INT 1".
ToolRun run_tool_under(const std::string& command, const std::string& arguments);

}  // namespace smsim::test
