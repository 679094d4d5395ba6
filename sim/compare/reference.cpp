#include "sim/compare/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "sim/config/yaml_reader.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/gpu_file.hpp"

namespace smsim {

namespace {

namespace fs = std::filesystem;

// The file of that name, whatever it is compressed with; "" without one.
std::string file_in(const fs::path& folder, const std::string& name) {
  for (const char* ending : {"", ".gz", ".zst", ".xz"}) {
    const fs::path path = folder / (name + ending);
    if (fs::is_regular_file(path)) {
      return path.string();
    }
  }
  return "";
}

bool is_reference(const fs::path& folder) {
  return fs::is_regular_file(folder / "reference.yaml") || !file_in(folder, "raw.csv").empty();
}

void collect(const fs::path& folder, std::vector<fs::path>& found) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory() || entry.is_symlink()) {
      continue;
    }
    if (is_reference(entry.path())) {
      found.push_back(entry.path());
    } else {
      collect(entry.path(), found);
    }
  }
}

Use use_of(const std::string& text) {
  return text == "fit" ? Use::fit : text == "held_out" ? Use::held_out : Use::develop;
}

void read_description(const std::string& file, Reference& reference, Diagnostics& problems) {
  const std::optional<YAML::Node> root = load_yaml_file(file, problems);
  if (!root) {
    return;
  }
  const ReadContext context{file, problems};
  MappingReader keys(context, *root);
  const auto text = [&](const char* key, std::string& value) {
    if (const auto node = keys.find(key)) {
      value = read_text(context, *node).value_or(value);
    }
  };
  if (const auto node = keys.find("gpu")) {
    reference.gpu = read_choice(context, *node, gpu_names()).value_or(reference.gpu);
  }
  if (const auto node = keys.find("launch")) {
    const auto id = read_integer(context, *node, 0, std::numeric_limits<int>::max());
    if (id) {
      reference.launch = static_cast<int>(*id);
    }
  }
  text("family", reference.family);
  text("pair", reference.pair);
  text("problem", reference.problem);
  if (const auto node = keys.find("use")) {
    reference.use =
        use_of(read_choice(context, *node, {"fit", "develop", "held_out"}).value_or(""));
  }
  keys.finish();
}

Reference read_reference(const fs::path& root, const fs::path& folder, Diagnostics& problems) {
  Reference reference;
  reference.name = fs::relative(folder, root).generic_string();
  reference.raw = file_in(folder, "raw.csv");
  reference.source = file_in(folder, "source.csv");
  reference.sass = file_in(folder, "kernel.sass");
  if (reference.sass.empty()) {
    reference.sass = file_in(folder, "kernel.cubin");
  }
  const fs::path description = folder / "reference.yaml";
  if (fs::is_regular_file(description)) {
    read_description(description.string(), reference, problems);
  }
  return reference;
}

}  // namespace

const char* to_string(Use use) {
  switch (use) {
    case Use::fit:
      return "fit";
    case Use::develop:
      return "develop";
    case Use::held_out:
      return "held_out";
  }
  return "";
}

std::vector<Reference> find_references(const std::string& dir) {
  if (!fs::is_directory(dir)) {
    throw InputError(fmt::format("{}: found no such folder, expected one with references", dir));
  }
  std::vector<fs::path> folders;
  if (is_reference(dir)) {
    folders.emplace_back(dir);
  } else {
    collect(dir, folders);
  }
  if (folders.empty()) {
    throw InputError(fmt::format(
        "{}: found no reference, expected folders with raw.csv, source.csv and reference.yaml",
        dir));
  }
  std::sort(folders.begin(), folders.end());
  Diagnostics problems;
  std::vector<Reference> references;
  for (const fs::path& folder : folders) {
    const fs::path root = is_reference(dir) ? fs::path(dir).parent_path() : fs::path(dir);
    references.push_back(read_reference(root, folder, problems));
  }
  problems.throw_if_any();
  return references;
}

}  // namespace smsim
