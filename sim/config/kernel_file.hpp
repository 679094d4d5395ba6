// Kernels as YAML: the language of configs/README.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/config/diagnostics.hpp"
#include "sim/kernel/assembler.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim {

/// Reads a kernel, by name or by file, for a GPU (its latencies decide the control codes).
/// `overrides` are "path=value", as --set takes them. Nullopt when anything is wrong; `problems`
/// says what.
std::optional<KernelSpec> load_kernel(const std::string& name_or_file,
                                      const std::vector<std::string>& overrides, const GpuSpec& gpu,
                                      Diagnostics& problems);

/// Same from a text; `name` stands for the file in messages.
std::optional<KernelSpec> load_kernel_text(const std::string& text, const std::string& name,
                                           const std::vector<std::string>& overrides,
                                           const GpuSpec& gpu, Diagnostics& problems);

/// The file behind a kernel's name (of configs/kernels or configs/lessons), or the file itself; ""
/// and a problem where there is none.
std::string kernel_path(const std::string& name_or_file, Diagnostics& problems);

/// The text of a kernel's file, found as above; "" where it is longer than that or cannot be read.
std::string kernel_text(const std::string& name_or_file, std::size_t most_bytes);

/// What was read, before the assembler.
std::optional<KernelSource> read_kernel_text(const std::string& text, const std::string& name,
                                             const std::vector<std::string>& overrides,
                                             const GpuSpec& gpu, Diagnostics& problems);

}  // namespace smsim
