// What a kernel trace of Accel-Sim holds: its header, and block by block what every warp executed.
//
// A trace is the path that was taken on a real GPU: one line for each instruction of each warp, in
// order, with the addresses of its lanes. It has no control codes, predicates or constants.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "smsim/kernel_spec.hpp"

namespace smsim {

struct AccelsimHeader {
  std::string kernel_name;
  int kernel_id = 1;
  Dim3 grid;
  Dim3 block;
  int smem_bytes = 0;      // static and dynamic
  int registers = 0;       // per thread
  int binary_version = 0;  // of the instruction set: 70, 80, 90
  int tracer_version = 0;
  std::uint64_t smem_base = 0;   // where generic addresses mean shared memory
  std::uint64_t local_base = 0;  // and where they mean local memory
  std::string nvbit_version;
  bool line_info = false;         // each instruction begins with a line of the source
  std::uint64_t cuda_stream = 0;  // the driver's handle, 0 for the default stream
};

// Numbers of registers: R0 to R255 as they are (R255 is RZ), UR0 to UR255 from 256 on. Predicates,
// which only the newest tracers list, come behind them: P0 to P7, then UP0 to UP7.
inline constexpr std::uint16_t kFirstUniformRegister = 256;
inline constexpr std::uint16_t kFirstPredicate = 512;
inline constexpr std::uint16_t kFirstUniformPredicate = 520;

struct AccelsimInstruction {
  std::uint32_t pc = 0;      // in bytes from the kernel's begin
  std::uint32_t mask = 0;    // lanes that are active and not predicated off; 0 still issues
  std::uint16_t opcode = 0;  // index into the reader's opcodes()
  std::uint8_t destinations = 0;
  std::uint8_t sources = 0;
  std::array<std::uint16_t, 8> registers{};  // the destinations, then the sources
  std::uint8_t width_bytes = 0;              // per lane, as the tracer wrote it; 0: no memory
  std::uint8_t addresses = 0;                // one per active lane, in lane order; none if unknown
  std::uint32_t first_address = 0;           // index into AccelsimWarp::addresses
  std::int64_t immediate = 0;                // the first one where the trace has two
};

struct AccelsimWarp {
  std::uint32_t warp = 0;  // in its block, from 0
  std::vector<AccelsimInstruction> code;
  std::vector<std::uint64_t> addresses;
};

struct AccelsimBlock {
  Dim3 id{0, 0, 0};
  std::vector<AccelsimWarp> warps;
};

}  // namespace smsim
