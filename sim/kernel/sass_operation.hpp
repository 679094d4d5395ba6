// What a SASS mnemonic of a listing does, for every instruction of sm_70 to sm_121 that compilers
// emit: Hopper's complete, others by their nearest relative.
#pragma once

#include <string_view>

#include "sim/kernel/operations.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/program.hpp"

namespace smsim::sass {

enum class SassKind : std::uint8_t {
  compute,
  exchange,  // through the memory queues without touching memory: SHFL, S2R, SYNCS
  load,
  store,
  atomic,
  reduction,
  async_copy,    // LDGSTS
  bulk_copy,     // UBLKCP, UTMALDG, ...
  barrier,       // BAR, B2R.RESULT's kin
  fence,         // MEMBAR
  sleep,         // NANOSLEEP
  await_copies,  // DEPBAR
  await_tensor,  // WARPGROUP.DEPBAR
  cluster_arrive,
  cluster_wait,
  branch,
  indirect,  // BRX, JMX: a jump to one of several places
  call,
  ret,
  exit,
  converge_open,  // BSSY
  converge,       // BSYNC
  nothing         // takes an issue slot and nothing else
};

struct SassOperation {
  SassKind kind = SassKind::compute;
  Operation timing;
  Space space = Space::global;  // loads, stores, atomics
  bool has_result = true;
  int result_width = 1;       // registers
  bool async_tensor = false;  // warp-group multiplies
  bool known = true;          // false: treated as a plain integer instruction
};

SassOperation sass_operation(const GpuSpec& gpu, std::string_view mnemonic);

/// What an unknown mnemonic is taken for, in words.
inline constexpr std::string_view kUnknownOperation =
    "an integer instruction (ALU pipe, 2 cycles, latency 4)";

}  // namespace smsim::sass
