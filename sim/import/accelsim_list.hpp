// The list of what an application did, as Accel-Sim's tracer leaves it (kernelslist.g).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim {

struct AccelsimCommand {
  enum class Kind { memcpy_to_device, kernel };
  Kind kind = Kind::kernel;
  std::uint64_t address = 0;  // of a copy
  std::uint64_t bytes = 0;
  std::string path;  // of a kernel's trace, resolved against the list's folder
  int line = 0;
};

/// The copies to the device and the kernels in `path`, in order. A kernel's file may be there with
/// .gz, .xz or .zst behind its name. Copies to the host are left out, and
/// other lines with one warning. Throws
/// InputError with every line that cannot be used and every kernel without a file.
std::vector<AccelsimCommand> read_accelsim_list(const std::string& path,
                                                std::vector<Diagnostic>& warnings);

}  // namespace smsim
