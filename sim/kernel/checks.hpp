// What is odd about a kernel source without being wrong.
#pragma once

#include <string>
#include <vector>

#include "sim/kernel/source.hpp"

namespace smsim {

/// Notes, each with its line: barriers that some threads of a block may never reach, results that
/// nobody uses.
std::vector<std::string> check_source(const KernelSource& source);

}  // namespace smsim
