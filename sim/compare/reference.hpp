// Measured references: folders that hold one profiled launch each.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace smsim {

/// What a reference may be used for. Accuracy is judged on `held_out` alone.
enum class Use {
  fit,      // figures of the GPU file come from it
  develop,  // looked at while the model was made
  held_out  // looked at only after the model was frozen
};

/// "fit", "develop" or "held_out".
const char* to_string(Use use);

/// One folder: raw.csv, source.csv, kernel.sass or kernel.cubin (each may be compressed) and
/// reference.yaml.
struct Reference {
  std::string name;  // the folder, below the one that was searched
  std::string raw;   // "" when there is none; likewise source and sass
  std::string source;
  std::string sass;
  std::string gpu = "h200";
  std::optional<int> launch;     // the raw page's ID; needed when it has several
  std::string family = "other";  // kernels of one kind
  std::string pair;     // the reference that differs in one thing, or a label that both share
  std::string problem;  // what is computed, in a few words
  Use use = Use::develop;
};

/// Every reference below `dir`, sorted by name: folders with a reference.yaml or a raw.csv. Throws
/// InputError when there is none, and with every problem of every reference.yaml.
std::vector<Reference> find_references(const std::string& dir);

}  // namespace smsim
