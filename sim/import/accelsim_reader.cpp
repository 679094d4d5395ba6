#include "sim/import/accelsim_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sim/import/accelsim_header.hpp"
#include "sim/import/accelsim_instruction.hpp"
#include "sim/import/accelsim_lines.hpp"

namespace smsim {

namespace {

// One block is held at a time: this bounds what a small compressed file can ask for.
constexpr std::uint64_t kLargestBlock = std::uint64_t{4} << 30;

std::string checked(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".tracez") {
    throw InputError(std::vector<Diagnostic>{
        {path, 0, 0,
         "found a trace in the packed form '.tracez' of Accel-Sim 2.0, expected the text form "
         "'.traceg' (plain or as gzip, zstd or xz), which its post-processing writes as well"}});
  }
  return path;
}

std::string block_name(const Dim3& id) {
  return fmt::format("{},{},{}", id.x, id.y, id.z);
}

}  // namespace

struct AccelsimReader::State {
  explicit State(const std::string& path)
      : file(checked(path)),
        lines(std::make_unique<AccelsimLines>(file)),
        warnings(file),
        header(read_accelsim_header(*lines, warnings)),
        instructions(header, warnings) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::string file;
  std::unique_ptr<AccelsimLines> lines;
  AccelsimWarnings warnings;
  AccelsimHeader header;
  AccelsimInstructionReader instructions;
  std::uint64_t blocks = 0;
  bool ended = false;

  bool next_block(AccelsimBlock& block) {
    if (ended) {
      return false;
    }
    ended = true;  // unless the block turns out to be whole
    if (find_begin() && read_block(block)) {
      ended = false;
      ++blocks;
      return true;
    }
    finish();
    return false;
  }

 private:
  [[nodiscard]] std::uint64_t warps_per_block() const { return (header.block.count() + 31) / 32; }

  bool find_begin() {
    while (lines->next()) {
      AccelsimFields fields(*lines);
      const std::string_view word = fields.word();
      if (word == "#BEGIN_TB") {
        if (blocks == header.grid.count()) {
          lines->fail(fmt::format("found another block, expected {} as in the grid", blocks));
        }
        return true;
      }
      if (!word.empty() && word[0] != '#') {
        lines->fail(
            fmt::format("found '{}' outside a block, expected #BEGIN_TB; is this trace "
                        "grouped by block, as Accel-Sim's post-processing does?",
                        shown(lines->text())));
      }
    }
    return false;
  }

  // False when the file ends within the block, which then is left out.
  bool read_block(AccelsimBlock& block) {
    named = false;
    seen_warps = 0;
    warp_count = 0;
    expected = 0;
    bytes = 0;
    while (lines->next() && !is_cut()) {
      if (is_instruction(lines->text())) {
        read_instruction(block);
      } else if (read_mark(block)) {
        return true;
      }
    }
    if (blocks == 0) {
      lines->fail("found the end of the file within the first block, expected #END_TB");
    }
    warnings.add("cut block", lines->number(),
                 "found the end of the file within a block, which is left out");
    return false;
  }

  // A line within a block that has no line break may be the first half of one.
  [[nodiscard]] bool is_cut() const { return lines->unended() && lines->text() != "#END_TB"; }

  // The other lines of a block begin with no hexadecimal digit, but for "cluster ...".
  static bool is_instruction(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin != std::string_view::npos &&
           std::isxdigit(static_cast<unsigned char>(text[begin])) != 0 &&
           text.substr(begin, 7) != "cluster";
  }

  void read_instruction(AccelsimBlock& block) {
    if (expected == 0) {
      lines->fail(fmt::format("found the instruction '{}', expected {}", shown(lines->text()),
                              warp_count == 0 ? "'warp = ...' and 'insts = ...' before it"
                                              : "as many as 'insts = ...' says"));
    }
    AccelsimWarp& warp = block.warps[warp_count - 1];
    const std::size_t before = warp.addresses.size();
    instructions.read(*lines, warp);
    bytes += sizeof(AccelsimInstruction) + (warp.addresses.size() - before) * sizeof(std::uint64_t);
    if (bytes > kLargestBlock) {
      lines->fail("found a block of more than 4 GiB, expected at most that much");
    }
    --expected;
  }

