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

// Not the throwing form: a folder that cannot be searched holds no file for us.
bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The file of that name, whatever it is compressed with; "" without one.
std::string file_in(const fs::path& folder, const std::string& name) {
  for (const char* ending : {"", ".gz", ".zst", ".xz"}) {
    const fs::path path = folder / (name + ending);
    if (is_file(path)) {
      return path.string();
    }
  }
  return "";
}

bool is_reference(const fs::path& folder) {
  return is_file(folder / "reference.yaml") || !file_in(folder, "raw.csv").empty();
}

// Links to references are followed, links to other folders not: those may lead round in circles.
void collect(const fs::path& folder, std::vector<fs::path>& found, Diagnostics& problems) {
  std::error_code failed;
  for (auto entry = fs::directory_iterator(folder, failed);
       !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code ignored;
    if (!entry->is_directory(ignored)) {
      continue;
    }
    if (is_reference(entry->path())) {
      found.push_back(entry->path());
    } else if (!entry->is_symlink(ignored)) {
      collect(entry->path(), found, problems);
    }
  }
  if (failed) {
    problems.add(folder.string(), "cannot be read: " + failed.message());
  }
}

// Compute capabilities have no number of SMs: a measurement was made on a product.
std::vector<std::string> product_names() {
  std::vector<std::string> names = gpu_names();
  std::erase_if(names, [](const std::string& name) { return name.rfind("sm_", 0) == 0; });
  return names;
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
    const auto node = keys.find(key);
    const auto read = node ? read_text(context, *node) : std::nullopt;
    if (read && has_control_character(*read)) {
      context.error(*node, fmt::format("found a control character in {}, expected text", key));
    }
    value = read.value_or(value);
  };
  if (const auto node = keys.find("gpu")) {
    reference.gpu = read_choice(context, *node, product_names()).value_or(reference.gpu);
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

Reference read_reference(const fs::path& folder, std::string name, Diagnostics& problems) {
  Reference reference;
  reference.name = std::move(name);
  if (has_control_character(reference.name)) {
    problems.add(folder.parent_path().string(),
                 "found a control character in the name of a folder, expected text");
  }
  reference.raw = file_in(folder, "raw.csv");
  reference.source = file_in(folder, "source.csv");
  reference.sass = file_in(folder, "kernel.sass");
  if (reference.sass.empty()) {
    reference.sass = file_in(folder, "kernel.cubin");
  }
  const fs::path description = folder / "reference.yaml";
  if (is_file(description)) {
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
  std::error_code failed;
  if (!fs::is_directory(dir, failed)) {
    throw InputError(fmt::format("{}: found no such folder, expected one with references", dir));
  }
  Diagnostics problems;
  std::vector<Reference> references;
  if (is_reference(dir)) {  // named as it is called, even where `dir` is "."
    const std::string name = fs::weakly_canonical(dir, failed).filename().string();
    references.push_back(read_reference(dir, name, problems));
    problems.throw_if_any();
    return references;
  }
  std::vector<fs::path> folders;
  collect(dir, folders, problems);
  if (folders.empty()) {
    problems.throw_if_any();
    throw InputError(fmt::format(
        "{}: found no reference, expected folders with raw.csv, source.csv and reference.yaml",
        dir));
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    const std::string name = folder.lexically_relative(dir).generic_string();
    references.push_back(read_reference(folder, name, problems));
  }
  problems.throw_if_any();
  return references;
}

}  // namespace smsim
