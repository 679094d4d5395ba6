// What holds for every subcommand: help, suggestions, exit codes, results and messages apart.
#include <sys/wait.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/tool.hpp"

using smsim::test::run_tool;
using smsim::test::ToolRun;

TEST_CASE("--help lists the subcommands with a line and an example each") {
  const ToolRun help = run_tool("--help");
  CHECK(help.code == 0);
  CHECK(help.err == "");
  for (const char* name : {"run", "occupancy", "gpus", "schedulers"}) {
    INFO(name);
    CHECK(help.out.find(std::string("\n  ") + name) != std::string::npos);
    const ToolRun own = run_tool(std::string(name) + " --help");
    CHECK(own.code == 0);
    CHECK(own.out.rfind(std::string("usage: smsim ") + name, 0) == 0);
    CHECK(own.out.find("Examples:\n  smsim ") != std::string::npos);
  }
}

TEST_CASE("no line of a help or a list is longer than 80 columns, or ends in a blank") {
  for (const char* arguments :
       {"--help", "run --help", "occupancy --help", "compare --help", "gpus --help",
        "schedulers --help", "schedulers", "gpus", "gpus h200", "gpus b200",
        "occupancy --block 160 --regs 77 --smem-dynamic 40000 --textbook --curve block"}) {
    std::istringstream lines(run_tool(arguments).out);
    for (std::string line; std::getline(lines, line);) {
      INFO(arguments << ": " << line);
      CHECK(line.size() <= 80);
      CHECK((line.empty() || line.back() != ' '));
    }
  }
}

TEST_CASE("without a subcommand the help is printed, as bad input") {
  CHECK(run_tool("").code == 2);
  CHECK(run_tool("").out == run_tool("--help").out);
}

TEST_CASE("--version prints the version") {
  CHECK(run_tool("--version").out.rfind("smsim ", 0) == 0);
  CHECK(run_tool("--version").code == 0);
}

TEST_CASE("an unknown subcommand suggests the nearest") {
  const ToolRun run = run_tool("ocupancy");
  CHECK(run.code == 2);
  CHECK(run.out == "");
  CHECK(run.err.rfind("error: found unknown subcommand 'ocupancy', expected one of ", 0) == 0);
  CHECK(run.err.find("; did you mean 'occupancy'?\n") != std::string::npos);
}

TEST_CASE("an unknown option suggests the nearest, and is not guessed from its beginning") {
  const ToolRun run = run_tool("occupancy --blok 256");
  CHECK(run.code == 2);
  CHECK(run.err.rfind("error: found unknown option '--blok', expected one of --help, ", 0) == 0);
  CHECK(run.err.find("; did you mean '--block'?\n") != std::string::npos);
  CHECK(run_tool("occupancy --bloc 256").code == 2);
}

TEST_CASE("an option without its value is bad input") {
  const ToolRun run = run_tool("occupancy --block");
  CHECK(run.code == 2);
  CHECK(run.err.find("'--block'") != std::string::npos);
}

TEST_CASE("more inputs than a subcommand takes are bad input") {
  CHECK(run_tool("gpus h200 a100").err == "error: found 'a100', expected one input at most\n");
}

TEST_CASE("output that cannot be written is a fault, not a result") {
  const std::string command = std::string(SMSIM_TOOL) + " gpus > /dev/full 2> /dev/null";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 1);
}

TEST_CASE("with standard error closed the exit code still tells") {
  CHECK(run_tool("run nope.yaml 2>&-").code == 2);
}
