// Kernel traces as Accel-Sim's simulator reads them: plain text, tracer version 5.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/import/accelsim_trace.hpp"

namespace smsim {

/// Reading what was written gives the same blocks. Of what version 5 has no room for, line numbers
/// are left out, and an instruction whose addresses are not known is written as one without memory.
/// Uniform registers are written by name, which Accel-Sim reads from 2.0 on.
class AccelsimWriter {
 public:
  /// Writes the header at once. `out` must outlive the writer.
  AccelsimWriter(std::ostream& out, const AccelsimHeader& header);

  /// Writes one block; `opcodes` are the names that its instructions index. Addresses are written
  /// in the shortest mode that the tracer would use for them.
  void write(const AccelsimBlock& block, const std::vector<std::string>& opcodes);

 private:
  std::ostream& out_;
  std::string text_;  // of one block: its memory is used again
};

}  // namespace smsim
