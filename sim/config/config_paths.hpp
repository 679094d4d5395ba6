// Where the files that come with smsim (configs/) are found at run time.
#pragma once

#include <string>
#include <vector>

namespace smsim {

/// The configs folder: SMSIM_CONFIG_DIR if set, else share/smsim beside the folder of the running
/// program (an installed smsim), else the source tree it was built from, else where it was to be
/// installed.
std::string config_dir();

/// Whether this is a file rather than a name: it has a slash, or ends in .yaml or .yml.
bool names_a_file(const std::string& name_or_file);

/// The file behind a name of one of config_dir()'s folders: ("gpus", "h200").
std::string config_file(const std::string& folder, const std::string& name);

/// Every name of such a folder, sorted.
std::vector<std::string> config_names(const std::string& folder);

}  // namespace smsim
