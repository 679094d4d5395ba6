// The order of the layers, held against what the sources include.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace fs = std::filesystem;

namespace {

// SMSIM_LAYERS of the top CMakeLists.txt, and the tool above all: each may include those before it.
const std::vector<std::string>& layers() {
  static const std::vector<std::string> kLayers = [] {
    std::vector<std::string> names;
    std::istringstream text(SMSIM_LAYERS " cli");
    for (std::string name; text >> name;) {
      names.push_back(name);
    }
    return names;
  }();
  return kLayers;
}

std::size_t rank(const std::string& layer) {
  return static_cast<std::size_t>(std::find(layers().begin(), layers().end(), layer) -
                                  layers().begin());
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

// Public headers belong to the layer that defines what they declare.
const std::map<std::string, std::string>& public_headers() {
  static const std::map<std::string, std::string> kHeaders{
      {"smsim/diagnostic.hpp", "arch"},     {"smsim/gpu_spec.hpp", "arch"},
      {"smsim/version.hpp", "arch"},        {"smsim/program.hpp", "kernel"},
      {"smsim/kernel_spec.hpp", "kernel"},  {"smsim/trace.hpp", "kernel"},
      {"smsim/occupancy.hpp", "occupancy"}, {"smsim/counters.hpp", "memory"},
      {"smsim/simulate.hpp", "engine"},     {"smsim/result.hpp", "metrics"},
      {"smsim/gpu_file.hpp", "config"},     {"smsim/kernel_file.hpp", "config"},
      {"smsim/report.hpp", "report"},       {"smsim/timeline.hpp", "engine"},
      {"smsim/sweep.hpp", "study"},         {"smsim/tune.hpp", "study"}};
  return kHeaders;
}

// "sim/engine/policy/gto.hpp" -> "engine"; "" when it is no part of smsim.
std::string layer_of(const std::string& path) {
  if (const auto found = public_headers().find(path); found != public_headers().end()) {
    return found->second;
  }
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
    REQUIRE(rank(layer) < layers().size());
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
    CHECK(public_headers().count("smsim/" + file.filename().string()) == 1);
    for (const std::string& name : includes_of(file)) {
      INFO(repository_path(file) << " includes " << name);
      CHECK((name.rfind("smsim/", 0) == 0 || name.find('/') == std::string::npos));
      CHECK(name.find(".h") ==
            (name.rfind("smsim/", 0) == 0 ? name.size() - 4 : std::string::npos));
    }
  }
}
