// Which launch of a profile is meant, and which listing and machine code belong to it.
//
// The source page has no launch ID and may repeat a launch's block, so blocks are given to launches
// by name and order: N launches of a kernel and k * N blocks of it make k blocks per launch.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/import/ncu_raw.hpp"
#include "sim/import/ncu_source.hpp"
#include "sim/import/sass_listing.hpp"

namespace smsim {

/// Everything a profile consists of, and the files it came from.
struct NcuProfile {
  std::string raw_file;
  std::string source_file;
  std::string sass_file;  // "" without one
  std::vector<NcuLaunch> launches;
  std::vector<NcuSourceBlock> blocks;
  std::vector<SassFunction> functions;  // empty without a file
};

/// Reads all files of a profile; "" for `sass_file` when there is none. Throws InputError with the
/// problems of all of them.
NcuProfile read_ncu_profile(const std::string& raw_file, const std::string& source_file,
                            const std::string& sass_file);

/// What the user asks for; both empty means all.
struct LaunchChoice {
  std::optional<int> id;  // --launch
  std::string kernel;     // --kernel: any spelling of the name, or the name alone
};

/// Indices into a profile.
struct SelectedLaunch {
  std::size_t launch = 0;
  std::size_t block = 0;
  std::optional<std::size_t> function;  // nothing when the profile has no machine code
};

/// The launches asked for, in file order, each with its block and function. Throws InputError with
/// the candidates when nothing fits or several do.
std::vector<SelectedLaunch> select_launches(const NcuProfile& profile, const LaunchChoice& choice);

/// As above, and an error with the list when it is not exactly one.
SelectedLaunch select_one_launch(const NcuProfile& profile, const LaunchChoice& choice);

/// The one launch of a raw page alone, for comparisons.
std::size_t select_raw_launch(const std::string& raw_file, const std::vector<NcuLaunch>& launches,
                              const LaunchChoice& choice);

}  // namespace smsim
