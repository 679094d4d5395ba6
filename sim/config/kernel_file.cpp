#include "sim/config/kernel_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/config_paths.hpp"
#include "sim/config/kernel_reader.hpp"
#include "sim/config/lesson_file.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"
#include "smsim/kernel_file.hpp"

namespace smsim {

namespace {

constexpr std::size_t kMostBytes = 4 << 20;  // of a file
constexpr std::size_t kMostSuggestions = 20;

std::optional<YAML::Node> load(const std::string& text, const std::string& name,
                               Diagnostics& problems) {
  if (text.size() > kMostBytes) {
    problems.add(name, fmt::format("found a file of {} bytes, expected at most {}", text.size(),
                                   kMostBytes));
    return std::nullopt;
  }
  std::optional<YAML::Node> document = load_yaml_text(text, name, problems);
  if (document && !small_enough(*document)) {
    problems.add(name, kTooLarge);
    return std::nullopt;
  }
  return document;
}

struct Read {
  KernelSource source;
  std::vector<std::string> notes;
};

std::optional<Read> read_kernel(const std::string& text, const std::string& name,
                                const std::vector<std::string>& overrides, const GpuSpec& gpu,
                                Diagnostics& problems) {
  const std::optional<YAML::Node> document = load(text, name, problems);
  if (!document) {
    return std::nullopt;
  }
  KernelReader reader(name, gpu, problems);
  Read made;
  made.source = reader.read(*document, parse_overrides(overrides, problems));
  made.notes = reader.notes();
  if (!problems.empty()) {
    return std::nullopt;
  }
  return made;
}

}  // namespace

std::string kernel_path(const std::string& name_or_file, Diagnostics& problems) {
  if (names_a_file(name_or_file)) {
    return name_or_file;
  }
  std::vector<std::string> known = kernel_names();
  if (std::find(known.begin(), known.end(), name_or_file) != known.end()) {
    return config_file("kernels", name_or_file);
  }
  if (const auto lesson = find_lesson(name_or_file)) {
    return lesson->file;
  }
  for (const LessonName& lesson : lesson_names()) {
    known.push_back(lesson.name);
  }
  problems.add(
      "", fmt::format("found unknown kernel '{}', expected a file or one of {}{}", name_or_file,
                      fmt::join(known, ", "), did_you_mean(name_or_file, known)));
  return "";
}

std::optional<KernelSource> read_kernel_text(const std::string& text, const std::string& name,
                                             const std::vector<std::string>& overrides,
                                             const GpuSpec& gpu, Diagnostics& problems) {
  std::optional<Read> read = read_kernel(text, name, overrides, gpu, problems);
  return read ? std::optional<KernelSource>(std::move(read->source)) : std::nullopt;
}

std::optional<KernelSpec> load_kernel_text(const std::string& text, const std::string& name,
                                           const std::vector<std::string>& overrides,
                                           const GpuSpec& gpu, Diagnostics& problems) {
  const std::optional<Read> read = read_kernel(text, name, overrides, gpu, problems);
  if (!read) {
    return std::nullopt;
  }
  std::vector<SourceProblem> found;
  std::optional<Assembly> assembly = assemble(read->source, gpu, found);
  std::size_t suggested = 0;  // each compares a word with all others
  for (const SourceProblem& problem : found) {
    YAML::Mark mark;
    mark.line = problem.at.line - 1;
    mark.column = problem.at.column - 1;
    const bool suggest = !problem.word.empty() && ++suggested <= kMostSuggestions;
    const std::string hint = suggest ? did_you_mean(problem.word, problem.candidates) : "";
    problems.add(name, mark, problem.message + hint);
  }
  if (!assembly) {
    return std::nullopt;
  }
  KernelSpec kernel = std::move(assembly->kernel);
  kernel.notes.insert(kernel.notes.begin(), read->notes.begin(), read->notes.end());
  return kernel;
}

std::optional<KernelSpec> load_kernel(const std::string& name_or_file,
                                      const std::vector<std::string>& overrides, const GpuSpec& gpu,
                                      Diagnostics& problems) {
  const std::string path = kernel_path(name_or_file, problems);
  if (path.empty()) {
    return std::nullopt;
  }
  const std::optional<std::string> text = read_file(path, problems);
  return text ? load_kernel_text(*text, path, overrides, gpu, problems) : std::nullopt;
}

std::string kernel_text(const std::string& name_or_file, std::size_t most_bytes) {
  Diagnostics ignored;
  const std::string path = kernel_path(name_or_file, ignored);
  if (path.empty()) return "";
  const std::optional<std::string> text = read_file(path, ignored);
  return text && text->size() <= most_bytes ? *text : "";
}

std::vector<std::string> kernel_names() {
  return config_names("kernels");
}

KernelSpec load_kernel(const std::string& name_or_file, const std::vector<std::string>& overrides,
                       const GpuSpec& gpu) {
  Diagnostics problems;
  std::optional<KernelSpec> kernel = load_kernel(name_or_file, overrides, gpu, problems);
  problems.throw_if_any();
  return std::move(*kernel);
}

}  // namespace smsim
