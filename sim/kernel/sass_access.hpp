// Memory instructions of a listing: from their numbers to an access of the program.
#pragma once

#include <string_view>

#include "sim/kernel/draft.hpp"
#include "sim/kernel/sass_listing.hpp"
#include "sim/kernel/sass_operation.hpp"
#include "smsim/program.hpp"

namespace smsim::sass {

/// Adds the access to `tables` and makes `draft` carry it out.
void access_memory(const SassLine& line, std::string_view mnemonic, const SassOperation& operation,
                   Program& tables, Draft& draft);

}  // namespace smsim::sass
