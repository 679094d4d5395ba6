// How a generation of GPUs gets at constants and global memory: what a compiler emits differs.
#pragma once

#include "smsim/gpu_spec.hpp"

namespace smsim::sass {

struct Dialect {
  bool constant_operands = false;  // before sm_90: c[0x0][...] as an operand of any instruction
  bool uniform_registers = true;   // from sm_75
  bool descriptors = true;         // from sm_80: global accesses name a descriptor
  bool shared_window = true;       // from sm_90: a block's shared memory starts at a computed base
  const char* load_uniform = "ULDC";  // from sm_100: LDCU
};

Dialect dialect_of(const GpuSpec& gpu);

}  // namespace smsim::sass
