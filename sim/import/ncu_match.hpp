// Which listing and which machine code belong to a launch: by name and order, then checked.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/import/kernel_names.hpp"
#include "sim/import/ncu_select.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {

/// Everything in a profile that has the name of one kernel.
struct KernelParts {
  std::vector<std::size_t> launches;
  std::vector<std::size_t> blocks;
  std::vector<std::size_t> functions;
};

KernelParts parts_of_kernel(const NcuProfile& profile, const std::string& name);

/// The block of the source page. Throws InputError with the candidates when it cannot be told.
std::size_t block_of_launch(const NcuProfile& profile, std::size_t launch,
                            const KernelParts& parts);

/// The function, when the profile has machine code. Throws InputError with the candidates when none
/// or several fit, or the one that fits by name is not the code in the source page.
std::optional<std::size_t> function_of_launch(const NcuProfile& profile, std::size_t launch,
                                              std::size_t block, const KernelParts& parts);

/// Indices of what has this kernel name: those that spell it in full, or else those that may mean
/// it.
template <class Items>
std::vector<std::size_t> of_kernel(const std::string& name, const Items& items) {
  for (const bool loosely : {false, true}) {
    std::map<std::string_view, bool> known;  // many launches have the same name
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto [answer, fresh] = known.try_emplace(items[i].kernel_name, false);
      if (fresh) {
        answer->second = same_kernel(name, items[i].kernel_name, loosely);
      }
      if (answer->second) {
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
