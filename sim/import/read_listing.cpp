// What cuobjdump -sass and nvdisasm print, line by line. Both write instructions alike:
//
//         /*0000*/                   LDC R1, c[0x0][0x28] ;      /* 0x00000a00ff017b82 */
//                                                                /* 0x000fe20000000800 */
//
// The encoding may be missing (nvdisasm without -hex). cuobjdump names a function by "Function : x"
// and its architecture by "code for sm_90", nvdisasm by ".section .text.x" and ".target sm_90".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "sim/import/sass_readers.hpp"
#include "sim/import/sass_text.hpp"

namespace smsim {

namespace {

constexpr std::uint32_t kInstructionBytes = 16;

bool begins(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// The number behind `mark`, as 90 in "code for sm_90"; nothing without it.
std::optional<int> number_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  int value = 0;
  const char* const begin = text.data() + at + mark.size();
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  return error == std::errc() && end != begin ? std::optional(value) : std::nullopt;
}

class ListingReader {
 public:
  explicit ListingReader(Problems& problems) : problems_(problems) {}

  std::vector<SassFunction> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      read_line(trimmed(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    end_function();
    return std::move(functions_);
  }

 private:
  void read_line(std::string_view line) {
    if (line.empty()) {
      return;
    }
    if (begins(line, "Fatbin ")) {
      end_function();
      in_ptx_ = line.find("ptx code") != std::string_view::npos;
    } else if (in_ptx_ || begins(line, "//")) {
      return;
    } else if (begins(line, "/*") || begins(line, "{")) {
      read_code(line);
    } else if (begins(line, "Function :")) {
      begin_function(trimmed(line.substr(10)));
    } else if (begins(line, ".section") && !begins(line, ".sectioninfo") &&
               !begins(line, ".sectionflags") && !begins(line, ".sectionentsize")) {
      read_section(trimmed(line.substr(8)));
    } else if (line.back() == ':' && line.find(' ') == std::string_view::npos) {
      labels_[std::string(line.substr(0, line.size() - 1))] = next_offset();
    } else {
      read_property(line);
    }
  }

  void read_property(std::string_view line) {
    for (const std::string_view mark : {"code for sm_", "arch = sm_"}) {
      if (const auto sm = number_after(line, mark)) {
        end_function();
        sm_ = *sm;
        return;
      }
    }
    auto sm = begins(line, ".target") ? number_after(line, "sm_") : std::nullopt;
    sm = sm ? sm : begins(line, ".headerflags") ? number_after(line, "EF_CUDA_SM") : std::nullopt;
    if (sm) {
      sm_ = *sm;
      if (function_) {
        function_->sm = *sm;
      }
    }
    if (const auto registers = number_after(line, "SHI_REGISTERS="); registers && function_) {
      function_->registers = *registers;
    }
  }

  // .text._Z5saxpyifPKfPf,"ax",@progbits
  void read_section(std::string_view section) {
    end_function();
    const std::string_view name = trimmed(section.substr(0, section.find(',')));
    if (begins(name, ".text.")) {
      begin_function(name.substr(6));
    }
  }

  void begin_function(std::string_view name) {
    end_function();
    labels_.clear();
    function_.emplace();
    function_->mangled_name = name;
    function_->sm = sm_;
    function_->line = line_;
  }

  void end_function() {
    if (!function_) {
      return;
    }
    report_half_encoding();
    if (function_->code.empty()) {
      problems_.add(function_->line, fmt::format("found no instruction of function '{}', expected "
                                                 "lines like '/*0000*/ MOV R1, R2 ;'",
                                                 function_->mangled_name));
    }
    for (SassInstruction& instruction : function_->code) {
      resolve_labels(instruction);
    }
    functions_.push_back(std::move(*function_));
    function_.reset();
  }

  std::uint32_t next_offset() const {
    return !function_ || function_->code.empty()
               ? 0
               : function_->code.back().offset + kInstructionBytes;
  }

  void read_code(std::string_view line) {
    if (begins(line, "{")) {
      line = trimmed(line.substr(1));
    }
    const std::size_t close = line.find("*/");
    if (!function_ || !begins(line, "/*") || close == std::string_view::npos) {
      return;
    }
    const std::string_view comment = trimmed(line.substr(2, close - 2));
    if (begins(comment, "0x")) {
      read_second_half(comment);
    } else if (const auto offset = parse_hex(comment); offset && comment.size() >= 4) {
      read_instruction(*offset, trimmed(line.substr(close + 2)));
    }
  }

  void read_instruction(std::uint64_t offset, std::string_view rest) {
    report_half_encoding();
    const bool old = function_->sm != 0 && function_->sm < kOldestSm;  // 8 bytes each
    if (offset != next_offset() && !old) {
      problems_.add(line_, fmt::format("found offset 0x{:x}, expected 0x{:x}: lines are missing or "
                                       "out of order",
                                       offset, next_offset()));
    }
    const std::size_t end = rest.find(';');
    const std::size_t comment = rest.find("/*");
    SassInstruction instruction;
    instruction.offset = static_cast<std::uint32_t>(offset);
    instruction.line = line_;
    instruction.text = squeezed(rest.substr(0, std::min(end, comment)));
    if (end == std::string_view::npos || instruction.text.empty()) {
      problems_.add(line_, fmt::format("found '{}', expected an instruction and a ';'", rest));
    }
    if (comment != std::string_view::npos) {
      read_first_half(trimmed(rest.substr(comment + 2)), instruction);
    }
    function_->code.push_back(std::move(instruction));
  }

  std::optional<std::uint64_t> encoding(std::string_view comment) {
    const auto value = parse_hex(trimmed(comment.substr(0, comment.find("*/"))));
    if (!value) {
      problems_.add(line_, fmt::format("found encoding '{}', expected 16 hexadecimal digits",
                                       trimmed(comment.substr(0, comment.find("*/")))));
    }
    return value;
  }

  void read_first_half(std::string_view comment, SassInstruction& instruction) {
    if (const auto low = encoding(comment)) {
      instruction.low = *low;
      half_ = true;
    }
  }

  void read_second_half(std::string_view comment) {
    if (!half_) {  // control words of older architectures stand alone
      return;
    }
    half_ = false;
    if (const auto high = encoding(comment)) {
      function_->code.back().high = *high;
      function_->code.back().has_encoding = true;
    }
  }

  void report_half_encoding() {
    const bool old = function_->sm != 0 && function_->sm < kOldestSm;
    if (half_ && !old) {
      problems_.add(function_->code.back().line,
                    "found half an encoding, expected the other half in the next line");
    }
    half_ = false;
  }

  // `(.L_x_1) -> 0x1d0; the name of another function stays.
  void resolve_labels(SassInstruction& instruction) {
    std::string& text = instruction.text;
    for (std::size_t at = text.find("`("); at != std::string::npos; at = text.find("`(", at + 1)) {
      const std::size_t close = text.find(')', at);
      const std::string name = text.substr(at + 2, close - at - 2);
      if (const auto found = labels_.find(name); found != labels_.end()) {
        text.replace(at, close == std::string::npos ? close : close + 1 - at,
                     fmt::format("0x{:x}", found->second));
      } else if (begins(name, ".L")) {
        problems_.add(instruction.line,
                      fmt::format("found label '{}', expected one that is defined", name));
      }
    }
  }

  Problems& problems_;
  std::vector<SassFunction> functions_;
  std::optional<SassFunction> function_;
  std::map<std::string, std::uint32_t> labels_;  // of this function
  bool in_ptx_ = false;
  bool half_ = false;  // an encoding has its low half only
  int sm_ = 0;
  int line_ = 0;
};

}  // namespace

std::vector<SassFunction> read_listing(std::string_view text, Problems& problems) {
  return ListingReader(problems).read(text);
}

}  // namespace smsim
