// Small traces of Accel-Sim, and what a reader makes of them.
#pragma once

#include <string>
#include <vector>

#include "sim/import/accelsim_reader.hpp"
#include "tests/import/import_test_support.hpp"
#include "tests/scratch_folder.hpp"

namespace smsim::test {

inline std::string accelsim_header(int version, const std::string& more = "") {
  return "-kernel name = _Z5saxpyfPfS_\n-kernel id = 3\n-grid dim = (2,1,1)\n"
         "-block dim = (64,1,1)\n-shmem = 2048\n-nregs = 20\n-binary version = 80\n"
         "-cuda stream id = 94561234567890\n-shmem base_addr = 0x00007f7c00000000\n"
         "-local mem base_addr = 0x00007f7ba5000000\n-nvbit version = 1.5.5\n"
         "-accelsim tracer version = " +
         std::to_string(version) + "\n-enable lineinfo = 0\n" + more +
         "\n#traces format = PC mask dest_num ...\n";
}

inline std::string accelsim_warp(int number, const std::vector<std::string>& lines) {
  std::string text =
      "\nwarp = " + std::to_string(number) + "\ninsts = " + std::to_string(lines.size()) + "\n";
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

inline std::string accelsim_block(int x, const std::string& warps) {
  return "\n#BEGIN_TB\n\nthread block = " + std::to_string(x) + ",0,0\n" + warps + "\n#END_TB\n";
}

/// The whole grid of two blocks of two warps each, all of them with the same lines.
inline std::string accelsim_grid(const std::vector<std::string>& lines) {
  const std::string warps = accelsim_warp(0, lines) + accelsim_warp(1, lines);
  return accelsim_block(0, warps) + accelsim_block(1, warps);
}

struct AccelsimTrace {
  AccelsimHeader header;
  std::vector<AccelsimBlock> blocks;
  std::vector<std::string> opcodes;
  std::vector<std::string> warnings;

  [[nodiscard]] const AccelsimInstruction& first() const {
    return blocks.at(0).warps.at(0).code.at(0);
  }
  /// Of the first warp's first instruction.
  [[nodiscard]] std::vector<std::uint64_t> addresses() const {
    const std::vector<std::uint64_t>& all = blocks.at(0).warps.at(0).addresses;
    const auto begin = all.begin() + first().first_address;
    return {begin, begin + first().addresses};
  }
  [[nodiscard]] std::string all_warnings() const {
    std::string all;
    for (const std::string& warning : warnings) {
      all += warning + "\n";
    }
    return all;
  }
};

inline AccelsimTrace read_accelsim_file(const std::string& path) {
  AccelsimReader reader(path);
  AccelsimTrace trace;
  trace.header = reader.header();
  AccelsimBlock block;
  while (reader.next_block(block)) {
    trace.blocks.push_back(block);
  }
  trace.opcodes = reader.opcodes();
  for (const Diagnostic& warning : reader.warnings()) {
    trace.warnings.push_back(std::to_string(warning.line) + ": " + warning.message);
  }
  return trace;
}

inline AccelsimTrace read_accelsim(const std::string& text) {
  const ScratchFolder folder;
  return read_accelsim_file(folder.write("k.traceg", text));
}

/// A trace of `version` whose warps execute just this line.
inline AccelsimTrace read_accelsim_line(int version, const std::string& line) {
  return read_accelsim(accelsim_header(version) + accelsim_grid({line}));
}

inline std::string accelsim_problem(const std::string& text) {
  return message_of([&] { read_accelsim(text); });
}

inline std::string accelsim_line_problem(int version, const std::string& line) {
  return message_of([&] { read_accelsim_line(version, line); });
}

}  // namespace smsim::test
