#include "sim/kernel/sass_operation.hpp"

#include <algorithm>
#include <optional>

#include "sim/kernel/sass_operands.hpp"

namespace smsim::sass {

namespace {

using Kind = SassKind;

struct Family {
  std::string_view name;
  Kind kind = Kind::compute;
  std::string_view like;  // whose timing it has, where the GPU file says nothing of itself
  bool has_result = true;
  Space space = Space::global;
};

constexpr std::string_view kNoTiming;

// Families beyond those of the kernel language (operations.cpp), and those that mean more here.
constexpr Family kFamilies[] = {
    // Memory.
    {"LD", Kind::load, "LDG"},
    {"LDS", Kind::load, "LDS", true, Space::shared},
    {"LDSM", Kind::load, "LDS", true, Space::shared},
    {"LDL", Kind::load, "LDL", true, Space::local},
    {"ST", Kind::store, "STG", false},
    {"STS", Kind::store, "STS", false, Space::shared},
    {"STSM", Kind::store, "STS", false, Space::shared},
    {"STL", Kind::store, "STL", false, Space::local},
    {"STAS", Kind::store, "STS", false, Space::dsmem},
    {"ATOM", Kind::atomic, "ATOMG"},
    {"ATOMG", Kind::atomic, "ATOMG"},
    {"ATOMS", Kind::atomic, "ATOMS", true, Space::shared},
    {"RED", Kind::reduction, "RED", false},
    {"REDG", Kind::reduction, "RED", false},
    {"REDAS", Kind::store, "STS", false, Space::dsmem},
    {"LDGSTS", Kind::async_copy, "LDGSTS", false},
    {"UBLKCP", Kind::bulk_copy, "UBLKCP", false},
    {"UTMALDG", Kind::bulk_copy, "UTMALDG", false},
    {"UTMASTG", Kind::nothing, kNoTiming, false},
    {"UTMAREDG", Kind::nothing, kNoTiming, false},
    {"UBLKRED", Kind::nothing, kNoTiming, false},
    {"TEX", Kind::load, "LDG"},
    {"TLD", Kind::load, "LDG"},
    {"TLD4", Kind::load, "LDG"},
    {"TXD", Kind::load, "LDG"},
    {"SULD", Kind::load, "LDG"},
    {"SUST", Kind::store, "STG", false},
    {"SUATOM", Kind::atomic, "ATOMG"},
    {"SURED", Kind::reduction, "RED", false},
    // Through the queues without memory.
    {"SYNCS", Kind::exchange, "S2R"},
    {"TXQ", Kind::exchange, "S2R"},
    {"B2R", Kind::exchange, "S2R"},
    {"R2B", Kind::exchange, "S2R", false},
    {"MOVM", Kind::exchange, "SHFL"},
    {"QSPC", Kind::exchange, "S2R"},
    // Synchronisation.
    {"BAR", Kind::barrier, "BAR", false},
    {"MEMBAR", Kind::fence, "MEMBAR", false},
    {"DEPBAR", Kind::await_copies, kNoTiming, false},
    {"WARPGROUP", Kind::nothing, kNoTiming, false},
    {"UCGABAR_ARV", Kind::cluster_arrive, "BRA", false},
    {"UCGABAR_WAIT", Kind::cluster_wait, "BRA", false},
    {"NANOSLEEP", Kind::sleep, "BRA", false},
    // Control flow.
    {"BRA", Kind::branch, "BRA", false},
    {"JMP", Kind::branch, "BRA", false},
    {"BRX", Kind::indirect, "BRA", false},
    {"BRXU", Kind::indirect, "BRA", false},
    {"JMX", Kind::indirect, "BRA", false},
    {"JMXU", Kind::indirect, "BRA", false},
    {"CALL", Kind::call, "BRA", false},
    {"RET", Kind::ret, "BRA", false},
    {"EXIT", Kind::exit, "EXIT", false},
    {"KILL", Kind::exit, "EXIT", false},
    {"BSSY", Kind::converge_open, "BSSY", false},
    {"BSYNC", Kind::converge, "BSYNC", false},
    {"WARPSYNC", Kind::nothing, "BRA", false},
    {"BREAK", Kind::nothing, "BRA", false},
    {"YIELD", Kind::nothing, "BRA", false},
    {"BMOV", Kind::nothing, "BRA", false},
    {"RPCMOV", Kind::nothing, "BRA", false},
    {"BPT", Kind::nothing, "BRA", false},
    {"NOP", Kind::nothing, kNoTiming, false},
    {"ERRBAR", Kind::nothing, kNoTiming, false},
    {"CGAERRBAR", Kind::fence, kNoTiming, false},
    {"CCTL", Kind::nothing, kNoTiming, false},
    {"CCTLL", Kind::nothing, kNoTiming, false},
    {"LDGDEPBAR", Kind::nothing, kNoTiming, false},
    {"ARRIVES", Kind::nothing, kNoTiming, false},
    {"FENCE", Kind::nothing, kNoTiming, false},
    {"PREEXIT", Kind::nothing, kNoTiming, false},
    {"ACQBULK", Kind::nothing, kNoTiming, false},
    {"ENDCOLLECTIVE", Kind::nothing, kNoTiming, false},
    {"PMTRIG", Kind::nothing, kNoTiming, false},
    {"DEPBARS", Kind::nothing, kNoTiming, false},
    {"UTMAPF", Kind::nothing, kNoTiming, false},
    {"UTMACMDFLUSH", Kind::nothing, kNoTiming, false},
    {"UTMACCTL", Kind::nothing, kNoTiming, false},
    {"UBLKPF", Kind::nothing, kNoTiming, false},
    {"USETMAXREG", Kind::nothing, "BRA", false},
    {"SETCTAID", Kind::nothing, kNoTiming, false},
    {"CSMTEST", Kind::nothing, kNoTiming, false},
    // Arithmetic that the kernel language does not offer.
    {"IMUL", Kind::compute, "IMAD"},
    {"IDP4A", Kind::compute, "IMAD"},
    {"ISCADD", Kind::compute, "LEA"},
    {"LOP", Kind::compute, "LOP3"},
    {"SHL", Kind::compute, "SHF"},
    {"SHR", Kind::compute, "SHF"},
    {"MOV32I", Kind::compute, "MOV"},
    {"IADD32I", Kind::compute, "IADD3"},
    {"FFMA32I", Kind::compute, "FFMA"},
    {"FADD32I", Kind::compute, "FADD"},
    {"FMUL32I", Kind::compute, "FMUL"},
    {"FADD2", Kind::compute, "FFMA2"},
    {"FMUL2", Kind::compute, "FFMA2"},
    {"FMNMX3", Kind::compute, "FMNMX"},
    {"FSET", Kind::compute, "FSETP"},
    {"FSWZADD", Kind::compute, "FADD"},
    {"FCHK", Kind::compute, "FCHK"},
    {"FHADD", Kind::compute, "HADD2"},
    {"FHFMA", Kind::compute, "HFMA2"},
    {"HADD2_32I", Kind::compute, "HADD2"},
    {"HFMA2_32I", Kind::compute, "HFMA2"},
    {"HMUL2_32I", Kind::compute, "HMUL2"},
    {"HSET2", Kind::compute, "HADD2"},
    {"HSETP2", Kind::compute, "HADD2"},
    {"I2I", Kind::compute, "I2F"},
    {"I2IP", Kind::compute, "I2FP"},
    {"I2FP", Kind::compute, "I2FP"},
    {"VABSDIFF", Kind::compute, "IADD3"},
    {"VABSDIFF4", Kind::compute, "IADD3"},
    {"VIMNMX3", Kind::compute, "VIMNMX"},
    {"P2R", Kind::compute, "PRMT"},
    {"R2P", Kind::compute, "ISETP"},
    {"PSETP", Kind::compute, "ISETP"},
    {"LEPC", Kind::compute, "MOV"},
    {"PLOP3", Kind::compute, "PLOP3"},
    {"ELECT", Kind::compute, "VOTE"},
    {"GETLMEMBASE", Kind::compute, "MOV"},
    {"SETLMEMBASE", Kind::nothing, kNoTiming, false},
    {"BMMA", Kind::compute, "IMMA"},
    {"QMMA", Kind::compute, "HMMA"},
    {"OMMA", Kind::compute, "HMMA"},
    {"BGMMA", Kind::compute, "IGMMA"},
    // Uniform datapath.
    {"UISETP", Kind::compute, "UIADD3"},
    {"UPLOP3", Kind::compute, "UIADD3"},
    {"USEL", Kind::compute, "UIADD3"},
    {"UPRMT", Kind::compute, "UIADD3"},
    {"USGXT", Kind::compute, "UIADD3"},
    {"UBMSK", Kind::compute, "UIADD3"},
    {"UFLO", Kind::compute, "UIADD3"},
    {"UPOPC", Kind::compute, "UIADD3"},
    {"UBREV", Kind::compute, "UIADD3"},
    {"UP2UR", Kind::compute, "UIADD3"},
    {"UR2UP", Kind::compute, "UIADD3"},
    {"UVIADD", Kind::compute, "UIADD3"},
    {"UVIMNMX", Kind::compute, "UIADD3"},
    {"UFADD", Kind::compute, "UIADD3"},
    {"UFMUL", Kind::compute, "UIADD3"},
    {"UFFMA", Kind::compute, "UIADD3"},
    {"UFSETP", Kind::compute, "UIADD3"},
    {"UFSEL", Kind::compute, "UIADD3"},
    {"UI2FP", Kind::compute, "UIADD3"},
    {"UF2FP", Kind::compute, "UIADD3"},
    {"UCS2UR", Kind::compute, "UIADD3"},
    {"ULEPC", Kind::compute, "UIADD3"},
    {"VOTEU", Kind::compute, "R2UR"},
    {"UREDUX", Kind::exchange, "REDUX"},
    {"CREDUX", Kind::exchange, "REDUX"},
};

constexpr Operation kUnknownTiming{Pipe::alu, 2, 4, false};
constexpr Operation kIssueOnly{Pipe::none, 1, 1, false};

const Family* find_family(std::string_view mnemonic) {
  const std::string_view name = family_of(mnemonic);
  const auto* found = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                   [name](const Family& family) { return family.name == name; });
  return found == std::end(kFamilies) ? nullptr : found;
}

Kind kind_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::compute:
      return Kind::compute;
    case OperationKind::exchange:
      return Kind::exchange;
    case OperationKind::load:
      return Kind::load;
    case OperationKind::store:
      return Kind::store;
    case OperationKind::atomic:
      return Kind::atomic;
    case OperationKind::reduction:
      return Kind::reduction;
    case OperationKind::async_copy:
      return Kind::async_copy;
    case OperationKind::bulk_copy:
      return Kind::bulk_copy;
    case OperationKind::control:
      return Kind::nothing;
  }
  return Kind::nothing;
}

