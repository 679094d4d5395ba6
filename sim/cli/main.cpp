#include <fmt/core.h>

int main() {
  fmt::print("usage: smsim <subcommand> [inputs] [options]\n");
  return 0;
}
