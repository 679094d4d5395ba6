#include "sim/kernel/operations.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/kernel/sass_operands.hpp"

namespace smsim::sass {

namespace {

using Kind = OperationKind;
using File = RegisterFile;

constexpr Operation kBranchTiming{Pipe::branch, 1, 1, false};
constexpr Operation kNoPipe{Pipe::none, 1, 1, false};
constexpr Operation kAlu{Pipe::alu, 2, 4, false};
constexpr Operation kAdu{Pipe::adu, 2, 30, true};
constexpr Operation kLsu{Pipe::lsu, 4, 30, true};
constexpr Operation kUniform{Pipe::uniform, 1, 4, false};
constexpr Operation kTma{Pipe::tma, 4, 30, true};

OperationInfo compute(std::string_view family, int width = 1, int flops = 0,
                      File file = File::vector, Operation fallback = kAlu) {
  return {family, Kind::compute, file, width, flops, fallback, 1};
}

OperationInfo memory(std::string_view family, Kind kind, int width, Operation fallback = kLsu) {
  return {family, kind, File::vector, width, 0, fallback, 1};
}

OperationInfo control(std::string_view family, Operation fallback, int own_stall) {
  return {family, Kind::control, File::vector, 0, 0, fallback, own_stall};
}

const std::vector<OperationInfo>& table() {
  static const std::vector<OperationInfo> kOperations = {
      // Floating point.
      compute("FFMA", 1, 2),
      compute("FADD", 1, 1),
      compute("FMUL", 1, 1),
      compute("FFMA2", 2, 4),
      compute("FMNMX"),
      compute("FSEL"),
      compute("FSETP", 1, 0, File::predicate),
      compute("HFMA2", 1, 4),
      compute("HADD2", 1, 2),
      compute("HMUL2", 1, 2),
      compute("HMNMX2"),
      compute("DFMA", 2, 2),
      compute("DADD", 2, 1),
      compute("DMUL", 2, 1),
      compute("DSETP", 1, 0, File::predicate),
      compute("MUFU", 1, 1),
      // Tensor cores: flops are those of a 16x8x16 multiply, per thread.
      compute("HMMA", 4, 128),
      compute("IMMA", 4),
      compute("DMMA", 4, 16),
      compute("HGMMA", 32),
      compute("IGMMA", 32),
      compute("QGMMA", 32),
      // Integer and logic.
      compute("IMAD"),
      compute("IADD3"),
      compute("IADD"),
      compute("VIADD"),
      compute("LEA"),
      compute("LOP3"),
      compute("SHF"),
      compute("PRMT"),
      compute("SEL"),
      compute("MOV"),
      compute("IMNMX"),
      compute("VIMNMX"),
      compute("VIADDMNMX"),
      compute("IABS"),
      compute("SGXT"),
      compute("BMSK"),
      compute("IDP"),
      compute("ISETP", 1, 0, File::predicate),
      compute("PLOP3", 1, 0, File::predicate),
      compute("POPC"),
      compute("FLO"),
      compute("BREV"),
      // Conversions.
      compute("I2F"),
      compute("I2FP"),
      compute("F2I"),
      compute("F2F"),
      compute("F2FP"),
      compute("FRND"),
      compute("FCHK", 1, 0, File::predicate),
      compute("CS2R", 2),
      // Uniform datapath.
      compute("UMOV", 1, 0, File::uniform, kUniform),
      compute("ULEA", 1, 0, File::uniform, kUniform),
      compute("UIADD3", 1, 0, File::uniform, kUniform),
      compute("ULOP3", 1, 0, File::uniform, kUniform),
      compute("USHF", 1, 0, File::uniform, kUniform),
      compute("UIMAD", 1, 0, File::uniform, kUniform),
      compute("ULDC", 1, 0, File::uniform, kUniform),
      compute("R2UR", 1, 0, File::uniform, kUniform),
      compute("VOTE"),
      // Through the memory queues.
      {"SHFL", Kind::exchange, File::vector, 1, 0, kLsu, 1},
      {"S2R", Kind::exchange, File::vector, 1, 0, kAdu, 1},
      {"S2UR", Kind::exchange, File::uniform, 1, 0, kAdu, 1},
      {"LDC", Kind::exchange, File::vector, 1, 0, kAdu, 1},
      {"LDCU", Kind::exchange, File::uniform, 1, 0, kAdu, 1},
      {"MATCH", Kind::exchange, File::vector, 1, 0, kAdu, 1},
      {"REDUX", Kind::exchange, File::uniform, 1, 0, kAdu, 1},
      memory("LDG", Kind::load, 1),
      memory("LDS", Kind::load, 1),
      memory("LDL", Kind::load, 1),
      memory("LDSM", Kind::load, 1),
      memory("LD", Kind::load, 1),
      memory("STG", Kind::store, 0),
      memory("STS", Kind::store, 0),
      memory("STL", Kind::store, 0),
      memory("ATOMG", Kind::atomic, 1),
      memory("ATOMS", Kind::atomic, 1),
      memory("RED", Kind::reduction, 0),
      memory("LDGSTS", Kind::async_copy, 0),
      memory("UBLKCP", Kind::bulk_copy, 0, kTma),
      // Control: emitted by the lowering only. Stall counts as ptxas sets them.
      control("BRA", kBranchTiming, 5),
      control("EXIT", kBranchTiming, 5),
      control("BSSY", kBranchTiming, 1),
      control("BSYNC", kBranchTiming, 5),
      control("WARPSYNC", kBranchTiming, 5),
      control("NOP", kNoPipe, 1),
      control("BAR", {Pipe::adu, 2, 1, false}, 6),
      control("MEMBAR", {Pipe::lsu, 4, 1, false}, 6),
      control("ERRBAR", kNoPipe, 1),
      control("CGAERRBAR", kNoPipe, 6),
      control("CCTL", {Pipe::lsu, 4, 1, false}, 4),
      control("DEPBAR", kNoPipe, 1),
      control("LDGDEPBAR", kNoPipe, 1),
      control("SYNCS", {Pipe::adu, 2, 1, false}, 4),
      control("NANOSLEEP", kBranchTiming, 1),
      control("UCGABAR_ARV", kBranchTiming, 1),
      control("UCGABAR_WAIT", kBranchTiming, 5),
      control("USETMAXREG", kBranchTiming, 1),
      control("WARPGROUP", kNoPipe, 1)};
  return kOperations;
}

// A family whose timing another one stands for where the GPU file does not list it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kLike{{{"IADD", "IADD3"},
                                                                               {"VIADD", "IADD3"},
                                                                               {"IADD3", "IADD"},
                                                                               {"I2FP", "IADD3"},
                                                                               {"F2FP", "IADD3"},
                                                                               {"LEA", "IADD3"},
                                                                               {"FSEL", "SEL"},
                                                                               {"LDCU", "ULDC"},
                                                                               {"FSETP", "ISETP"},
                                                                               {"DSETP", "DADD"},
                                                                               {"UMOV", "UIADD3"},
                                                                               {"ULEA", "UIADD3"},
                                                                               {"USHF", "UIADD3"},
                                                                               {"ULOP3", "UIADD3"},
                                                                               {"PLOP3", "ISETP"},
                                                                               {"LD", "LDG"},
                                                                               {"VIMNMX", "IMNMX"},
                                                                               {"LDSM", "LDS"}}};

