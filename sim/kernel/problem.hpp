// What the assembler finds wrong with a kernel source.
#pragma once

#include <string>
#include <vector>

#include "sim/kernel/source.hpp"

namespace smsim {

struct SourceProblem {
  SourcePosition at;
  std::string message;
  std::string word;                     // a name that may be a slip of the pen, or ""
  std::vector<std::string> candidates;  // what it may have been meant to be
};

}  // namespace smsim
