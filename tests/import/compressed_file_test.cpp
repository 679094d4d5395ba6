#include "sim/import/compressed_file.hpp"

#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const std::string kText = "ID,Kernel\n0,saxpy\n";
const std::string kGzip =
    from_hex("1f8b0800000000000203f374d1f14e2dca4bcde132d0294eac28a8e40200cfb96c8312000000");
const std::string kZstd =
    from_hex("28b52ffd241291000049442c4b65726e656c0a302c73617870790a8232feb3");
const std::string kXz = from_hex(
    "fd377a585a000004e6d6b446020021011c00000010cf58cc01001149442c4b65726e656c0a302c73617870790a00"
    "000002dd438ca8a7f54600012a124b0854bc1fb6f37d010000000004595a");

std::string problem_with(const std::string& bytes, std::size_t limit = kLargestFile) {
  return message_of([&] { decompressed("f", bytes, limit); });
}

std::string problem_of_file(const std::string& path) {
  return message_of([&] { read_file(path); });
}

}  // namespace

TEST_CASE("plain text comes through as it is") {
  CHECK(decompressed("f", kText) == kText);
  CHECK(decompressed("f", "").empty());
}

TEST_CASE("a limit holds for what comes out, not for what goes in") {
  has(problem_with(kText, 5), "f: error: found more than 5 bytes, expected at most that many");
}

TEST_CASE("what cannot be opened is said") {
  has(problem_of_file("/nowhere/f.csv"), "/nowhere/f.csv: error: cannot open the file (No such");
  has(problem_of_file(SMSIM_SOURCE_DIR), "error: found a folder, expected a file");
}

TEST_CASE("formats that are not read are named") {
  has(problem_with("BZh91AY"), "found bzip2 data, expected plain, gzip, zstd or xz");
  has(problem_with("PK\x03\x04xyz"), "found a zip archive");
}

#ifdef SMSIM_HAVE_ZLIB
TEST_CASE("gzip") {
  CHECK(decompressed("f", kGzip) == kText);
  CHECK(decompressed("f", kGzip + kGzip) == kText + kText);  // two members
  CHECK(decompressed("f", kGzip + std::string(512, '\0')) == kText);
  has(problem_with(kGzip.substr(0, 20)),
      "f: error: found the end of the file in the middle of the stream, expected a whole gzip");
  has(problem_with(kGzip.substr(0, kGzip.size() - 1)), "found the end of the file");
  has(problem_with(kGzip.substr(0, 2)), "found the end of the file");
  std::string damaged = kGzip;
  damaged[damaged.size() - 6] ^= 1;  // the checksum
  has(problem_with(damaged), "found incorrect data check, expected a whole gzip file");
  has(problem_with(kGzip, 17), "found more than 17 bytes");
}

TEST_CASE("a measured profile is read in place") {
  const std::string whole = read_file(reference("saxpy_b256/source.csv.gz"));
  CHECK(whole.substr(0, 14) == "\"Kernel Name\",");
}
#endif

#ifdef SMSIM_HAVE_ZSTD
TEST_CASE("zstd") {
  CHECK(decompressed("f", kZstd) == kText);
  CHECK(decompressed("f", kZstd + kZstd) == kText + kText);
  has(problem_with(kZstd.substr(0, 20)), "found the end of the file in the middle of the stream");
  has(problem_with(kZstd.substr(0, 4)), "found the end of the file");
  std::string damaged = kZstd;
  damaged[damaged.size() - 1] ^= 1;
  has(problem_with(damaged), "expected a whole zstd file");
  has(problem_with(kZstd, 17), "found more than 17 bytes");
}
#endif

#ifdef SMSIM_HAVE_LZMA
TEST_CASE("xz") {
  CHECK(decompressed("f", kXz) == kText);
  CHECK(decompressed("f", kXz + kXz) == kText + kText);
  has(problem_with(kXz.substr(0, 40)), "found the end of the file in the middle of the stream");
  std::string damaged = kXz;
  damaged[30] ^= 1;
  has(problem_with(damaged), "expected a whole xz file");
  has(problem_with(kXz, 17), "found more than 17 bytes");
}
#endif
