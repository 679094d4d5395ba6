#include "tests/report/golden.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace smsim::test {

std::string golden(const std::string& folder, const std::string& name, const std::string& actual) {
  const std::string path = std::string(SMSIM_SOURCE_DIR) + "/tests/" + folder + "/golden/" + name;
  if (std::getenv("SMSIM_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace smsim::test
