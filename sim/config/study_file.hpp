// Studies as YAML; the format is in configs/sweeps/README.md.
#pragma once

#include <optional>
#include <string>

#include "sim/config/diagnostics.hpp"
#include "sim/config/study.hpp"

namespace smsim {

/// Reads a study, by name (of configs/sweeps) or by file. Kernels and GPUs that it names as files
/// are looked for beside it. Nullopt when anything is wrong; `problems` says what.
std::optional<StudySpec> load_study(const std::string& name_or_file, Diagnostics& problems);

/// Same from a text; `file` stands for the file in messages.
std::optional<StudySpec> load_study_text(const std::string& text, const std::string& file,
                                         Diagnostics& problems);

}  // namespace smsim
