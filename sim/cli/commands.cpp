#include "sim/cli/commands.hpp"

namespace smsim::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands{
      {"gpus", "list the GPUs, or print one with the source of every figure", run_gpus},
  };
  return kCommands;
}

}  // namespace smsim::cli
