// Machine code: cuobjdump and nvdisasm listings, and cubins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

struct SassInstruction {
  std::uint32_t offset = 0;  // bytes from the function's start
  std::string text;          // "@P0 BRA 0x1d0", without ';'; "" from a cubin
  std::uint64_t low = 0;     // the two halves of the encoding
  std::uint64_t high = 0;
  bool has_encoding = false;
  int line = 0;  // 0 in a cubin
};

struct SassFunction {
  std::string mangled_name;
  int sm = 0;  // 90 for sm_90; 0 when the listing does not say
  std::vector<SassInstruction> code;
  int registers = -1;  // per thread; -1 when unknown
  int line = 0;        // where it begins; 0 in a cubin
};

/// Reads what `cuobjdump -sass` or `nvdisasm` (with or without -hex) prints, or a cubin, told apart
/// by content and decompressed where needed. PTX is skipped; one function per kernel and
/// architecture, in file order. Labels in operands are replaced by their offsets. Throws InputError
/// with every problem found.
std::vector<SassFunction> read_sass(const std::string& path);

/// The same for bytes in memory; `file` is what messages call them.
std::vector<SassFunction> parse_sass(const std::string& file, std::string_view bytes);

}  // namespace smsim
