// The two forms of machine code: a listing and a cubin. read_sass() tells them apart.
#pragma once

#include <string_view>
#include <vector>

#include "sim/import/problems.hpp"
#include "sim/import/sass_listing.hpp"

namespace smsim {

/// The oldest architecture with 128-bit instructions that carry their own control code.
inline constexpr int kOldestSm = 70;

/// What cuobjdump and nvdisasm print. Functions of older architectures are among them.
std::vector<SassFunction> read_listing(std::string_view text, Problems& problems);

/// An ELF file for the GPU: encodings only.
std::vector<SassFunction> read_cubin(std::string_view file, Problems& problems);

}  // namespace smsim
