// smsim validate: measured launches, each predicted from its counts and laid beside its profile.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>
#include <utility>

#include "sim/arch/gpu_fields.hpp"
#include "sim/arch/gpu_spec_check.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/progress_bar.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/compare/validation_report.hpp"
#include "sim/config/config_paths.hpp"
#include "sim/config/suggest.hpp"
#include "smsim/gpu_file.hpp"

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

std::vector<std::string> field_paths() {
  GpuSpec gpu;
  std::vector<std::string> paths;
  for (const GpuField& field : gpu_fields(gpu)) paths.push_back(field.path);
  return paths;
}

// Each change alone, then all of them on the GPUs that they are meant for: is that a machine?
void check_changes(const std::vector<std::string>& changes,
                   const std::vector<Reference>& references, CommandLine& line) {
  bool fine = true;
  for (const std::string& change : changes) {
    GpuSpec scratch;
    const std::string wrong = change_field(scratch, change);
    if (wrong.empty()) continue;
    fine = false;
    const std::string path = change.substr(0, change.find('='));
    const std::vector<std::string> known = field_paths();
    const bool unknown = std::find(known.begin(), known.end(), path) == known.end();
    line.problem("--gpu-set: " + wrong + (unknown ? did_you_mean(path, known) : ""));
  }
  if (!fine || changes.empty()) return;
  std::set<std::string> gpus;
  for (const Reference& reference : references) gpus.insert(reference.gpu);
  for (const std::string& name : gpus) {
    GpuSpec gpu = load_gpu(name).spec;
    for (const std::string& change : changes) change_field(gpu, change);
    for (const GpuProblem& problem : check(gpu)) {
      line.problem(fmt::format("--gpu-set: {} of {}: {}", problem.path, name, problem.message));
    }
    if (gpu.topology.sms == 0 || gpu.clocks.sm_mhz <= 0) {
      line.problem(fmt::format("--gpu-set: found no SMs or no clock in {}, expected both", name));
    }
  }
}

// The measured launches that come with smsim: beside the configs of an installed one, or in the
// source tree.
std::string default_dir() {
  const fs::path installed = fs::path(config_dir()) / "reference";
  return fs::is_directory(installed)
             ? installed.string()
             : (fs::path(config_dir()).parent_path() / "validate" / "reference").string();
}

using Words = std::vector<std::string>;

// What --use, --family and --only may name of a reference.
Words use_of(const Reference& one) {
  return {to_string(one.use)};
}
Words family_of(const Reference& one) {
  return {one.family};
}
Words names_of(const Reference& one) {
  return {one.name.substr(one.name.rfind('/') + 1), one.name};
}

using WordsOf = Words (*)(const Reference&);
constexpr std::pair<const char*, WordsOf> kFilters[] = {
    {"use", use_of}, {"family", family_of}, {"only", names_of}};

bool is_wanted(const Reference& reference, const Words& wanted, WordsOf words_of) {
  const Words words = words_of(reference);
  return wanted.empty() || std::find_first_of(words.begin(), words.end(), wanted.begin(),
                                              wanted.end()) != words.end();
}

// Words that no reference has are problems, and so is a choice that leaves none.
void keep_wanted(std::vector<Reference>& references, CommandLine& line) {
  bool known_words = true;
  for (const auto& [option, words_of] : kFilters) {
    std::set<std::string> known;
    for (const Reference& reference : references) {
      const Words words = words_of(reference);
      known.insert(words.begin(), words.end());
    }
    for (const std::string& word : line.texts(option)) {
      line.choice_of(option, word, {known.begin(), known.end()});
      known_words = known_words && known.count(word) > 0;
    }
  }
  for (const auto& [option, words_of] : kFilters) {
    const Words wanted = line.texts(option);
    std::erase_if(references, [&wanted, of = words_of](const Reference& one) {
      return !is_wanted(one, wanted, of);
    });
  }
  if (references.empty() && known_words) {
    line.problem("found no reference that --use, --family and --only all name, expected one");
  }
}

// The page must not take the place of a measurement.
void check_page(const std::string& page, const std::vector<Reference>& references) {
  for (const Reference& one : references) {
    const fs::path folder = fs::path(one.raw.empty() ? one.source : one.raw).parent_path();
    check_output(page, {one.raw, one.source, one.sass, (folder / "reference.yaml").string()});
  }
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
  options.references = find_references(line.inputs().empty() ? default_dir() : line.inputs()[0]);
  check_page(options.page, options.references);
  keep_wanted(options.references, line);
  check_changes(options.gpu_changes, options.references, line);
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
  fmt::print("{}", options->format == "json" ? validation_json(all)
                   : options->format == "csv"
                       ? validation_csv(all, options->view)
                       : validation_text(all, options->view, options->details));
  if (!options->page.empty()) {  // last: where it cannot be written, the results are there
    write_file(options->page, [&](std::ostream& out) { out << validation_page(all); });
  }
  return exit_code(all, InterruptGuard::flag());
}

}  // namespace smsim::cli
