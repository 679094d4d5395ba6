// Which listing and which machine code belong to a launch: by name and order, then checked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/import/kernel_names.hpp"
#include "sim/import/ncu_select.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {

/// The block of the source page. Throws InputError with the candidates when it cannot be told.
std::size_t block_of_launch(const NcuProfile& profile, std::size_t launch);

/// The function, when the profile has machine code. Throws InputError with the candidates when none
/// or several fit, or the one that fits by name is not the code in the source page.
std::optional<std::size_t> function_of_launch(const NcuProfile& profile, std::size_t launch,
                                              std::size_t block);

// Indices of what has this kernel name: those that spell it in full, or else those that may mean
// it.
template <class Items>
std::vector<std::size_t> of_kernel(const std::string& name, const Items& items) {
  for (const bool loosely : {false, true}) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (same_kernel(name, items[i].kernel_name, loosely)) {
        found.push_back(i);
      }
    }
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

/// "--launch 3: saxpy(...), grid 8x1x1, block 256x1x1", one per line and indented.
std::string list_launches(const std::vector<NcuLaunch>& launches,
                          const std::vector<std::size_t>& indices);

std::vector<std::size_t> all_indices(std::size_t count);

[[noreturn]] void fail_with(const std::string& file, const std::string& message);

}  // namespace smsim
