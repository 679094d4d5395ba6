#include "sim/import/ncu_match.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/import/sass_text.hpp"

namespace smsim {

namespace {

constexpr std::size_t kListed = 20;

// One candidate per line, indented.
template <class Items, class Describe>
std::string list(const Items& items, const Describe& describe) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < kListed; ++i) {
    text += "\n  " + describe(items[i]);
  }
  return items.size() > kListed ? text + fmt::format("\n  and {} more", items.size() - kListed)
                                : text;
}

std::string describe(const NcuLaunch& launch) {
  return fmt::format("--launch {}: {}, grid {}x{}x{}, block {}x{}x{}", launch.id,
                     launch.kernel_name, launch.grid.x, launch.grid.y, launch.grid.z,
                     launch.block.x, launch.block.y, launch.block.z);
}

std::string list_blocks(const NcuProfile& profile, const std::vector<std::size_t>& indices) {
  return list(indices, [&](std::size_t i) {
    const NcuSourceBlock& block = profile.blocks[i];
    return fmt::format("line {}: {}, {} instructions", block.line, block.kernel_name,
                       block.rows.size());
  });
}

bool same_listing(const NcuSourceBlock& a, const NcuSourceBlock& b) {
  return std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                    [](const NcuSourceRow& x, const NcuSourceRow& y) {
                      return x.text == y.text && x.executed == y.executed;
                    });
}

// 90 for "9.0"; 0 when unknown.
int sm_of(const NcuLaunch& launch) {
  int sm = 0;
  for (const char c : launch.compute_capability) {
    if (c >= '0' && c <= '9') {
      sm = sm * 10 + (c - '0');
    } else if (c != '.') {
      return 0;
    }
  }
  return sm;
}

std::string describe(const SassFunction& function) {
  return fmt::format("{}, sm_{}, {} instructions{}", demangled(function.mangled_name), function.sm,
                     function.code.size(),
                     function.line > 0 ? fmt::format(", line {}", function.line) : "");
}

bool same_code(const SassFunction& a, const SassFunction& b) {
  return std::equal(a.code.begin(), a.code.end(), b.code.begin(), b.code.end(),
                    [](const SassInstruction& x, const SassInstruction& y) {
                      return x.text == y.text && x.low == y.low && x.high == y.high &&
                             x.has_encoding == y.has_encoding;
                    });
}

std::string list_functions(const NcuProfile& profile, const std::vector<std::size_t>& indices) {
  return list(indices, [&](std::size_t i) { return describe(profile.functions[i]); });
}

// Code runs on later architectures of the same major number; the driver takes the latest there is.
void keep_what_runs_on(int sm, const std::vector<SassFunction>& functions,
                       std::vector<std::size_t>& found) {
  const auto drop = [&](const auto& unfit) {
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&](std::size_t i) { return unfit(functions[i].sm); }),
                found.end());
  };
  if (sm == 0) {
    return;
  }
  drop([&](int its) { return its != 0 && (its / 10 != sm / 10 || its > sm); });
  int latest = 0;
  for (const std::size_t i : found) {
    latest = std::max(latest, functions[i].sm);
  }
  drop([&](int its) { return its != 0 && its != latest; });
}

// "IMAD" of "@P0 IMAD.WIDE R2, R3, 0x4, R2".
std::string_view operation_of(std::string_view text) {
  const std::size_t predicate = predicate_of(text).size();
  text.remove_prefix(predicate == 0 ? 0 : std::min(predicate + 1, text.size()));
  return text.substr(0, text.find_first_of(". "));
}

// Why the code is not what the source page lists, or "". A page may leave out the padding behind
// the code.
std::string difference(const SassFunction& function, const NcuSourceBlock& block) {
  if (function.code.size() < block.rows.size()) {
    return fmt::format("{} instructions instead of {}", function.code.size(), block.rows.size());
  }
  for (std::size_t i = 0; i < block.rows.size(); ++i) {
    const std::string& text = function.code[i].text;  // "" from a cubin
    if (!text.empty() && operation_of(text) != operation_of(block.rows[i].text)) {
      const NcuSourceRow& row = block.rows[i];
      return fmt::format("'{}' instead of '{}{}{}' at 0x{:x}", text, row.predicate,
                         row.predicate.empty() ? "" : " ", row.text, row.address);
    }
  }
  return "";
}

