// The order of the layers, held against what the sources include.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace fs = std::filesystem;

namespace {

// As in the top CMakeLists.txt: each may include those before it.
const std::vector<std::string> kLayers{"arch",   "kernel",  "occupancy", "memory",
                                       "engine", "metrics", "config",    "import",
                                       "report", "compare", "study",     "cli"};

std::size_t rank(const std::string& layer) {
  return static_cast<std::size_t>(std::find(kLayers.begin(), kLayers.end(), layer) -
                                  kLayers.begin());
}

// The included names of a file, quotes and angle brackets taken off.
std::vector<std::string> includes_of(const fs::path& file) {
  std::vector<std::string> names;
  std::ifstream input(file);
  for (std::string line; std::getline(input, line);) {
    const std::string begin = "#include ";
    if (line.rfind(begin, 0) == 0) {
      const std::size_t end = line.find_first_of("\">", begin.size() + 1);
      names.push_back(line.substr(begin.size() + 1, end - begin.size() - 1));
    }
  }
  return names;
}

std::vector<fs::path> sources_below(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SMSIM_SOURCE_DIR) / folder)) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") {
      files.push_back(entry.path());
    }
  }
  return files;
}

// "sim/engine/policy/gto.hpp" -> "engine"; "" when it is not in sim/.
std::string layer_of(const std::string& path) {
  const std::string top = "sim/";
  return path.rfind(top, 0) == 0 ? path.substr(top.size(), path.find('/', top.size()) - top.size())
                                 : "";
}

std::string repository_path(const fs::path& file) {
  return fs::relative(file, SMSIM_SOURCE_DIR).generic_string();
}

}  // namespace

TEST_CASE("no layer includes one below it") {
  for (const fs::path& file : sources_below("sim")) {
    const std::string layer = layer_of(repository_path(file));
    INFO(repository_path(file));
    REQUIRE(rank(layer) < kLayers.size());
    for (const std::string& name : includes_of(file)) {
      if (const std::string used = layer_of(name); !used.empty()) {
        INFO("includes " << name);
        CHECK(rank(used) <= rank(layer));
      }
    }
  }
}

TEST_CASE("the engine and what it stands on know nothing of YAML, JSON or the command line") {
  for (const char* layer :
       {"sim/arch", "sim/kernel", "sim/occupancy", "sim/memory", "sim/engine"}) {
    for (const fs::path& file : sources_below(layer)) {
      for (const std::string& name : includes_of(file)) {
        INFO(repository_path(file) << " includes " << name);
        for (const char* foreign : {"yaml-cpp", "nlohmann", "boost/program_options", "iostream"}) {
          CHECK(name.rfind(foreign, 0) == std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("public headers use the standard library and each other only") {
  for (const fs::path& file : sources_below("include/smsim")) {
    for (const std::string& name : includes_of(file)) {
      INFO(repository_path(file) << " includes " << name);
      CHECK((name.rfind("smsim/", 0) == 0 || name.find('/') == std::string::npos));
      CHECK(name.find(".h") ==
            (name.rfind("smsim/", 0) == 0 ? name.size() - 4 : std::string::npos));
    }
  }
}
