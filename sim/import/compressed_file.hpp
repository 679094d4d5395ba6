// A whole input file as text, decompressed where it is compressed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace smsim {

/// What a file may hold once decompressed.
inline constexpr std::size_t kLargestFile = std::size_t{2} << 30;

/// The content of `path`: as it is, or from gzip, zstd or xz, told apart by the first bytes.
/// Throws InputError: no such file, a folder, a damaged or cut-off stream, a format that this build
/// cannot read, more than `limit` bytes.
std::string read_file(const std::string& path, std::size_t limit = kLargestFile);

/// The same for bytes already in memory; `name` is what messages call them.
std::string decompressed(const std::string& name, std::string_view bytes,
                         std::size_t limit = kLargestFile);

}  // namespace smsim
