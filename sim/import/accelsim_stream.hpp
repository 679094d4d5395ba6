// A file as a stream of text, decompressed on the way, for files too large to be held.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace smsim {

/// The raw bytes of a file, or what comes out of a decompressor.
class TextSource {
 public:
  virtual ~TextSource() = default;

  /// Up to `room` bytes (at least 1) to `to`; how many there were, 0 at the end. Throws InputError
  /// for what is damaged.
  virtual std::size_t read(char* to, std::size_t room) = 0;
  /// True after the end of a compressed file that ends in the middle of its stream.
  [[nodiscard]] bool cut() const { return cut_; }

 protected:
  bool cut_ = false;
};

/// Opens `path`: plain, gzip, zstd or xz, told apart by the first bytes. Throws InputError: no such
/// file, a folder, a format that this build cannot read.
std::unique_ptr<TextSource> open_text(const std::string& path);

}  // namespace smsim
