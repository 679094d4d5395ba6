// Demangled kernel names of a profile against mangled names of machine code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/import/sass_listing.hpp"

namespace smsim {

/// "void saxpy<256>(int, float const*)" for "_Z5saxpyILi256EEvifPKf"; the name itself where it is
/// not mangled.
std::string demangled(const std::string& name);

/// One spelling for all ways to write a name: without spaces, casts of template arguments, return
/// type, inline namespaces; "const T*" as "T const*".
std::string normalised_kernel_name(std::string_view name);

/// True when both name the same kernel. A name without parameters ("saxpy") or template arguments
/// is equal to every kernel of that name only where `loosely` is set.
bool same_kernel(std::string_view name, std::string_view other, bool loosely = false);

/// Every function that `name` (demangled or mangled) may be. Nsight's short name "saxpy" is equal
/// to all instances. None or several are for the caller to report.
std::vector<std::size_t> matching_functions(std::string_view name,
                                            const std::vector<SassFunction>& functions);

}  // namespace smsim
