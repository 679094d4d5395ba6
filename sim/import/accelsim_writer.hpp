// Kernel traces as Accel-Sim's simulator reads them: plain text, tracer version 5.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/import/accelsim_trace.hpp"

namespace smsim {

/// Reading what was written gives the same blocks, but for what version 5 has no room for: every
/// block is written with one immediate and without line numbers.
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
