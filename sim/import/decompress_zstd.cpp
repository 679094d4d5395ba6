#ifdef SMSIM_HAVE_ZSTD
#include <zstd.h>
#endif

#include <array>
#include <memory>

#include "sim/import/decompress.hpp"

namespace smsim {

#ifdef SMSIM_HAVE_ZSTD

void decompress_zstd(std::string_view bytes, DecompressedText& out) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                        ZSTD_freeDCtx);
  std::array<char, 1 << 16> buffer;
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  // 0 at the end of a frame; frames may follow each other.
  std::size_t wanted = 1;
  bool full = false;
  while (input.pos < input.size || full) {
    ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
    wanted = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(wanted) != 0) {
      out.damaged("zstd", ZSTD_getErrorName(wanted));
    }
    out.append(buffer.data(), output.pos);
    full = output.pos == output.size && wanted != 0;
  }
  if (wanted != 0) {
    out.damaged("zstd", "the end of the file in the middle of the stream");
  }
}

#else

void decompress_zstd(std::string_view, DecompressedText& out) {
  out.damaged("plain", "zstd data, which this build cannot read (libzstd was missing)");
}

#endif

}  // namespace smsim
