// The columns of a table by name.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsim {

class CsvColumns {
 public:
  explicit CsvColumns(std::vector<std::string> names) : names_(std::move(names)) {}

  const std::vector<std::string>& names() const { return names_; }
  std::size_t count() const { return names_.size(); }
  /// The first column with one of these names (the first name that is there), without regard to
  /// case and outer spaces.
  std::optional<std::size_t> find(const std::vector<std::string_view>& names) const;
  /// "; near it: 'Instruction Executed', ..." or "; found the columns ..." for a message.
  std::string near(std::string_view name) const;

 private:
  std::vector<std::string> names_;
};

/// Lower case, without outer spaces.
std::string folded(std::string_view text);

}  // namespace smsim
