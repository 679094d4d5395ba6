#include "sim/import/accelsim_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#ifdef SMSIM_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef SMSIM_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef SMSIM_HAVE_ZSTD
#include <zstd.h>
#endif

#include "smsim/diagnostic.hpp"

namespace smsim {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw InputError(std::vector<Diagnostic>{{path, 0, 0, message}});
}

class RawFile {
 public:
  explicit RawFile(std::string path) : path_(std::move(path)), file_(nullptr, std::fclose) {
    std::error_code error;
    if (std::filesystem::is_directory(path_, error)) {
      fail(path_, "found a folder, expected a file");
    }
    file_.reset(std::fopen(path_.c_str(), "rb"));
    if (file_ == nullptr) {
      fail(path_, fmt::format("cannot open the file ({})", std::strerror(errno)));
    }
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // the buffer here is enough
  }

  /// Bytes that were not yet taken; empty at the end of the file.
  std::string_view rest() {
    if (rest_.empty()) {
      const std::size_t count = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
      if (count == 0 && std::ferror(file_.get()) != 0) {
        fail(path_, "cannot read the file to its end");
      }
      rest_ = {buffer_.data(), count};
    }
    return rest_;
  }
  void take(std::size_t count) { rest_.remove_prefix(count); }
  [[noreturn]] void damaged(const char* format, const char* found) const {
    fail(path_, fmt::format("found {}, expected a whole {} file", found, format));
  }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::vector<char> buffer_ = std::vector<char>(1 << 16);
  std::string_view rest_;
};

class PlainText : public TextSource {
 public:
  explicit PlainText(RawFile file) : file_(std::move(file)) {}

  std::size_t read(char* to, std::size_t room) override {
    const std::string_view bytes = file_.rest().substr(0, room);
    std::copy(bytes.begin(), bytes.end(), to);
    file_.take(bytes.size());
    return bytes.size();
  }

 private:
  RawFile file_;
};

#ifdef SMSIM_HAVE_ZLIB
class GzipText : public TextSource {
 public:
  explicit GzipText(RawFile file) : file_(std::move(file)) {
    inflateInit2(&stream_, 16 + MAX_WBITS);  // 16: a gzip header is expected
  }
  ~GzipText() override { inflateEnd(&stream_); }
  GzipText(const GzipText&) = delete;
  GzipText& operator=(const GzipText&) = delete;

  std::size_t read(char* to, std::size_t room) override {
    const std::size_t most = std::min<std::size_t>(room, std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(most);
    while (stream_.avail_out > 0 && !ended_) {
      const std::string_view bytes = file_.rest();
      if (bytes.empty() || !(in_member_ || begin_member(bytes))) {
        cut_ = in_member_;
        ended_ = true;
      } else {
        inflate_some(bytes);
      }
    }
    return most - stream_.avail_out;
  }

 private:
  // A file may hold several members; padding behind the last one is left alone.
  bool begin_member(std::string_view bytes) {
    inflateReset(&stream_);
    in_member_ = bytes.front() == '\x1f';
    return in_member_;
  }

  void inflate_some(std::string_view bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    file_.take(bytes.size() - stream_.avail_in);
    if (status == Z_STREAM_END) {
      in_member_ = false;
    } else if (status != Z_OK) {
      file_.damaged("gzip", stream_.msg != nullptr ? stream_.msg : "damaged data");
    }
  }

  RawFile file_;
  z_stream stream_{};
  bool in_member_ = false;
  bool ended_ = false;
};
#endif

#ifdef SMSIM_HAVE_LZMA
class XzText : public TextSource {
 public:
  explicit XzText(RawFile file) : file_(std::move(file)) {
    constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;
    status_ = lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED);
  }
  ~XzText() override { lzma_end(&stream_); }
  XzText(const XzText&) = delete;
  XzText& operator=(const XzText&) = delete;

  std::size_t read(char* to, std::size_t room) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = room;
    while (stream_.avail_out > 0 && status_ == LZMA_OK) {
      const std::string_view bytes = file_.rest();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
      stream_.avail_in = bytes.size();
      status_ = lzma_code(&stream_, bytes.empty() ? LZMA_FINISH : LZMA_RUN);
      file_.take(bytes.size() - stream_.avail_in);
    }
    cut_ = status_ == LZMA_BUF_ERROR;
    if (status_ == LZMA_MEMLIMIT_ERROR) {
      file_.damaged("xz", "a stream that needs more than 1 GiB of memory");
    }
    if (status_ != LZMA_OK && status_ != LZMA_STREAM_END && !cut_) {
      file_.damaged("xz", "damaged data");
    }
    return room - stream_.avail_out;
  }

 private:
  RawFile file_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret status_ = LZMA_OK;
};
#endif

#ifdef SMSIM_HAVE_ZSTD
class ZstdText : public TextSource {
 public:
  explicit ZstdText(RawFile file) : file_(std::move(file)) {}

  std::size_t read(char* to, std::size_t room) override {
    ZSTD_outBuffer output{to, room, 0};
    while (output.pos < output.size) {
      const std::string_view bytes = file_.rest();
      if (bytes.empty() && !more_inside_) {
        cut_ = wanted_ != 0;
        break;
      }
      ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
      wanted_ = ZSTD_decompressStream(context_.get(), &output, &input);
      if (ZSTD_isError(wanted_) != 0) {
        file_.damaged("zstd", ZSTD_getErrorName(wanted_));
      }
      file_.take(input.pos);
      more_inside_ = output.pos == output.size && wanted_ != 0;
    }
    return output.pos;
  }

 private:
  RawFile file_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_{ZSTD_createDCtx(),
                                                                   ZSTD_freeDCtx};
  std::size_t wanted_ = 0;    // 0 at the end of a frame; frames may follow each other
  bool more_inside_ = false;  // the decompressor may hold text that had no room yet
};
#endif

bool begins(std::string_view bytes, std::string_view magic) {
  return bytes.substr(0, magic.size()) == magic;
}

}  // namespace

std::unique_ptr<TextSource> open_text(const std::string& path) {
  RawFile file(path);
  const std::string_view bytes = file.rest();
  if (begins(bytes, "\x1f\x8b")) {
#ifdef SMSIM_HAVE_ZLIB
    return std::make_unique<GzipText>(std::move(file));
#else
    fail(path, "found gzip data, which this build cannot read (zlib was missing)");
#endif
  }
  if (begins(bytes, "\x28\xb5\x2f\xfd")) {
#ifdef SMSIM_HAVE_ZSTD
    return std::make_unique<ZstdText>(std::move(file));
#else
    fail(path, "found zstd data, which this build cannot read (libzstd was missing)");
#endif
  }
  if (begins(bytes, std::string_view("\xfd\x37zXZ\0", 6))) {
#ifdef SMSIM_HAVE_LZMA
    return std::make_unique<XzText>(std::move(file));
#else
    fail(path, "found xz data, which this build cannot read (liblzma was missing)");
#endif
  }
  if (begins(bytes, "BZh") || begins(bytes, "PK\x03\x04")) {
    fail(path, "found bzip2 or zip data, expected a file, plain or as gzip, zstd or xz");
  }
  return std::make_unique<PlainText>(std::move(file));
}

}  // namespace smsim