// The code itself decides between functions of one name, and betrays a binary that was built anew.
void keep_what_was_profiled(const NcuProfile& profile, const NcuSourceBlock& block,
                            std::vector<std::size_t>& found) {
  const std::size_t first = found[0];
  found.erase(std::remove_if(
                  found.begin(), found.end(),
                  [&](std::size_t i) { return !difference(profile.functions[i], block).empty(); }),
              found.end());
  if (found.empty()) {
    const SassFunction& function = profile.functions[first];
    fail_with(profile.sass_file,
              fmt::format("found {} in function {}, expected the code of {} line {}: is this the "
                          "binary that was profiled?",
                          difference(function, block), describe(function), profile.source_file,
                          block.line));
  }
}

}  // namespace

void fail_with(const std::string& file, const std::string& message) {
  throw InputError(std::vector<Diagnostic>{{file, 0, 0, message}});
}

std::string list_launches(const std::vector<NcuLaunch>& launches,
                          const std::vector<std::size_t>& indices) {
  return list(indices, [&](std::size_t i) { return describe(launches[i]); });
}

std::vector<std::size_t> all_indices(std::size_t count) {
  std::vector<std::size_t> indices(count);
  for (std::size_t i = 0; i < count; ++i) {
    indices[i] = i;
  }
  return indices;
}

KernelParts parts_of_kernel(const NcuProfile& profile, const std::string& name) {
  return {of_kernel(name, profile.launches), of_kernel(name, profile.blocks),
          matching_functions(name, profile.functions)};
}

// Launches of a kernel and its blocks are in the same order, with the same number of blocks each.
std::size_t block_of_launch(const NcuProfile& profile, std::size_t launch,
                            const KernelParts& parts) {
  const std::string& name = profile.launches[launch].kernel_name;
  const std::vector<std::size_t>& launches = parts.launches;
  const std::vector<std::size_t>& blocks = parts.blocks;
  if (blocks.empty()) {
    fail_with(profile.source_file,
              fmt::format("found no block of kernel '{}', expected one of these to be it{}", name,
                          list_blocks(profile, all_indices(profile.blocks.size()))));
  }
  const std::size_t each = blocks.size() / launches.size();
  if (each * launches.size() != blocks.size()) {
    fail_with(profile.source_file,
              fmt::format("found {} blocks of kernel '{}' for {} launches in {}, expected the same "
                          "number for each; export both pages from one report{}{}",
                          blocks.size(), name, launches.size(), profile.raw_file,
                          list_blocks(profile, blocks), list_launches(profile.launches, launches)));
  }
  const auto position = static_cast<std::size_t>(
      std::find(launches.begin(), launches.end(), launch) - launches.begin());
  const std::size_t first = blocks[position * each];
  for (std::size_t i = 1; i < each; ++i) {
    const std::size_t other = blocks[position * each + i];
    if (!same_listing(profile.blocks[first], profile.blocks[other])) {
      fail_with(profile.source_file,
                fmt::format("found {} blocks of kernel '{}' for each of {} launches, and those of "
                            "one launch differ, expected equal ones{}",
                            each, name, launches.size(), list_blocks(profile, blocks)));
    }
  }
  return first;
}

std::optional<std::size_t> function_of_launch(const NcuProfile& profile, std::size_t launch,
                                              std::size_t block, const KernelParts& parts) {
  if (profile.functions.empty()) {
    return std::nullopt;
  }
  const std::string& name = profile.launches[launch].kernel_name;
  std::vector<std::size_t> found = parts.functions;
  if (found.empty()) {
    fail_with(profile.sass_file,
              fmt::format("found no function of kernel '{}', expected one of these to be it{}",
                          name, list_functions(profile, all_indices(profile.functions.size()))));
  }
  const int sm = sm_of(profile.launches[launch]);
  keep_what_runs_on(sm, profile.functions, found);
  if (found.empty()) {
    fail_with(profile.sass_file,
              fmt::format("found no code of kernel '{}' for sm_{}, which it ran on{}", name, sm,
                          list_functions(profile, parts.functions)));
  }
  keep_what_was_profiled(profile, profile.blocks[block], found);
  // The same code twice, as when listings were joined, is no ambiguity.
  const bool all_same = std::all_of(found.begin(), found.end(), [&](std::size_t i) {
    return same_code(profile.functions[i], profile.functions[found[0]]);
  });
  if (!all_same) {
    fail_with(profile.sass_file, fmt::format("found {} functions of kernel '{}', expected one{}",
                                             found.size(), name, list_functions(profile, found)));
  }
  return found[0];
}

}  // namespace smsim
