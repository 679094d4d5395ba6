// smsim report: pages and timelines from results that were kept as JSON.
#include <fmt/format.h>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/run_views.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/report/read_document.hpp"

namespace smsim::cli {
namespace {

struct Input {
  std::string path;
  nlohmann::ordered_json document;
};

// Reads all files before anything is reported.
std::vector<Input> read_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  std::vector<Diagnostic> problems;
  for (const std::string& path : paths) {
    try {
      for (auto& document : read_documents(path)) inputs.push_back({path, std::move(document)});
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (problems.empty() && inputs.size() > 2) {
    problems.push_back(
        {"", 0, 0,
         fmt::format("found {} results, expected one, or two side by side", inputs.size())});
  }
  if (!problems.empty()) throw InputError(problems);
  return inputs;
}

void write_traces(const CommandLine& line, const std::vector<Input>& inputs) {
  if (!line.has("perfetto") && !line.has("konata")) return;
  const Result result = timeline_result(inputs[0].path, inputs[0].document);
  if (line.has("perfetto")) write_text(line.text("perfetto", ""), perfetto_trace(result));
  if (line.has("konata")) write_text(line.text("konata", ""), konata_log(result));
}

}  // namespace

int run_report(const Arguments& arguments) {
  CommandLine line("report RESULT.json [RESULT.json] [options]",
                   "Makes pages, timelines and traces from results of 'smsim run --format json "
                   "--timeline'. Two results are compared side by side.",
                   "  smsim run saxpy --format json --timeline > saxpy.json\n"
                   "  smsim report saxpy.json --html saxpy.html\n"
                   "  smsim report before.json after.json --html compared.html\n"
                   "  smsim report saxpy.json --timeline --window 0:4000 --sub all\n");
  line.inputs(2).flag("timeline", "draw warps over time, in the terminal");
  add_drawing_options(line);
  add_file_options(line);
  line.flag("compare", "two results side by side (the default for two)");
  if (!line.parse(arguments)) return kDone;
  if (line.inputs().empty()) line.problem("found no result, expected RESULT.json");
  if (line.has("compare") && line.inputs().size() == 1) {
    line.problem("--compare: found one result, expected two");
  }
  const RunViews views = read_drawing_options(line);
  const bool asked =
      line.has("timeline") || line.has("html") || line.has("perfetto") || line.has("konata");
  if (!asked) line.problem("expected --html FILE, --timeline, --perfetto FILE or --konata FILE");
  if (line.inputs().size() > 1) line.refuse({"perfetto", "konata"}, "one result");
  refuse_html_unless_built(line, line.has("html"));
  line.finish();
  const std::vector<Input> inputs = read_inputs(line.inputs());
  for (const char* option : {"html", "perfetto", "konata"}) {
    if (line.has(option)) check_output(line.text(option, ""), line.inputs());
  }
  if (line.has("timeline")) {
    for (const Input& one : inputs) {
      fmt::print("{}", timeline_text(timeline_result(one.path, one.document), views.view));
    }
  }
  write_traces(line, inputs);
  if (line.has("html")) {
    std::vector<nlohmann::ordered_json> documents;
    for (const Input& one : inputs) documents.push_back(one.document);
    write_page(line.text("html", ""), documents);
  }
  return kDone;
}

}  // namespace smsim::cli
