// What the warps of a block did, instruction by instruction and with addresses: how traces enter
// the engine. Lines are 128 bytes, sectors 32.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace smsim {

inline constexpr std::uint32_t kNoAccess = 0xffffffff;

/// Part of one 128-byte line that an instruction touches.
struct RecordedLine {
  std::uint64_t line = 0;    // byte address / 128
  std::uint8_t sectors = 0;  // bit per sector, never 0
  std::uint8_t word = 0;     // lowest 4-byte word of the line, 0..31
  std::uint8_t lanes = 0;    // lanes that meet here, 1..32
};

/// What one execution of a memory instruction touches.
struct RecordedAccess {
  std::uint32_t first_line = 0;  // in RecordedWarp::lines
  std::uint8_t lines = 0;        // global memory: 1..64
  std::uint8_t passes = 1;       // shared memory: bank conflicts included
};

/// One executed instruction.
struct RecordedStep {
  std::uint32_t pc = 0;              // in Program::code
  std::uint32_t access = kNoAccess;  // in RecordedWarp::accesses
  std::uint8_t lanes = 32;           // active ones, 0..32
};

struct RecordedWarp {
  std::vector<RecordedStep> steps;  // at least one; the last one exits
  std::vector<RecordedAccess> accesses;
  std::vector<RecordedLine> lines;
};

struct RecordedBlock {
  std::vector<RecordedWarp> warps;  // as many as the launch's blocks have
};

/// Blocks in launch order. The engine asks for each block once, when it starts, in rising order;
/// asking for block 0 again begins anew. What it got it lets go of when the block ends, so that
/// memory stays within what is resident. Errors in the middle of a file are thrown as InputError.
class TraceSource {
 public:
  TraceSource() = default;
  TraceSource(const TraceSource&) = delete;
  TraceSource& operator=(const TraceSource&) = delete;
  virtual ~TraceSource() = default;
  virtual std::shared_ptr<const RecordedBlock> block(std::uint64_t number) = 0;
};

}  // namespace smsim
