#include "sim/study/tune_space.hpp"

namespace smsim {

std::vector<std::size_t> steps_of(const std::vector<std::size_t>& extents, std::uint64_t number) {
  std::vector<std::size_t> steps(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    steps[axis] = static_cast<std::size_t>(number % extents[axis]);
    number /= extents[axis];
  }
  return steps;
}

std::uint64_t number_of(const std::vector<std::size_t>& extents,
                        const std::vector<std::size_t>& steps) {
  std::uint64_t number = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    number = (number * extents[axis]) + steps[axis];
  }
  return number;
}

std::uint64_t TuneSpace::size() const {
  std::uint64_t all = 1;
  for (const TuneAxis& axis : axes_) all *= axis.values.size();
  return all;
}

std::vector<std::size_t> TuneSpace::extents() const {
  std::vector<std::size_t> extents;
  for (const TuneAxis& axis : axes_) extents.push_back(axis.values.size());
  return extents;
}

std::vector<std::pair<std::string, std::string>> TuneSpace::values(std::uint64_t number) const {
  const std::vector<std::size_t> steps = steps_of(extents(), number);
  std::vector<std::pair<std::string, std::string>> values;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    values.emplace_back(axes_[axis].path, axes_[axis].values[steps[axis]]);
  }
  return values;
}

}  // namespace smsim
