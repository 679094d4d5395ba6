// smsim validate: measured launches, each predicted from its counts and laid beside its profile.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "sim/arch/gpu_fields.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/progress_bar.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/compare/validation_report.hpp"
#include "sim/config/config_paths.hpp"

namespace smsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostThreads = 1024;

struct Options {
  std::vector<Reference> references;
  ValidationView view = ValidationView::references;
  std::string format;
  std::string page;
  std::vector<std::string> gpu_changes;
  bool details = false;
  int threads = 1;
};

CommandLine make_line() {
  CommandLine line(
      "validate [DIR] [options]",
      "Imports every measured launch in DIR (default: those that come with smsim), simulates it "
      "from its counts, and shows how far each metric is from what Nsight Compute measured.\n"
      "A reference is a folder with raw.csv, source.csv, kernel.sass or kernel.cubin, and "
      "reference.yaml (gpu, launch, family, pair, use: fit, develop or held_out).\n"
      "Exit code: 0 done; 1 a reference could not be imported; 2 bad input; 3 a kernel deadlocks "
      "or cannot be launched; 130 interrupted.",
      "  smsim validate\n"
      "  smsim validate --use held_out --by family\n"
      "  smsim validate --by what-if\n"
      "  smsim validate my_profiles --format json > accuracy.json\n"
      "  smsim validate --only saxpy_b256 --details\n"
      "  smsim validate --html accuracy.html\n");
  line.inputs(1)
      .value("by", "WHAT", "family: one line for each family; what-if: one for each pair")
      .value("use", "USE", "only these: fit, develop or held_out; may be repeated")
      .value("family", "NAME", "only this family; may be repeated")
      .value("only", "NAME", "only this reference; may be repeated")
      .value("format", "F", "text (default), json or csv")
      .value("html", "F", "write a page with scatter plots as well")
      .value("gpu-set", "PATH=VALUE", "change a figure of the GPU file (l2.far_extra_cycles=0)")
      .value("threads", "N", "references simulated at a time; they never change a result")
      .flag("details", "print every metric of every reference (text)");
  return line;
}

// The measured launches that come with smsim: beside the configs of an installed one, or in the
// source tree.
std::string default_dir() {
  const fs::path installed = fs::path(config_dir()) / "reference";
  return fs::is_directory(installed)
             ? installed.string()
             : (fs::path(config_dir()).parent_path() / "validate" / "reference").string();
}

template <class Value>
void keep(std::vector<Reference>& references, CommandLine& line, const std::string& option,
          const Value& value_of) {
  const std::vector<std::string> wanted = line.texts(option);
  if (wanted.empty()) {
    return;
  }
  std::vector<std::string> known;
  for (const Reference& reference : references) {
    known.push_back(value_of(reference));
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& one : wanted) {
    line.choice_of(option, one, known);
  }
  std::erase_if(references, [&](const Reference& reference) {
    return std::find(wanted.begin(), wanted.end(), value_of(reference)) == wanted.end();
  });
}

std::string last_part(const std::string& name) {
  return name.substr(name.rfind('/') + 1);
}

std::optional<Options> read_options(const Arguments& arguments) {
  CommandLine line = make_line();
  if (!line.parse(arguments)) {
    return std::nullopt;
  }
  Options options;
  const auto hardware = static_cast<int>(std::thread::hardware_concurrency());
  options.threads =
      static_cast<int>(line.integer("threads", std::max(hardware, 1), 1, kMostThreads));
  options.format = line.choice("format", "text", {"text", "json", "csv"});
  const std::string by = line.choice("by", "", {"", "family", "what-if"});
  options.view = by == "family"    ? ValidationView::families
                 : by == "what-if" ? ValidationView::what_if
                                   : ValidationView::references;
  options.page = line.text("html", "");
  options.details = line.has("details");
  if (options.format != "text") {
    line.refuse({"details"}, "text, not with --format json or csv");
  }
  options.gpu_changes = line.texts("gpu-set");
  for (const std::string& change : options.gpu_changes) {
    GpuSpec scratch;
    const std::string wrong = change_field(scratch, change);
    if (!wrong.empty()) line.problem("--gpu-set: " + wrong);
  }
  options.references = find_references(line.inputs().empty() ? default_dir() : line.inputs()[0]);
  keep(options.references, line, "use", [](const Reference& r) { return to_string(r.use); });
  keep(options.references, line, "family", [](const Reference& r) { return r.family; });
  keep(options.references, line, "only", [](const Reference& r) { return last_part(r.name); });
  line.finish();
  return options;
}

int exit_code(const std::vector<ValidatedReference>& all, bool interrupted) {
  int code = kDone;
  for (const ValidatedReference& one : all) {
    if (one.status == "import_failed") {
      return interrupted ? kInterrupted : kFault;
    }
    code = one.completed() ? code : kNoProgress;
  }
  return interrupted ? kInterrupted : code;
}

}  // namespace

int run_validate(const Arguments& arguments) {
  const std::optional<Options> options = read_options(arguments);
  if (!options) {
    return kDone;
  }
  const InterruptGuard guard;
  ValidateOptions how;
  how.threads = options->threads;
  how.interrupt = &InterruptGuard::flag();
  how.change_gpu = [&](GpuSpec& gpu) {
    for (const std::string& change : options->gpu_changes) change_field(gpu, change);
  };
  std::vector<ValidatedReference> all;
  {
    ProgressBar bar("references");
    how.progress = [&](std::size_t done, std::size_t references) {
      bar.update_count(done, references);
    };
    all = validate(options->references, how);
  }
  for (const ValidatedReference& one : all) {
    if (!one.failure.empty()) {
      fmt::print(stderr, "{}: {}\n", one.reference.name, one.failure);
    }
  }
  if (!options->page.empty()) {
    write_file(options->page, [&](std::ostream& out) { out << validation_page(all); });
  }
  fmt::print("{}", options->format == "json" ? validation_json(all)
                   : options->format == "csv"
                       ? validation_csv(all, options->view)
                       : validation_text(all, options->view, options->details));
  return exit_code(all, InterruptGuard::flag());
}

}  // namespace smsim::cli
