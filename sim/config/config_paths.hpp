// Where the files that come with smsim (configs/) are found at run time.
#pragma once

#include <string>

namespace smsim {

/// The configs folder: SMSIM_CONFIG_DIR if set, else share/smsim beside the folder of the running
/// program (an installed smsim), else the source tree it was built from, else where it was to be
/// installed.
std::string config_dir();

}  // namespace smsim
