// Compressed traces, longer than every buffer, and traces with random damage.
#include <algorithm>
#include <cstdint>
#include <random>

#if defined(SMSIM_HAVE_ZLIB)
#include <zlib.h>
#endif
#if defined(SMSIM_HAVE_LZMA)
#include <lzma.h>
#endif
#if defined(SMSIM_HAVE_ZSTD) && __has_include(<zstd.h>)
#include <zstd.h>
#define SMSIM_TEST_ZSTD
#endif

#include "tests/import/accelsim_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

constexpr int kBlocks = 400;

// Some 4 MB whose addresses do not compress well.
std::string long_trace() {
  std::mt19937_64 random(1);
  std::string text = accelsim_header(5, "-grid dim = (" + std::to_string(kBlocks) + ",1,1)\n");
  for (int block = 0; block < kBlocks; ++block) {
    std::string addresses;
    for (int lane = 0; lane < 32; ++lane) {
      addresses += " " + std::to_string(random() >> 16);
    }
    const std::vector<std::string> lines(12,
                                         "0070 ffffffff 1 R1 LDG.E 1 R2 4 0" + addresses + " 0");
    text += accelsim_block(block, accelsim_warp(0, lines) + accelsim_warp(1, {"0 1 0 EXIT 0 0 0"}));
  }
  return text;
}

#if defined(SMSIM_HAVE_ZLIB) || defined(SMSIM_HAVE_LZMA) || defined(SMSIM_TEST_ZSTD)
// Whole, cut off in the middle, damaged there, and with something else behind it.
void check_compressed(const std::string& bytes, const std::string& format) {
  const ScratchFolder folder;
  const AccelsimTrace whole = read_accelsim_file(folder.write("whole", bytes));
  CHECK(whole.blocks.size() == kBlocks);
  CHECK(whole.blocks.back().warps.at(0).addresses.size() == 12 * 32);
  CHECK(whole.warnings.empty());
  const AccelsimTrace cut =
      read_accelsim_file(folder.write("cut", bytes.substr(0, bytes.size() / 2)));
  CHECK(cut.blocks.size() > kBlocks / 10);
  CHECK(cut.blocks.size() < kBlocks);
  has(cut.all_warnings(), "found the end of the file in the middle of its compressed stream");
  std::string damaged = bytes;
  for (std::size_t i = 0; i < 100; ++i) {
    damaged[bytes.size() / 2 + i] = '\xff';
  }
  folder.write("damaged", damaged);
  CHECK(message_of([&] { read_accelsim_file(folder.path("damaged")); }) != "");
  const std::string longer = bytes + "\x1f and more behind it";
  has(message_of([&] { read_accelsim_file(folder.write("longer", longer)); }), format);
}
#endif

// A trace of each kind of line, for damage.
std::vector<std::string> samples() {
  const std::string old =
      accelsim_header(2) +
      accelsim_grid({"0 0 0 0 0010 ffffffff 1 R6 S2R 0 0", "0 0 0 0 20 3 1 R1 LDG 1 R2 4 1 0x9 4"});
  const std::string middle =
      accelsim_header(5, "-enable lineinfo = 1\n") +
      accelsim_grid({"7 0070 0000000f 1 R1 LDG.E 1 R2 4 2 0x7f00 4 -4 8 0",
                     "8 0080 00000005 0 STG.E 2 R2 R4 4 0 0x7f00 0x8000 0", "9 0 0 0 EXIT 0 0 0"});
  const std::string latest =
      accelsim_header(6) + accelsim_grid({"0 ffffffff 1 UR4 ULDC.64 0 0 0 0 NoVal",
                                          "10 00000000 0 STS 1 R1 4 1 0x0 0 0 0 NoVal",
                                          "20 1 1 R1 MOV 1 R2 0 7 0 Val 1 0x1 1 0x2"});
  return {old, middle, latest};
}

}  // namespace

TEST_CASE("a trace longer than the buffers") {
  const AccelsimTrace trace = read_accelsim(long_trace());
  CHECK(trace.blocks.size() == kBlocks);
  CHECK(trace.warnings.empty());
}

#if defined(SMSIM_HAVE_ZLIB)
TEST_CASE("a trace as gzip, also in several members") {
  const auto gzip = [](const std::string& text) {
    std::string bytes(text.size() + 1024, '\0');
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    deflate(&stream, Z_FINISH);
    bytes.resize(stream.total_out);
    deflateEnd(&stream);
    return bytes;
  };
  const std::string text = long_trace();
  check_compressed(gzip(text), "expected a whole gzip file");
  const std::string members = gzip(text.substr(0, 1000)) + gzip(text.substr(1000));
  CHECK(read_accelsim(members + std::string(512, '\0')).blocks.size() == kBlocks);
}
#endif

#if defined(SMSIM_HAVE_LZMA)
TEST_CASE("a trace as xz") {
  const std::string text = long_trace();
  std::string bytes(text.size() + 1024, '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(bytes.data()), &size, bytes.size());
  bytes.resize(size);
  check_compressed(bytes, "expected a whole xz file");
}
#endif

#if defined(SMSIM_TEST_ZSTD)
TEST_CASE("a trace as zstd") {
  const std::string text = long_trace();
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 1));
  check_compressed(bytes, "expected a whole zstd file");
}
#endif

TEST_CASE("other archives are refused by name") {
  has(accelsim_problem("BZh91AY"), "found bzip2 or zip data, expected a file, plain or as gzip");
}

// Every damaged trace is read or refused: nothing else may happen.
TEST_CASE("random damage to traces") {
  const std::vector<std::string> whole = samples();
  for (const std::string& text : whole) {
    CHECK(read_accelsim(text).blocks.size() == 2);
  }
  const std::string likely = " \n-#=,()0123456789abcdefRUx\t\r\xff";
  std::mt19937 random(7);
  const auto below = [&random](std::size_t bound) {
    return random() % std::max<std::size_t>(bound, 1);
  };
  const ScratchFolder folder;
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string text = whole[below(whole.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      const std::size_t length = below(30);
      switch (below(5)) {
        case 0:
          text.insert(at, 1, likely[below(likely.size())]);
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        case 3:
          text.resize(at);
          break;
        default:
          text.replace(at, 1, 1, likely[below(likely.size())]);
      }
    }
    folder.write("k.traceg", text);
    try {
      const AccelsimTrace trace = read_accelsim_file(folder.path("k.traceg"));
      CHECK(trace.blocks.size() <= trace.header.grid.count());
    } catch (const InputError& error) {
      ++refused;
      CHECK(std::string(error.what()).find("k.traceg") != std::string::npos);
    }
  }
  CHECK(refused > 100);
  CHECK(refused < 490);
}
