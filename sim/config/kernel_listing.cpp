// Machine code with numbers, as `smsim import` writes it: one line per instruction,
//   - [0x70, "@P0 EXIT", "B------:R-:W-:Y:S05", {taken: 0.25}]
#include <fmt/format.h>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

namespace {

constexpr std::size_t kMostLines = 65536;
constexpr std::size_t kMostTextBytes = 512;

}  // namespace

void KernelReader::read_listing(const YAML::Node& node) {
  if (!node.IsSequence() || node.size() == 0) {
    error(node, fmt::format("found {}, expected 'sass' as a list of instructions", describe(node)));
    return;
  }
  if (node.size() > kMostLines) {
    error(node, fmt::format("found {} instructions, expected at most {}", node.size(), kMostLines));
    return;
  }
  for (const auto& item : node) {
    read_line(item);
  }
  for (std::size_t i = 1; i < kernel_.listing.size(); ++i) {
    if (kernel_.listing[i].offset <= kernel_.listing[i - 1].offset) {
      error(node[i], fmt::format("found offset {:#x} after {:#x}, expected rising offsets",
                                 kernel_.listing[i].offset, kernel_.listing[i - 1].offset));
    }
  }
}

// [offset, text, code, numbers]; code and numbers may be missing.
void KernelReader::read_line(const YAML::Node& node) {
  sass::SassLine line;
  line.line = position(node).line;
  const bool list = node.IsSequence() && node.size() >= 2 && node.size() <= 4;
  if (!list || !node[1].IsScalar() || node[1].Scalar().empty() ||
      node[1].Scalar().size() > kMostTextBytes) {
    error(node, fmt::format("found {}, expected [offset, \"instruction\", \"control code\", "
                            "{{numbers}}]",
                            describe(node)));
    return;
  }
  constexpr std::int64_t kMostOffset = 0x7fffffff;
  line.offset = static_cast<std::uint32_t>(whole(node[0], 0, kMostOffset).value_or(0));
  line.text = node[1].Scalar();
  for (std::size_t i = 2; i < node.size(); ++i) {
    if (node[i].IsMap()) {
      read_line_numbers(node[i], line);
      continue;
    }
    line.code = node[i].IsScalar() ? sass::parse_control_code(node[i].Scalar()) : std::nullopt;
    if (!line.code) {
      error(node[i], fmt::format("found {}, expected a control code such as B-1----:R-:W2:Y:S04",
                                 describe(node[i])));
    }
  }
  kernel_.listing.push_back(std::move(line));
}

void KernelReader::read_line_numbers(const YAML::Node& node, sass::SassLine& line) {
  Keys keys(*this, node, "the numbers of an instruction");
  const auto amount = [&](const char* key, double most, double fallback) {
    const auto value = keys.find(key);
    return value ? number(*value, 0, most).value_or(fallback) : fallback;
  };
  constexpr double kMostAddresses = 4294967295.0;
  constexpr double kMostBulkBytes = 1 << 20;
  sass::SassAccess& access = line.access;
  access.lines = amount("lines", 32, 0);
  access.sectors = amount("sectors", 128, 0);
  access.wavefronts = amount("wavefronts", 1024, 0);
  access.acting = amount("acting", 1, 1);
  access.l1_hit = amount("l1_hit", 1, 0);
  access.l1_pending = amount("l1_pending", 1, 0);
  access.l2_hit = amount("l2_hit", 1, 0);
  access.l2_far = amount("l2_far", 1, 0);
  access.dram_fill = amount("dram_fill", 32, 0);
  access.dirty = amount("dirty", 1, 1);
  access.partial = amount("partial", 1, 0);
  access.dsmem = amount("dsmem", 1, 0) > 0;
  access.addresses = static_cast<std::uint32_t>(amount("addresses", kMostAddresses, 0));
  access.lanes_per_address = static_cast<std::uint16_t>(amount("lanes_per_address", 32, 1));
  access.bulk_bytes = static_cast<std::uint32_t>(amount("bulk_bytes", kMostBulkBytes, 0));
  line.lanes = amount("lanes", 32, 32);
  constexpr double kRounded = 1e-6;
  if (access.lines > 0 && access.lines < 1) {
    error(node, fmt::format("found lines {}, expected at least 1 ('acting' says how often there "
                            "are any)",
                            access.lines));
  }
  if (access.sectors < access.lines - kRounded || access.sectors > (4 * access.lines) + kRounded) {
    error(node, fmt::format("found sectors {} in lines {}, expected 1 to 4 in each", access.sectors,
                            access.lines));
  }
  line.route = route(keys, node);
  keys.finish();
}

// Machine code is of one architecture; another GPU runs it as if compiled for it.
void KernelReader::read_architecture(const YAML::Node& node) {
  const std::string name = word(node).value_or("");
  const std::string own =
      fmt::format("sm_{}{}", gpu_.compute_capability.major, gpu_.compute_capability.minor);
  if (name != own) {
    note(
        fmt::format("machine code for {} on {} ({}): run instruction by instruction as if "
                    "compiled for it",
                    name, gpu_.name, own));
  }
}

// taken: share of visits that jump; or trips: of a loop that this branch repeats or leaves; or
// first_warps: the first warps of each block fall through, the others jump.
std::optional<Route> KernelReader::route(Keys& keys, const YAML::Node& node) {
  constexpr double kMostTrips = 1e12;
  Route route;
  const auto taken = keys.find("taken");
  const auto trips = keys.find("trips");
  const auto first = keys.find("first_warps");
  const auto split = keys.find("split");
  const auto spread = keys.find("spread");
  const auto leaves = keys.find("leaves");
  const auto by = keys.find("by");
  const int kinds = (taken ? 1 : 0) + (trips ? 1 : 0) + (first ? 1 : 0);
  if (kinds == 0) {
    if (split || leaves || by || spread) {
      error(node, "found split, spread, leaves or by without taken or trips, expected one of them");
    }
    return std::nullopt;
  }
  if (kinds > 1) {
    error(node, "found more than one of taken, trips and first_warps, expected one");
  }
  route.split = split ? number(*split, 0, 1).value_or(0) : 0;
  route.spread = spread ? number(*spread, 0, 1).value_or(0) : 0;
  if (!gpu_.front_end.uneven_loops) route.spread = 0;
  if (by) {
    route.scope = choice(*by, {"warp", "block"}) == "block" ? Scope::block : Scope::warp;
  }
  if (first) {
    route.pattern = Route::Pattern::first_warps;
    route.first_warps = static_cast<std::uint32_t>(whole(*first, 0, 64).value_or(0));
    route.taken = 1;
  } else if (trips) {
    route.pattern = Route::Pattern::loop_exit;
    const double leaving = 1 / number(*trips, 1, kMostTrips).value_or(1);
    route.jump_leaves = leaves && choice(*leaves, {"jump", "fall"}) == "jump";
    route.taken = route.jump_leaves ? leaving + route.split : 1 - leaving;
  } else {
    route.taken = number(*taken, 0, 1).value_or(0);
  }
  constexpr double kRounding = 1e-9;  // of shares written as decimals
  if (route.split > route.taken && route.split < route.taken + kRounding) {
    route.split = route.taken;
  }
  if (route.split > route.taken || route.taken > 1) {
    error(node, fmt::format("found split {}, expected at most the share of jumps, {}", route.split,
                            route.taken));
    route.split = 0;
    route.taken = 0;
  }
  return route;
}

}  // namespace smsim
