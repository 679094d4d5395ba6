// What a warp in one interval of its timeline waits for, and who ends it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/report/why_text.hpp"

namespace smsim {

/// "It needs the result of LDG.E R2 (pc 12), issued at cycle 2,221. ..."
std::string wait_reason(const Result& result, const Program& program, const WarpStay& stay,
                        const WarpInterval& interval, const WarpAt& at);

/// An instruction as the report shows it; "" where the result does not have it.
std::string instruction_text(const Result& result, std::uint32_t pc);
/// "FFMA R1, R2 (pc 4)"
std::string instruction_at(const Result& result, std::uint32_t pc);
/// ", line 12 of the kernel", or nothing.
std::string line_at(const Result& result, std::uint32_t pc);

}  // namespace smsim
