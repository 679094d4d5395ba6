#include "sim/import/ncu_units.hpp"

#include <array>
#include <optional>

namespace smsim {

namespace {

struct Named {
  std::string_view name;
  double factor;
};

// Time: the base is ns, as Nsight Compute has it. Older versions spell units out.
constexpr std::array<Named, 14> kTimes{{{"ns", 1},
                                        {"nsecond", 1},
                                        {"nanosecond", 1},
                                        {"us", 1e3},
                                        {"usecond", 1e3},
                                        {"microsecond", 1e3},
                                        {"ms", 1e6},
                                        {"msecond", 1e6},
                                        {"millisecond", 1e6},
                                        {"s", 1e9},
                                        {"sec", 1e9},
                                        {"second", 1e9},
                                        {"min", 60e9},
                                        {"minute", 60e9}}};

std::optional<double> time_factor(std::string_view unit) {
  for (const Named& time : kTimes) {
    if (unit == time.name) {
      return time.factor;
    }
  }
  return std::nullopt;
}

double prefix_factor(char prefix) {
  switch (prefix) {
    case 'K':
    case 'k':
      return 1e3;
    case 'M':
      return 1e6;
    case 'G':
      return 1e9;
    case 'T':
      return 1e12;
    case 'P':
      return 1e15;
    default:
      return 1;
  }
}

// "Kbyte", "Ghz": a prefix before something that is scaled. "Ksector" has not been seen, but reads.
double prefixed_factor(std::string_view unit) {
  for (const std::string_view stem :
       {"byte", "hz", "Hz", "bit", "inst", "sector", "cycle", "warp"}) {
    if (unit.size() == stem.size() + 1 && unit.substr(1) == stem) {
      return prefix_factor(unit[0]);
    }
  }
  return 1;
}

}  // namespace

double base_unit_factor(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  const std::string_view above = unit.substr(0, slash);
  double factor = time_factor(above).value_or(prefixed_factor(above));
  if (slash != std::string_view::npos) {
    // Rates are per second: "Gbyte/s" as well as "byte/ns" and "cycle/usecond".
    const std::string_view below = unit.substr(slash + 1);
    if (const std::optional<double> time = time_factor(below)) {
      factor *= 1e9 / *time;
    } else {
      factor /= prefixed_factor(below);
    }
  }
  return factor;
}

}  // namespace smsim
