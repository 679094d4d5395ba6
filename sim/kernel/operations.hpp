// What the assembler knows of each SASS family, whatever the GPU: what it does, what it returns.
// How long it takes is the GPU's (GpuSpec::operations).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/draft.hpp"
#include "smsim/gpu_spec.hpp"

namespace smsim::sass {

enum class OperationKind : std::uint8_t {
  compute,     // operands in registers, result in a register
  exchange,    // through the memory queues without touching memory: SHFL, S2R
  load,        // LDG LDS LDL LDC LD
  store,       // STG STS STL
  atomic,      // ATOMG ATOMS: returns the old value
  reduction,   // RED: returns nothing
  async_copy,  // LDGSTS
  bulk_copy,   // UBLKCP
  control      // what only the lowering emits: BRA, BAR, ...
};

struct OperationInfo {
  std::string_view family;
  OperationKind kind = OperationKind::compute;
  RegisterFile result = RegisterFile::vector;
  int result_width = 1;  // 0: no result
  int flops = 0;         // arithmetic operations of one thread
  Operation fallback;    // timing where a GPU file says nothing (control instructions)
  int own_stall = 1;     // least stall count
};

/// The family of a mnemonic: "HMMA.16816.F32" is of HMMA. Nullptr when there is no such family.
const OperationInfo* find_operation(std::string_view mnemonic);

/// Families that a kernel may name, for suggestions.
std::vector<std::string> operation_families();

/// The GPU's timing of a mnemonic: of itself, of its prefixes up to a dot, or of the family it
/// behaves like. Nullopt when this GPU has no such instruction.
std::optional<Operation> find_timing(const GpuSpec& gpu, std::string_view mnemonic);

/// Registers that an instruction of this mnemonic returns ("LDG.E.128" returns four).
int result_width(const OperationInfo& info, std::string_view mnemonic);

}  // namespace smsim::sass
