#include "sim/config/config_paths.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace smsim {

std::string config_dir() {
  if (const char* chosen = std::getenv("SMSIM_CONFIG_DIR"); chosen != nullptr && *chosen != '\0') {
    return chosen;
  }
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share/smsim";
  if (!error && std::filesystem::is_directory(installed / "gpus", error)) {
    return installed.string();
  }
  return std::filesystem::is_directory(SMSIM_SOURCE_CONFIG_DIR, error) ? SMSIM_SOURCE_CONFIG_DIR
                                                                       : SMSIM_INSTALLED_CONFIG_DIR;
}

}  // namespace smsim
