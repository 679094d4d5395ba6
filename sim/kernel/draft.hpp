// A program on its way through the assembler: machine instructions whose operands are still values,
// not registers, and whose control codes are not set yet. Every pass reads and rewrites this.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "smsim/gpu_spec.hpp"
#include "smsim/program.hpp"

namespace smsim::sass {

enum class RegisterFile : std::uint8_t { vector, uniform, predicate };

using ValueId = std::uint32_t;
using LabelId = std::uint32_t;

inline constexpr int kWhole = -1;

/// What a register, or several neighbouring ones, hold.
struct Value {
  std::string name;
  RegisterFile file = RegisterFile::vector;
  int width = 1;  // 32-bit registers; a group of them starts at a multiple of its width, up to 4
};

/// How an instruction reads a value: it decides when the value must be there.
enum class Role : std::uint8_t {
  plain,
  memory,  // address, store data, or anything else that goes through the memory queues
  guard    // predicate in front of the instruction
};

struct Operand {
  ValueId value = 0;
  int component = kWhole;  // one register of a wide value, or all
  Role role = Role::plain;
};

/// What the order of memory instructions depends on.
enum class MemoryEffect : std::uint8_t { none, load, store, fence };

/// One instruction, or (label >= 0) a place that instructions jump to.
struct Draft {
  int label = -1;
  std::string mnemonic;  // "LDG.E.64"
  std::string operands;  // "%d0, desc[%s1][%s0.64+0x10]": results %d, sources %s
  std::vector<Operand> results;
  std::vector<Operand> sources;
  Operation timing;
  int own_stall = 1;  // least stall count, whatever follows
  Action action = Action::none;
  std::uint16_t operand = 0;
  Flow flow = Flow::next;
  std::uint32_t flow_operand = 0;  // Flow::jump: a label
  std::uint16_t predicate = kNoPredicate;
  bool negated_guard = false;
  bool reads_late = false;  // operands leave the registers after issue: overwriting them must wait
  MemoryEffect effect = MemoryEffect::none;
  std::uint16_t array = kNoArray;
  bool loop_control = false;     // counter update and test, which may move up in their loop body
  bool comparison = false;       // the test of a guard or an if, which may move up
  int unrolled_copy = -1;        // copy number inside an unrolled loop body
  int async_slot = -1;           // asynchronous copy: which of the reserved scoreboards it is on
  std::uint8_t async_waits = 0;  // scoreboards of asynchronous copies that it waits for
  int line = 0;
  std::array<std::uint8_t, 2> bank_reads{};  // registers from the even and the odd bank

  // Control code, set by the last passes.
  int stall = 1;
  bool yield = false;
  std::uint8_t write_scoreboard = kNoScoreboard;
  std::uint8_t read_scoreboard = kNoScoreboard;
  std::uint8_t wait_mask = 0;

  [[nodiscard]] bool is_label() const { return label >= 0; }
};

/// Drafts with the tables they point into. Until emission, what the tables call a pc is a label.
struct DraftProgram {
  std::vector<Draft> code;
  std::vector<Value> values;
  Program tables;
  LabelId labels = 0;
  std::vector<std::string> notes;
};

}  // namespace smsim::sass
