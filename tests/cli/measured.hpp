// Copies of measured launches that come with smsim, to be spoilt.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/scratch_folder.hpp"

namespace smsim::test {

class Measured {
 public:
  /// Small ones take a fraction of a second each; `below` is where in the folder they stand.
  explicit Measured(const std::vector<std::string>& names, const std::string& below = "") {
    for (const std::string& name : names) {
      std::filesystem::create_directories(path(below + name));
      std::filesystem::copy(kAll + name, path(below + name));
    }
  }

  [[nodiscard]] std::string folder() const { return scratch_.path("references"); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder() + "/" + name; }

  void describe(const std::string& name, const std::string& text) const {
    scratch_.write("references/" + name + "/reference.yaml", text);
  }
  void remove(const std::string& file) const { std::filesystem::remove(path(file)); }
  /// A file of another launch in the place of this one's.
  void replace(const std::string& file, const std::string& by) const {
    std::filesystem::copy_file(kAll + by, path(file),
                               std::filesystem::copy_options::overwrite_existing);
  }

 private:
  inline static const std::string kAll = SMSIM_SOURCE_DIR "/validate/reference/h200/";
  ScratchFolder scratch_;
};

}  // namespace smsim::test
