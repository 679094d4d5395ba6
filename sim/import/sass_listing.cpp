#include "sim/import/sass_listing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/import/compressed_file.hpp"
#include "sim/import/problems.hpp"
#include "sim/import/sass_readers.hpp"

namespace smsim {

namespace {

constexpr const char* kExpected =
    "expected a listing by 'cuobjdump -sass' or 'nvdisasm', or a cubin";

bool begins(std::string_view bytes, std::string_view magic) {
  return bytes.substr(0, magic.size()) == magic;
}

[[noreturn]] void reject_empty(std::string_view bytes, Problems& problems) {
  problems.throw_if_any();
  if (bytes.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    problems.fail(0, fmt::format("found an empty file, {}", kExpected));
  }
  if (bytes.find(".visible") != std::string_view::npos &&
      bytes.find(".entry") != std::string_view::npos) {
    problems.fail(0, fmt::format("found PTX and no machine code, {}", kExpected));
  }
  problems.fail(0, fmt::format("found no function, {}", kExpected));
}

// Code of older architectures has another encoding: left out where there is newer code.
void keep_supported(std::vector<SassFunction>& functions, Problems& problems) {
  const auto is_old = [](const SassFunction& f) { return f.sm != 0 && f.sm < kOldestSm; };
  const SassFunction first = functions.front();
  functions.erase(std::remove_if(functions.begin(), functions.end(), is_old), functions.end());
  if (functions.empty()) {
    problems.fail(first.line, fmt::format("found code for sm_{} only, expected sm_{} or later",
                                          first.sm, kOldestSm));
  }
}

}  // namespace

std::vector<SassFunction> parse_sass(const std::string& file, std::string_view bytes) {
  Problems problems(file);
  const bool cubin = begins(bytes,
                            "\x7f"
                            "ELF");
  if (begins(bytes, "\x50\xed\x55\xba")) {
    problems.fail(0,
                  "found a fatbin, expected a cubin or a listing; extract the cubins with "
                  "'cuobjdump -xelf all FILE'");
  }
  if (!cubin && bytes.find('\0') != std::string_view::npos) {
    problems.fail(0, fmt::format("found binary data, {}", kExpected));
  }
  std::vector<SassFunction> functions =
      cubin ? read_cubin(bytes, problems) : read_listing(bytes, problems);
  if (functions.empty()) {
    reject_empty(bytes, problems);
  }
  keep_supported(functions, problems);
  problems.throw_if_any();
  return functions;
}

std::vector<SassFunction> read_sass(const std::string& path) {
  return parse_sass(path, read_file(path));
}

}  // namespace smsim
