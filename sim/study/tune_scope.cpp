#include "sim/study/tune_scope.hpp"

#include "sim/config/tune_file.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {
namespace {

using Entry = std::pair<std::string, std::string>;

std::string text_of(const YAML::Node& node) {
  if (node.IsScalar()) return node.Scalar();
  YAML::Emitter out;
  out << YAML::Flow << node;
  return out.c_str();
}

std::vector<Entry> entries_of(const YAML::Node& document, const std::string& key) {
  std::vector<Entry> entries;
  const auto node = value_of(document, key);
  if (!node || !node->IsMap()) return entries;
  for (const auto& entry : *node) {
    if (entry.first.IsScalar()) entries.emplace_back(entry.first.Scalar(), text_of(entry.second));
  }
  return entries;
}

// The changed text where a point changes this path.
std::string changed(const std::vector<Entry>& values, const std::string& path,
                    const std::string& otherwise) {
  for (const auto& [name, value] : values) {
    if (name == path && value != kTuneDefault) return value;
  }
  return otherwise;
}

void define(ExpressionScope& scope, const std::string& text,
            const std::vector<std::string>& names) {
  ExpressionError ignored;  // the loader reports what is wrong with the file
  const auto value = evaluate(text, scope, ignored);
  if (!value || !value->is_number()) return;
  for (const std::string& name : names) scope.values[name] = value->constant;
}

}  // namespace

TuneScope::TuneScope(const YAML::Node& document, const GpuSpec& gpu)
    : parameters_(entries_of(document, "params")), launch_(entries_of(document, "launch")) {
  machine_.values = {{"KiB", 1024.0},
                     {"MiB", 1048576.0},
                     {"GiB", 1073741824.0},
                     {"gpu.sms", gpu.topology.sms},
                     {"gpu.max_warps", gpu.limits.max_warps},
                     {"gpu.max_blocks", gpu.limits.max_blocks}};
}

ExpressionScope TuneScope::at(const std::vector<Entry>& values) const {
  ExpressionScope scope = machine_;
  for (const auto& [name, text] : parameters_) {
    const std::string path = "params." + name;
    define(scope, changed(values, path, text), {name, path});
  }
  for (const auto& [name, text] : launch_) {
    define(scope, changed(values, "launch." + name, text), {"launch." + name});
  }
  for (const auto& [path, text] : values) {  // what the file does not have
    if (scope.values.count(path) == 0 && text != kTuneDefault) define(scope, text, {path});
  }
  return scope;
}

std::string TuneScope::text_at(const std::string& path) const {
  for (const auto& [prefix, entries] :
       {std::pair<std::string, const std::vector<Entry>*>{"params.", &parameters_},
        {"launch.", &launch_}}) {
    for (const auto& [name, text] : *entries) {
      if (path == prefix + name) return text;
    }
  }
  return "";
}

std::vector<std::string> TuneScope::parameters() const {
  std::vector<std::string> names;
  for (const auto& [name, text] : parameters_) names.push_back(name);
  return names;
}

}  // namespace smsim
