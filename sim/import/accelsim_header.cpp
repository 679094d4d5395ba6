#include "sim/import/accelsim_header.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <limits>
#include <set>

namespace smsim {

namespace {

constexpr int kNewestTracer = 6;

int number(AccelsimFields& fields, const char* expected, int most = 2147483647) {
  return static_cast<int>(fields.decimal(expected, static_cast<std::uint64_t>(most)));
}

std::uint64_t address(AccelsimFields& fields) {
  return fields.hexadecimal("an address in hexadecimal", std::numeric_limits<std::uint64_t>::max());
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  const std::size_t end = text.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

class HeaderReader {
 public:
  HeaderReader(AccelsimLines& lines, AccelsimWarnings& warnings)
      : lines_(lines), warnings_(warnings) {}

  AccelsimHeader read() {
    while (lines_.next()) {
      const std::string_view text = lines_.text();
      if (text.substr(0, 1) == "#") {
        if (text.substr(0, 9) == "#BEGIN_TB") {  // no line that tells the format
          lines_.give_back();
        }
        finish();
        return header_;
      }
      try {
        read_line(text);
      } catch (const InputError& error) {
        problems_.insert(problems_.end(), error.diagnostics().begin(), error.diagnostics().end());
      }
      if (problems_.size() >= kMostProblems) {
        throw InputError(problems_);
      }
    }
    problem(lines_.number() == 0 ? "found an empty file, expected a trace"
                                 : "found the end of the file, expected '#traces format = ...' "
                                   "behind the header");
    throw InputError(problems_);
  }

 private:
  static constexpr std::size_t kMostProblems = 20;

  void read_line(std::string_view text) {
    AccelsimFields fields(lines_);
    if (fields.done()) {
      return;
    }
    if (text.find('\0') != std::string_view::npos) {
      lines_.fail("found binary data, expected a trace as text");
    }
    std::string key(fields.word());
    if (key[0] != '-') {
      lines_.fail(
          fmt::format("found '{}', expected a line of the header such as "
                      "'-kernel name = ...'",
                      shown(text)));
    }
    for (std::string_view word; (word = fields.word()) != "=";) {
      if (word.empty()) {
        lines_.fail(fmt::format("found '{}', expected '-key = value'", shown(text)));
      }
      key.append(" ").append(word);
    }
    if (read_value(key, fields)) {
      found_.insert(key);
    } else {
      warnings_.add("unknown key", lines_.number(),
                    fmt::format("found '{}', which is left out", shown(key)));
    }
  }

  bool read_value(const std::string& key, AccelsimFields& fields) {
    if (key == "-kernel name") {
      header_.kernel_name = trimmed(fields.rest());
    } else if (key == "-kernel id") {
      header_.kernel_id = number(fields, "the kernel's number");
    } else if (key == "-grid dim") {
      read_grid(fields);
    } else if (key == "-block dim") {
      read_block(fields);
    } else if (key == "-shmem") {
      header_.smem_bytes = number(fields, "bytes of shared memory");
    } else if (key == "-nregs") {
      header_.registers = number(fields, "registers per thread");
    } else if (key == "-binary version") {
      header_.binary_version = number(fields, "the number of an instruction set, as in 90");
    } else if (key == "-cuda stream id") {
      header_.cuda_stream =
          fields.decimal("a stream's number", std::numeric_limits<std::uint64_t>::max());
    } else if (key == "-shmem base_addr") {
      header_.smem_base = address(fields);
    } else if (key == "-local mem base_addr") {
      header_.local_base = address(fields);
    } else if (key == "-nvbit version") {
      header_.nvbit_version = trimmed(fields.rest());
    } else if (key == "-accelsim tracer version") {
      header_.tracer_version = number(fields, "a tracer version from 1 to 6", kNewestTracer);
    } else if (key == "-enable lineinfo") {
      header_.line_info = number(fields, "0 or 1", 1) == 1;
    } else {
      return false;
    }
    if (!fields.done()) {
      fields.fail(fields.word(), "the end of the line");
    }
    check(key);
    return true;
  }

  void read_grid(AccelsimFields& fields) {
    const Dim3 grid = fields.triple("the grid as (x,y,z)");
    if (grid.x < 1 || grid.x > 2147483647 || grid.y < 1 || grid.y > 65535 || grid.z < 1 ||
        grid.z > 65535) {
      lines_.fail(fmt::format("found a grid of ({},{},{}), expected 1 to (2147483647,65535,65535)",
                              grid.x, grid.y, grid.z));
    }
    header_.grid = grid;
  }

  void read_block(AccelsimFields& fields) {
    const Dim3 block = fields.triple("the block as (x,y,z)");
    const auto fits = [](std::uint64_t side) { return side >= 1 && side <= 1024; };
    if (!fits(block.x) || !fits(block.y) || !fits(block.z) || block.count() > 1024) {
      lines_.fail(fmt::format("found a block of ({},{},{}), expected 1 to 1024 threads", block.x,
                              block.y, block.z));
    }
    header_.block = block;
  }

  void check(const std::string& key) {
    if (key == "-nregs" && (header_.registers < 1 || header_.registers > 255)) {
      warnings_.add(
          "odd registers", lines_.number(),
          fmt::format("found {} registers per thread, expected 1 to 255", header_.registers));
    }
    if (key == "-shmem" && header_.smem_bytes == 1) {
      warnings_.add("odd shared memory", lines_.number(),
                    "found 1 byte of shared memory, which no kernel can use");
    }
  }

  void finish() {
    for (const char* key : {"-grid dim", "-block dim"}) {
      if (found_.count(key) == 0) {
        problem(fmt::format("found no line '{} = (x,y,z)'", key));
      }
    }
    if (!problems_.empty()) {
      throw InputError(problems_);
    }
    if (found_.count("-kernel name") == 0) {
      header_.kernel_name = std::filesystem::path(lines_.file()).filename().string();
    }
    warn_missing("-kernel name", "the file's name");
    warn_missing("-kernel id", "1");
    for (const char* key : {"-shmem", "-nregs", "-binary version", "-accelsim tracer version",
                            "-shmem base_addr", "-local mem base_addr"}) {
      warn_missing(key, "0");
    }
    if (header_.tracer_version >= 4) {
      warn_missing("-enable lineinfo", "0");
    }
  }

  void warn_missing(const std::string& key, const char* taken) {
    if (found_.count(key) == 0) {
      warnings_.add(key, 0, fmt::format("found no line '{} = ...', so {} is taken", key, taken));
    }
  }

  void problem(const std::string& message) { problems_.push_back({lines_.file(), 0, 0, message}); }

  AccelsimLines& lines_;
  AccelsimWarnings& warnings_;
  AccelsimHeader header_;
  std::set<std::string> found_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

AccelsimHeader read_accelsim_header(AccelsimLines& lines, AccelsimWarnings& warnings) {
  return HeaderReader(lines, warnings).read();
}

}  // namespace smsim
