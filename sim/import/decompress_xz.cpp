#ifdef SMSIM_HAVE_LZMA
#include <lzma.h>
#endif

#include <array>
#include <cstdint>

#include "sim/import/decompress.hpp"

namespace smsim {

#ifdef SMSIM_HAVE_LZMA

namespace {

constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;

struct Decoder {
  Decoder() { status = lzma_stream_decoder(&stream, kMostMemory, LZMA_CONCATENATED); }
  ~Decoder() { lzma_end(&stream); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  lzma_stream stream = LZMA_STREAM_INIT;
  lzma_ret status = LZMA_OK;
};

}  // namespace

void decompress_xz(std::string_view bytes, DecompressedText& out) {
  Decoder decoder;
  decoder.stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  decoder.stream.avail_in = bytes.size();
  std::array<char, 1 << 16> buffer;
  while (decoder.status == LZMA_OK) {
    decoder.stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    decoder.stream.avail_out = buffer.size();
    decoder.status = lzma_code(&decoder.stream, LZMA_FINISH);
    out.append(buffer.data(), buffer.size() - decoder.stream.avail_out);
  }
  switch (decoder.status) {
    case LZMA_STREAM_END:
      return;
    case LZMA_BUF_ERROR:
      out.damaged("xz", "the end of the file in the middle of the stream");
    case LZMA_MEMLIMIT_ERROR:
      out.damaged("xz", "a stream that needs more than 1 GiB of memory");
    default:
      out.damaged("xz", "damaged data");
  }
}

#else

void decompress_xz(std::string_view, DecompressedText& out) {
  out.damaged("plain", "xz data, which this build cannot read (liblzma was missing)");
}

#endif

}  // namespace smsim
