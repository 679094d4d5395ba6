// Kernel traces of Accel-Sim (kernel-N.traceg), block by block.
//
// Traces are large, so a reader holds a piece of the text and the one block that is asked for. It
// takes what the tracer wrote in any of its versions, where Accel-Sim's own reader takes the one of
// its day: line numbers or not, one immediate, two or none, addresses in any of the three modes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/import/accelsim_trace.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {

class AccelsimReader {
 public:
  /// Opens a trace, plain or as gzip, xz or zstd (told apart by content), and reads its header.
  /// Throws InputError when there is no such file or the header cannot be used.
  explicit AccelsimReader(const std::string& path);
  ~AccelsimReader();
  AccelsimReader(AccelsimReader&&) noexcept;
  AccelsimReader& operator=(AccelsimReader&&) noexcept;

  const AccelsimHeader& header() const;
  /// The next block in the order of the file, into `block`, whose memory is used again. False at
  /// the end. Throws InputError with file and line for what cannot be used; the reader can then
  /// only be rewound.
  bool next_block(AccelsimBlock& block);
  /// Names of the opcodes met so far, with their modifiers ("LDG.E.128"). Indices never change.
  const std::vector<std::string>& opcodes() const;
  /// What was doubtful so far: each kind once, where it was first met and how often.
  const std::vector<Diagnostic>& warnings() const;
  /// Back to the first block.
  void rewind();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace smsim
