#include "sim/config/gpu_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/arch/gpu_fields.hpp"
#include "sim/config/config_paths.hpp"
#include "sim/config/source_table.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

namespace fs = std::filesystem;

namespace {

// "limits.max_warps" -> "limits"; "" for a field of the top level.
std::string section_of(const std::string& path) {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

// Reads a node into whatever a field points to; the old value stays when the node is wrong.
struct ReadValue {
  const ReadContext& context;
  const YAML::Node& node;
  const GpuField& field;

  std::optional<std::int64_t> integer(const YAML::Node& from) const {
    return read_integer(context, from, static_cast<std::int64_t>(field.min),
                        static_cast<std::int64_t>(field.max));
  }

  void operator()(int* value) const { *value = static_cast<int>(integer(node).value_or(*value)); }
  void operator()(std::int64_t* value) const { *value = integer(node).value_or(*value); }
  void operator()(double* value) const {
    *value = read_number(context, node, field.min, field.max).value_or(*value);
  }
  void operator()(bool* value) const { *value = read_bool(context, node).value_or(*value); }
  void operator()(std::string* value) const {
    *value = read_text(context, node).value_or(*value);
    if (has_control_character(*value)) {
      context.error(node, "found text with control characters, expected it without");
    }
  }
  void operator()(std::vector<int>* value) const {
    if (!node.IsSequence()) {
      context.error(node, fmt::format("found {}, expected a list of integers", describe(node)));
      return;
    }
    value->clear();
    for (const YAML::Node& item : node) {
      value->push_back(static_cast<int>(integer(item).value_or(0)));
    }
  }
  void operator()(ComputeCapability* value) const {
    if (!node.IsScalar() || !parse_compute_capability(node.Scalar(), *value)) {
      context.error(
          node, fmt::format("found {}, expected a compute capability such as 9.0", describe(node)));
    }
  }
};

// Applies one file of the chain.
class GpuReader {
 public:
  GpuReader(const ReadContext& context, const YAML::Node& document, GpuSpec& gpu, Origins& origins)
      : context_(context),
        top_(context, document),
        sources_(context, top_.find("sources")),
        gpu_(gpu),
        origins_(origins) {}

  void apply() {
    top_.find("extends");  // followed already
    std::set<std::string> sections;
    for (const GpuField& field : gpu_fields(gpu_)) {
      if (section_of(field.path).empty()) {
        read_field(field, top_.find(field.path));
      } else {
        sections.insert(section_of(field.path));
      }
    }
    for (const std::string& section : sections) {
      read_section(section, top_.find(section));
    }
    read_operations(top_.find("operations"));
    top_.finish();
    sources_.report_unused();
  }

 private:
  void read_field(const GpuField& field, const std::optional<YAML::Node>& node) {
    if (node) {
      std::visit(ReadValue{context_, *node, field}, field.value);
      record(field.path, *node);
    }
  }

  void read_section(const std::string& section, const std::optional<YAML::Node>& node) {
    if (!node) {
      return;
    }
    MappingReader mapping(context_, *node);
    for (const GpuField& field : gpu_fields(gpu_)) {
      if (section_of(field.path) == section) {
        read_field(field, mapping.find(field.path.substr(section.size() + 1)));
      }
    }
    mapping.finish();
  }

  void read_operations(const std::optional<YAML::Node>& node) {
    if (!node) {
      return;
    }
    const MappingReader mapping(context_, *node);  // reports what is no mapping of names
    for (const auto& entry : *node) {
      if (node->IsMap() && entry.first.IsScalar()) {
        read_operation(entry.first.Scalar(), entry.second);
      }
    }
  }

  void read_operation(const std::string& name, const YAML::Node& node) {
    const bool is_new = gpu_.operations.count(name) == 0;
    Operation& operation = gpu_.operations[name];
    MappingReader mapping(context_, node);
    if (const auto pipe = is_new ? mapping.require("pipe") : mapping.find("pipe")) {
      if (const auto choice = read_choice(context_, *pipe, pipe_names())) {
        const std::vector<std::string>& names = pipe_names();
        const auto index = std::find(names.begin(), names.end(), *choice) - names.begin();
        operation.pipe = static_cast<Pipe>(index);
      }
    }
    read_cycles(mapping.find("interval_cycles"), 255, operation.issue_interval_cycles);
    read_cycles(mapping.find("latency_cycles"), 60'000, operation.latency_cycles);
    if (const auto variable = mapping.find("variable")) {
      operation.variable_latency = read_bool(context_, *variable).value_or(false);
    }
    mapping.finish();
    record("operations." + name, node);
  }

  void read_cycles(const std::optional<YAML::Node>& node, std::int64_t max, int& value) const {
    if (node) {
      value = static_cast<int>(read_integer(context_, *node, 1, max).value_or(value));
    }
  }

  void record(const std::string& path, const YAML::Node& node) {
    Origin origin{context_.file, node.Mark(), SourceStatus::unverified, ""};
    if (const SourceTable::Entry* entry = sources_.find(path)) {
      origin.status = entry->status;
      origin.source = entry->text;
    }
    origins_[path] = origin;
  }

  const ReadContext& context_;
  MappingReader top_;
  SourceTable sources_;
  GpuSpec& gpu_;
  Origins& origins_;
};

// The file that `name` in `file` extends: beside it, else one that comes with smsim.
std::string resolve(const std::string& file, const std::string& name) {
  const std::string with_ending = fs::path(name).extension() == ".yaml" ? name : name + ".yaml";
  const fs::path beside = fs::path(file).parent_path() / with_ending;
  std::error_code error;
  if (fs::is_regular_file(beside, error)) {
    return beside.string();
  }
  return (fs::path(config_dir()) / "gpus" / with_ending).string();
}

std::string canonical(const std::string& file) {
  std::error_code error;
  return fs::weakly_canonical(file, error).string();
}

// The file that `document` extends, or nullopt: it extends none, or none that can be used.
std::optional<std::string> parent_of(const ReadContext& context, const YAML::Node& document,
                                     const std::vector<std::string>& chain) {
  const YAML::Node extends = document.IsMap() ? document["extends"] : YAML::Node();
  if (!extends.IsDefined() || extends.IsNull()) {
    return std::nullopt;
  }
  const std::optional<std::string> name = read_text(context, extends);
  if (!name) {
    return std::nullopt;
  }
  const std::string parent = resolve(context.file, *name);
  if (std::find(chain.begin(), chain.end(), canonical(parent)) != chain.end()) {
    context.error(extends, fmt::format("found '{}', which extends this file in turn, expected one "
                                       "that does not",
                                       *name));
    return std::nullopt;
  }
  std::error_code error;
  if (!fs::is_regular_file(parent, error)) {
    context.error(extends, fmt::format("found '{}', expected a GPU file beside this one or a name "
                                       "that 'smsim gpus' lists{}",
                                       *name, did_you_mean(*name, gpu_names())));
    return std::nullopt;
  }
  return parent;
}

void apply_chain(const std::string& file, std::vector<std::string>& chain, GpuSpec& gpu,
                 Origins& origins, Diagnostics& problems) {
  const std::optional<YAML::Node> document = load_yaml_file(file, problems);
  if (!document) {
    return;
  }
  const ReadContext context{file, problems};
  chain.push_back(canonical(file));
  if (const auto parent = parent_of(context, *document, chain)) {
    apply_chain(*parent, chain, gpu, origins, problems);
  }
  GpuReader(context, *document, gpu, origins).apply();
}

}  // namespace

void read_gpu_file(const std::string& file, GpuSpec& gpu, Origins& origins, Diagnostics& problems) {
  std::vector<std::string> chain;
  apply_chain(file, chain, gpu, origins, problems);
}

}  // namespace smsim
