// One instruction line of an Accel-Sim trace:
//
//   [tbx tby tbz warp] [line] PC MASK n [destinations] OPCODE n [sources] WIDTH [MODE addresses]
//   [immediate [immediate]] [NoVal | Val values...]
//
// The place in the grid leads before tracer version 3, the second immediate and NoVal or Val close
// the line from version 6 on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/import/accelsim_lines.hpp"
#include "sim/import/accelsim_trace.hpp"

namespace smsim {

class AccelsimInstructionReader {
 public:
  AccelsimInstructionReader(const AccelsimHeader& header, AccelsimWarnings& warnings)
      : header_(header), warnings_(warnings) {}

  /// Appends the instruction of the line that `lines` is at. Throws InputError.
  void read(const AccelsimLines& lines, AccelsimWarp& warp);
  const std::vector<std::string>& opcodes() const { return opcodes_; }

 private:
  // What tracers do not agree on behind the sources.
  enum class Tail : std::uint8_t { usual, bulk_copy, tensor_group };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::uint16_t opcode(AccelsimFields& fields);
  void read_memory(AccelsimFields& fields, AccelsimInstruction& instruction,
                   std::vector<std::uint64_t>& addresses);
  void read_immediates(AccelsimFields& fields, AccelsimInstruction& instruction) const;
  void skip_masked(AccelsimFields& fields) const;
  [[nodiscard]] int immediates() const { return header_.tracer_version >= 6 ? 2 : 1; }

  const AccelsimHeader& header_;
  AccelsimWarnings& warnings_;
  std::vector<std::string> opcodes_;
  std::vector<Tail> tails_;
  std::unordered_map<std::string, std::uint16_t, Hash, std::equal_to<>> known_;
};

}  // namespace smsim
