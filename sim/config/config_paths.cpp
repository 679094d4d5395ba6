#include "sim/config/config_paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace smsim {

namespace fs = std::filesystem;

std::string config_dir() {
  if (const char* chosen = std::getenv("SMSIM_CONFIG_DIR"); chosen != nullptr && *chosen != '\0') {
    return chosen;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share/smsim";
  if (!error && fs::is_directory(installed / "gpus", error)) {
    return installed.string();
  }
  return fs::is_directory(SMSIM_SOURCE_CONFIG_DIR, error) ? SMSIM_SOURCE_CONFIG_DIR
                                                          : SMSIM_INSTALLED_CONFIG_DIR;
}

bool names_a_file(const std::string& name_or_file) {
  const fs::path ending = fs::path(name_or_file).extension();
  return name_or_file.find('/') != std::string::npos || ending == ".yaml" || ending == ".yml";
}

std::string config_file(const std::string& folder, const std::string& name) {
  return (fs::path(config_dir()) / folder / (name + ".yaml")).string();
}

std::vector<std::string> config_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(fs::path(config_dir()) / folder, missing)) {
    if (entry.path().extension() == ".yaml") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace smsim
