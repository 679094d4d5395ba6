// smsim schedulers: the warp-scheduling policies.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/report/csv_field.hpp"
#include "sim/report/text_writer.hpp"
#include "smsim/simulate.hpp"

namespace smsim::cli {
namespace {

void print_text() {
  TextWriter out;
  for (const PolicyInfo& policy : policies()) {
    out.paragraph(policy.summary, fmt::format("{:<10} ", policy.name), std::string(11, ' '));
  }
  out.line();
  out.line("'smsim run KERNEL --scheduler NAME' uses one instead of the GPU file's.");
  fmt::print("{}", out.take());
}

void print_csv() {
  fmt::print("name,summary\n");
  for (const PolicyInfo& policy : policies()) {
    fmt::print("{},{}\n", policy.name, csv_field(policy.summary));
  }
}

void print_json() {
  auto list = nlohmann::ordered_json::array();
  for (const PolicyInfo& policy : policies()) {
    list.push_back({{"name", policy.name}, {"summary", policy.summary}});
  }
  fmt::print("{}\n", list.dump(2));
}

}  // namespace

int run_schedulers(const Arguments& arguments) {
  CommandLine line("schedulers [options]", "Lists the warp-scheduling policies.",
                   "  smsim schedulers\n"
                   "  smsim run saxpy --scheduler gto\n");
  line.value("format", "F", "text (default), json or csv");
  if (!line.parse(arguments)) {
    return kDone;
  }
  const std::string format = line.choice("format", "text", {"text", "json", "csv"});
  line.finish();
  format == "json" ? print_json() : format == "csv" ? print_csv() : print_text();
  return kDone;
}

}  // namespace smsim::cli
