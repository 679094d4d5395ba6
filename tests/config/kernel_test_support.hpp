// Loading kernel texts in tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/config/kernel_file.hpp"

namespace smsim::test {

/// A kernel file around the given program lines: arrays X, Y (global), s (shared), a scalar a.
std::string with_program(const std::string& program, const std::string& more = "");

/// The loaded kernel; the test fails when there are problems.
KernelSpec loaded(const std::string& text, const std::vector<std::string>& overrides = {});

/// Every problem of a text, one per line.
std::string problems_of(const std::string& text, const std::vector<std::string>& overrides = {});

/// "LDC S2R ...": the mnemonics of a kernel's program, operands left out.
std::string mnemonics(const KernelSpec& kernel);

/// How many instructions have mnemonics that begin so.
int count(const KernelSpec& kernel, const std::string& mnemonic);

/// The first instruction whose text has `part` in it; the test fails when there is none.
const Instruction& find(const KernelSpec& kernel, const std::string& part);

}  // namespace smsim::test