const Operation* find_listed(const GpuSpec& gpu, std::string_view mnemonic) {
  while (true) {
    if (const auto found = gpu.operations.find(mnemonic); found != gpu.operations.end()) {
      return &found->second;
    }
    const std::size_t dot = mnemonic.rfind('.');
    if (dot == std::string_view::npos) {
      return nullptr;
    }
    mnemonic = mnemonic.substr(0, dot);
  }
}

}  // namespace

const OperationInfo* find_operation(std::string_view mnemonic) {
  const std::string_view family = family_of(mnemonic);
  const auto found = std::find_if(table().begin(), table().end(),
                                  [family](const OperationInfo& i) { return i.family == family; });
  return found == table().end() ? nullptr : &*found;
}

std::vector<std::string> operation_families() {
  std::vector<std::string> families;
  for (const OperationInfo& info : table()) {
    if (info.kind != Kind::control) {
      families.emplace_back(info.family);
    }
  }
  return families;
}

std::optional<Operation> find_timing(const GpuSpec& gpu, std::string_view mnemonic) {
  if (const Operation* listed = find_listed(gpu, mnemonic)) {
    return *listed;
  }
  const OperationInfo* info = find_operation(mnemonic);
  if (info == nullptr) {
    return std::nullopt;
  }
  for (const auto& [family, like] : kLike) {
    if (family == info->family) {
      if (const Operation* listed = find_listed(gpu, like)) {
        return *listed;
      }
    }
  }
  if (info->kind == Kind::control || gpu.operations.empty()) {
    return info->fallback;
  }
  return std::nullopt;
}

int result_width(const OperationInfo& info, std::string_view mnemonic) {
  if (info.result_width == 0) {
    return 0;
  }
  if (has_modifier(mnemonic, "128")) {
    return 4;
  }
  if (has_modifier(mnemonic, "64") || has_modifier(mnemonic, "WIDE") ||
      has_modifier(mnemonic, "F64")) {
    return 2;
  }
  if (info.family == "HMMA" && (has_modifier(mnemonic, "F16") || has_modifier(mnemonic, "884"))) {
    return 2;
  }
  return info.result_width;
}

}  // namespace smsim::sass
