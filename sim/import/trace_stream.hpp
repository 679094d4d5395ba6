// Blocks of a trace one after another, wherever they come from: a file, or a kernel of ours that
// is walked through.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/import/accelsim_trace.hpp"

namespace smsim {

class TraceStream {
 public:
  TraceStream() = default;
  TraceStream(const TraceStream&) = delete;
  TraceStream& operator=(const TraceStream&) = delete;
  virtual ~TraceStream() = default;

  virtual const AccelsimHeader& header() const = 0;
  /// Names of the opcodes met so far; indices never change.
  virtual const std::vector<std::string>& opcodes() const = 0;
  /// The next block; false at the end.
  virtual bool next_block(AccelsimBlock& block) = 0;
  virtual void rewind() = 0;
};

/// A .traceg file. Throws InputError when it cannot be used.
std::unique_ptr<TraceStream> open_trace_file(const std::string& path);

}  // namespace smsim
