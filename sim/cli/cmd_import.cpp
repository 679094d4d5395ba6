// smsim import: other people's files become kernel files.
#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/import/kernel_writer.hpp"
#include "sim/import/ncu_kernel.hpp"
#include "sim/import/ncu_select.hpp"

namespace smsim::cli {
namespace {

namespace fs = std::filesystem;

struct Made {
  int id = 0;
  ImportedKernel kernel;
};

std::vector<Made> import_all(const NcuProfile& profile, const LaunchChoice& choice) {
  std::vector<Made> all;
  for (const SelectedLaunch& selected : select_launches(profile, choice)) {
    const NcuLaunch& launch = profile.launches[selected.launch];
    const SassFunction* function =
        selected.function ? &profile.functions[*selected.function] : nullptr;
    all.push_back({launch.id, import_launch(launch, profile.blocks[selected.block], function)});
  }
  return all;
}

// Where each kernel goes: a file for one; for several a folder, or a name with {id} in it.
std::vector<fs::path> places(const std::string& out, const std::vector<Made>& all,
                             const std::string& raw_file) {
  const std::size_t id = out.find("{id}");
  std::vector<fs::path> paths;
  if (id != std::string::npos) {
    for (const Made& made : all) {
      std::string path = out;
      paths.emplace_back(path.replace(id, 4, std::to_string(made.id)));
    }
    return paths;
  }
  const bool folder = fs::is_directory(out) || out.back() == '/';
  if (!folder && all.size() > 1) {
    std::string list;
    for (const Made& made : all) {
      list += fmt::format("\n  --launch {}: {}", made.id, made.kernel.full_name);
    }
    throw InputError(fmt::format(
        "{}: found {} launches for one file '{}', expected --launch, or -o with a folder or "
        "{{id}}:{}",
        raw_file, all.size(), out, list));
  }
  for (const Made& made : all) {
    const std::string name = all.size() == 1 ? made.kernel.name + ".yaml"
                                             : fmt::format("{}_{}.yaml", made.kernel.name, made.id);
    paths.push_back(folder ? fs::path(out) / name : fs::path(out));
  }
  return paths;
}

int import_ncu(const Arguments& arguments) {
  CommandLine line(
      "import ncu --source F.csv --raw F.csv [--sass F] -o OUT [options]",
      "Turns an Nsight Compute profile into a kernel file for 'smsim run': counts become trip "
      "counts, branch shares and memory accesses; with the machine code, its control codes.",
      "  ncu --set full --import-source yes -o r ./app\n"
      "  ncu --import r.ncu-rep --page source --csv --print-units base > source.csv\n"
      "  ncu --import r.ncu-rep --page raw --csv --print-units base > raw.csv\n"
      "  cuobjdump -sass ./app > app.sass\n"
      "  smsim import ncu --source src.csv --raw raw.csv --sass app.sass -o app.yaml\n"
      "  smsim run saxpy.yaml\n"
      "  smsim import ncu --source source.csv --raw raw.csv --kernel saxpy -o kernels/\n");
  line.value("source", "F", "the profile's source page (SASS view) as CSV")
      .value("raw", "F", "the profile's raw page as CSV")
      .value("sass", "F",
             "cuobjdump or nvdisasm listing, or a cubin; without it control codes are "
             "derived from the registers")
      .value("launch", "ID", "which launch, by the raw page's ID column")
      .value("kernel", "NAME", "launches of this kernel only")
      .value("output,o", "OUT", "file to write; a folder or a name with {id} for several launches");
  if (!line.parse(arguments)) return kDone;
  LaunchChoice choice;
  if (line.has("launch")) {
    choice.id = static_cast<int>(line.integer("launch", 0, 0, std::numeric_limits<int>::max()));
  }
  choice.kernel = line.text("kernel", "");
  for (const char* needed : {"source", "raw", "output"}) {
    if (line.text(needed, "").empty())
      line.problem(fmt::format("found no --{}, expected one", needed));
  }
  line.finish();
  const NcuProfile profile =
      read_ncu_profile(line.text("raw", ""), line.text("source", ""), line.text("sass", ""));
  const std::vector<Made> all = import_all(profile, choice);
  const std::vector<fs::path> paths = places(line.text("output", ""), all, profile.raw_file);
  for (const fs::path& path : paths) {
    check_output(path, {line.text("raw", ""), line.text("source", ""), line.text("sass", "")});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string origin = fmt::format(
        "Imported by smsim import ncu from launch {} of {}, {}{}", all[i].id,
        fs::path(profile.raw_file).filename().string(),
        fs::path(profile.source_file).filename().string(),
        profile.sass_file.empty() ? "" : " and " + fs::path(profile.sass_file).filename().string());
    write_file(paths[i],
               [&](std::ostream& out) { out << kernel_file_text(all[i].kernel, origin); });
    fmt::print("{}: launch {}, {}, {} instructions\n", paths[i].string(), all[i].id,
               all[i].kernel.name, all[i].kernel.lines.size());
    for (const std::string& note : all[i].kernel.notes) fmt::print("  note: {}\n", note);
  }
  return kDone;
}

}  // namespace

int run_import(const Arguments& arguments) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  const Arguments rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (what == "ncu") return import_ncu(rest);
  if (what == "accelsim") return import_accelsim(rest);
  if (what == "--help") {
    import_ncu(arguments);
    fmt::print("\n");
    return import_accelsim(arguments);
  }
  throw InputError(fmt::format("import: found '{}', expected ncu or accelsim", what));
}

}  // namespace smsim::cli