// Some mean different things by their modifiers.
Kind refined(Kind kind, std::string_view mnemonic) {
  if (kind == Kind::nothing && mnemonic.rfind("WARPGROUP.DEPBAR", 0) == 0) {
    return Kind::await_tensor;
  }
  if (kind == Kind::await_copies && !has_modifier(mnemonic, "LE")) return Kind::nothing;
  return kind;
}

}  // namespace

SassOperation sass_operation(const GpuSpec& gpu, std::string_view mnemonic) {
  SassOperation operation;
  const Family* family = find_family(mnemonic);
  const OperationInfo* info = find_operation(mnemonic);
  if (family == nullptr && info == nullptr) {
    operation.known = false;
    operation.timing = kUnknownTiming;
    return operation;
  }
  std::optional<Operation> timing = find_timing(gpu, mnemonic);
  if (!timing && family != nullptr && !family->like.empty()) {
    timing = find_timing(gpu, family->like);
  }
  const bool takes_a_pipe = family == nullptr || !family->like.empty();
  operation.timing = timing ? *timing : takes_a_pipe ? kUnknownTiming : kIssueOnly;
  operation.kind = refined(family != nullptr ? family->kind : kind_of(info->kind), mnemonic);
  if (family != nullptr) {
    operation.space = family->space;
    operation.has_result = family->has_result;
  } else {
    operation.has_result = info->result_width > 0;
  }
  const std::string_view name = family_of(mnemonic);
  operation.async_tensor = name.size() > 4 && name.substr(name.size() - 4) == "GMMA";
  if (info != nullptr) operation.result_width = std::max(1, result_width(*info, mnemonic));
  return operation;
}

}  // namespace smsim::sass
