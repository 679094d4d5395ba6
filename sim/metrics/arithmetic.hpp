// Which arithmetic one instruction does, read from its text.
#pragma once

#include <string_view>

namespace smsim {

/// Floating-point (or tensor integer) operations of one warp instruction.
struct Arithmetic {
  const char* precision = "";      // "fp32", "fp64", "fp16", "tensor fp16", ...; empty: none
  double operations_per_lane = 0;  // scales with active lanes
  double operations_per_warp = 0;  // matrix instructions: all lanes work together
};

/// The mnemonic of a line such as "@!P0 FFMA.FTZ R1, R2, R3, R4 ;": "FFMA.FTZ".
std::string_view mnemonic(std::string_view text);

/// A fused multiply-add counts as two operations, a special function as one. Matrix shapes are read
/// from the mnemonic: HMMA.16816 is 16 x 8 x 16, HGMMA.64x128x16 stands for itself.
Arithmetic arithmetic_of(std::string_view text);

}  // namespace smsim