  // True at the end of the block.
  bool read_mark(AccelsimBlock& block) {
    AccelsimFields fields(*lines);
    const std::string_view word = fields.word();
    if (word.empty() || word == "cluster") {
      if (word == "cluster" && fields.word() == "rank") {
        read_cluster_rank(fields);
      }
      return false;
    }
    if (expected > 0 && word != "insts") {
      lines->fail(fmt::format("found '{}', expected {} more instructions of warp {}",
                              shown(lines->text()), expected, block.warps[warp_count - 1].warp));
    }
    if (word == "#END_TB") {
      if (!named) {
        lines->fail("found the end of a block, expected 'thread block = x,y,z' in it");
      }
      end_block(block);
      return true;
    }
    if (word == "thread") {
      read_block_name(fields, block);
    } else if (word == "warp") {
      begin_warp(fields, block);
    } else if (word == "insts" && warp_count > 0 && block.warps[warp_count - 1].code.empty()) {
      skip_equals(fields);
      expected = fields.decimal("the number of instructions", 0xffffffff);
    } else {
      lines->fail(
          fmt::format("found '{}', expected 'thread block', 'warp', 'insts', an instruction "
                      "or #END_TB",
                      shown(lines->text())));
    }
    if (!fields.done()) {
      fields.fail(fields.word(), "the end of the line");
    }
    return false;
  }

  void end_block(AccelsimBlock& block) {
    block.warps.resize(warp_count);
    const auto executed =
        std::count_if(block.warps.begin(), block.warps.end(),
                      [](const AccelsimWarp& warp) { return !warp.code.empty(); });
    if (static_cast<std::uint64_t>(executed) < warps_per_block()) {
      warnings.add("missing warps", lines->number(),
                   fmt::format("found a block with the instructions of {} of its {} warps",
                               executed, warps_per_block()));
    }
  }

  void read_block_name(AccelsimFields& fields, AccelsimBlock& block) {
    if (fields.word() != "block" || named) {
      lines->fail(fmt::format("found '{}', expected one 'thread block = x,y,z' in a block",
                              shown(lines->text())));
    }
    skip_equals(fields);
    block.id = fields.triple("the block's place as x,y,z");
    const Dim3& grid = header.grid;
    if (block.id.x >= grid.x || block.id.y >= grid.y || block.id.z >= grid.z) {
      lines->fail(fmt::format("found block {}, expected one of the grid ({})", block_name(block.id),
                              block_name(grid)));
    }
    named = true;
  }

  void begin_warp(AccelsimFields& fields, AccelsimBlock& block) {
    skip_equals(fields);
    const std::uint64_t number = fields.decimal("the warp's number", 0xffffffff);
    if (number >= warps_per_block()) {
      lines->fail(fmt::format("found warp {}, expected 0 to {}", number, warps_per_block() - 1));
    }
    if ((seen_warps >> number & 1) != 0) {
      lines->fail(fmt::format("found warp {} a second time in its block", number));
    }
    seen_warps |= std::uint32_t{1} << number;
    if (block.warps.size() == warp_count) {
      block.warps.emplace_back();
    }
    AccelsimWarp& warp = block.warps[warp_count++];
    warp.warp = static_cast<std::uint32_t>(number);
    warp.code.clear();
    warp.addresses.clear();
  }

  void read_cluster_rank(AccelsimFields& fields) {
    skip_equals(fields);
    if (fields.decimal("a rank", 0xffffffff) > 0) {
      warnings.add("cluster", lines->number(), "found blocks in clusters, which are left out");
    }
  }

  static void skip_equals(AccelsimFields& fields) {
    const std::string_view word = fields.word();
    if (word != "=") {
      fields.fail(word, "'='");
    }
  }

  void finish() {
    if (lines->unended()) {
      warnings.add("no newline", lines->number(), "found no line break behind the last line");
    }
    if (lines->cut()) {
      warnings.add("cut stream", 0,
                   "found the end of the file in the middle of its compressed "
                   "stream; what was read before is used");
    }
    if (blocks < header.grid.count()) {
      warnings.add(
          "missing blocks", 0,
          fmt::format("found {} of the {} blocks of the grid", blocks, header.grid.count()));
    }
  }

  // The block that is being read.
  bool named = false;
  std::uint32_t seen_warps = 0;
  std::size_t warp_count = 0;
  std::uint64_t expected = 0;  // instructions
  std::uint64_t bytes = 0;
};

AccelsimReader::AccelsimReader(const std::string& path) : state_(std::make_unique<State>(path)) {}
AccelsimReader::~AccelsimReader() = default;
AccelsimReader::AccelsimReader(AccelsimReader&&) noexcept = default;
AccelsimReader& AccelsimReader::operator=(AccelsimReader&&) noexcept = default;

const AccelsimHeader& AccelsimReader::header() const {
  return state_->header;
}

bool AccelsimReader::next_block(AccelsimBlock& block) {
  return state_->next_block(block);
}

const std::vector<std::string>& AccelsimReader::opcodes() const {
  return state_->instructions.opcodes();
}

const std::vector<Diagnostic>& AccelsimReader::warnings() const {
  return state_->warnings.list();
}

void AccelsimReader::rewind() {
  State& state = *state_;
  state.lines = std::make_unique<AccelsimLines>(state.file);
  read_accelsim_header(*state.lines, state.warnings);
  state.blocks = 0;
  state.ended = false;
}

}  // namespace smsim
