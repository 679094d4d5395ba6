// One compressed stream, from and to memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace smsim {

/// Where a decompressor puts what it made. Refuses more than the limit.
class DecompressedText {
 public:
  DecompressedText(std::string name, std::size_t limit) : name_(std::move(name)), limit_(limit) {}

  void append(const char* bytes, std::size_t count);
  std::string take() { return std::move(text_); }
  /// Throws InputError: "name: error: found ..., expected a whole FORMAT stream".
  [[noreturn]] void damaged(const char* format, const std::string& found) const;

 private:
  std::string name_;
  std::size_t limit_;
  std::string text_;
};

// Each reads all members of a file. Throws InputError when the stream is damaged or cut off, or
// when this build lacks the library.
void decompress_gzip(std::string_view bytes, DecompressedText& out);
void decompress_zstd(std::string_view bytes, DecompressedText& out);
void decompress_xz(std::string_view bytes, DecompressedText& out);

}  // namespace smsim
