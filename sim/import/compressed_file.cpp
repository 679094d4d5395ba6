#include "sim/import/compressed_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/import/decompress.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& message) {
  throw InputError(std::vector<Diagnostic>{{name, 0, 0, message}});
}

[[noreturn]] void too_large(const std::string& name, std::size_t limit) {
  fail(name, fmt::format("found more than {} bytes, expected at most that many", limit));
}

std::string read_bytes(const std::string& path, std::size_t limit) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    fail(path, "found a folder, expected a file");
  }
  std::ifstream input(path, std::ios::binary);
  if (!input) {
    fail(path, fmt::format("cannot open the file ({})", std::strerror(errno)));
  }
  std::string bytes;
  if (const auto size = std::filesystem::file_size(path, error); !error && size <= limit) {
    bytes.reserve(size);
  }
  std::array<char, 1 << 16> buffer;
  while (input.read(buffer.data(), buffer.size()) || input.gcount() > 0) {
    bytes.append(buffer.data(), static_cast<std::size_t>(input.gcount()));
    if (bytes.size() > limit) {
      too_large(path, limit);
    }
  }
  if (input.bad()) {
    fail(path, "cannot read the file to its end");
  }
  return bytes;
}

bool begins(std::string_view bytes, std::string_view magic) {
  return bytes.substr(0, magic.size()) == magic;
}

}  // namespace

void DecompressedText::append(const char* bytes, std::size_t count) {
  if (text_.size() + count > limit_) {
    too_large(name_, limit_);
  }
  text_.append(bytes, count);
}

void DecompressedText::damaged(const char* format, const std::string& found) const {
  fail(name_, fmt::format("found {}, expected a whole {} file", found, format));
}

std::string read_file(const std::string& path, std::size_t limit) {
  return decompressed(path, read_bytes(path, limit), limit);
}

std::string decompressed(const std::string& name, std::string_view bytes, std::size_t limit) {
  DecompressedText out(name, limit);
  if (begins(bytes, "\x1f\x8b")) {
    decompress_gzip(bytes, out);
  } else if (begins(bytes, "\x28\xb5\x2f\xfd")) {
    decompress_zstd(bytes, out);
  } else if (begins(bytes, std::string_view("\xfd\x37zXZ\0", 6))) {
    decompress_xz(bytes, out);
  } else if (begins(bytes, "BZh")) {
    fail(name, "found bzip2 data, expected plain, gzip, zstd or xz");
  } else if (begins(bytes, "PK\x03\x04")) {
    fail(name, "found a zip archive, expected a file, plain or as gzip, zstd or xz");
  } else {
    out.append(bytes.data(), bytes.size());
  }
  return out.take();
}

}  // namespace smsim
