// An imported kernel as a kernel file.
#pragma once

#include <string>

#include "sim/import/ncu_kernel.hpp"

namespace smsim {

/// YAML that the kernel reader takes; one line per instruction. `origin`: where it came from, for
/// the comment at the top.
std::string kernel_file_text(const ImportedKernel& kernel, const std::string& origin);

}  // namespace smsim
