#ifdef SMSIM_HAVE_ZLIB
#include <zlib.h>
#endif

#include <algorithm>
#include <array>
#include <limits>

#include "sim/import/decompress.hpp"

namespace smsim {

#ifdef SMSIM_HAVE_ZLIB

namespace {

class Inflater {
 public:
  Inflater() { inflateInit2(&stream_, 16 + MAX_WBITS); }  // 16: a gzip header is expected
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Decompresses one member; the rest of `bytes` behind it.
  std::string_view member(std::string_view bytes, DecompressedText& out) {
    const char* const end = bytes.data() + bytes.size();
    inflateReset(&stream_);
    int status = Z_OK;
    while (status != Z_STREAM_END) {
      if (stream_.avail_in == 0) {
        feed(bytes);
      }
      std::array<char, 1 << 16> buffer;
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(buffer.size());
      const bool at_end = stream_.avail_in == 0;
      status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_BUF_ERROR && at_end) {
        out.damaged("gzip", "the end of the file in the middle of the stream");
      }
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        out.damaged("gzip", stream_.msg != nullptr ? stream_.msg : "damaged data");
      }
      out.append(buffer.data(), buffer.size() - stream_.avail_out);
    }
    const std::size_t unread = stream_.avail_in + bytes.size();
    stream_.avail_in = 0;
    return {end - unread, unread};
  }

 private:
  // zlib counts input in 32 bits: large inputs go in by parts.
  void feed(std::string_view& bytes) {
    const std::size_t count = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(count);
    bytes.remove_prefix(count);
  }

  z_stream stream_{};
};

bool begins_gzip(std::string_view bytes) {
  return bytes.substr(0, 2) == "\x1f\x8b";
}

}  // namespace

void decompress_gzip(std::string_view bytes, DecompressedText& out) {
  Inflater inflater;
  bytes = inflater.member(bytes, out);
  while (begins_gzip(bytes)) {  // several members; padding behind the last one is left alone
    bytes = inflater.member(bytes, out);
  }
}

#else

void decompress_gzip(std::string_view, DecompressedText& out) {
  out.damaged("plain", "gzip data, which this build cannot read (zlib was missing)");
}

#endif

}  // namespace smsim
