#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "sim/cli/commands.hpp"
#include "sim/config/suggest.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/version.hpp"

namespace smsim::cli {
namespace {

void print_help() {
  fmt::print(
      "smsim {}: how one NVIDIA GPU schedules a kernel, predicted cycle by cycle\n\n"
      "usage: smsim <subcommand> [inputs] [options]\n"
      "       smsim <subcommand> --help\n\n"
      "Subcommands:\n",
      version());
  for (const Command& command : commands()) {
    fmt::print("  {:<12} {}\n", command.name, command.summary);
  }
  fmt::print(
      "\nExamples:\n"
      "  smsim run saxpy                         # a kernel of configs/kernels\n"
      "  smsim run my.yaml --gpu a100            # one of your own, on another GPU\n"
      "  smsim occupancy --block 256 --regs 40   # how many blocks fit on an SM\n"
      "  smsim lesson                            # short experiments to learn from\n"
      "  smsim gpus                              # which GPUs there are\n");
}

[[noreturn]] void reject(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    names.emplace_back(command.name);
  }
  throw InputError(fmt::format("found unknown subcommand '{}', expected one of {}{}", name,
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

int run(const Arguments& arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "help") {
    print_help();
    return arguments.empty() ? kBadInput : kDone;
  }
  if (arguments[0] == "--version") {
    fmt::print("smsim {}\n", version());
    return kDone;
  }
  for (const Command& command : commands()) {
    if (arguments[0] == command.name) {
      return command.run(Arguments(arguments.begin() + 1, arguments.end()));
    }
  }
  reject(arguments[0]);
}

// Not by fmt, which throws when standard error is closed: the exit code still tells.
void complain(const std::string& message) {
  std::fputs((message + "\n").c_str(), stderr);
}

// A result that could not be written is no result.
int flushed(int code) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain("error: cannot write to standard output");
    return kFault;
  }
  return code;
}

}  // namespace
}  // namespace smsim::cli

int main(int argc, char** argv) {
  try {
    return smsim::cli::flushed(smsim::cli::run({argv + 1, argv + argc}));
  } catch (const smsim::InputError& error) {
    smsim::cli::complain(error.what());
    return smsim::cli::kBadInput;
  } catch (const std::exception& error) {
    smsim::cli::complain(std::string("smsim: fault: ") + error.what());
    return smsim::cli::kFault;
  }
}
