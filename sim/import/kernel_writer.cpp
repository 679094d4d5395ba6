#include "sim/import/kernel_writer.hpp"

#include <fmt/format.h>

#include <vector>

#include "sim/kernel/route_choice.hpp"

namespace smsim {

namespace {

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) made += c;
  }
  return made + "\"";
}

// The shortest text that reads back as the same number.
std::string number(double value) {
  return fmt::format("{}", value);
}

std::string sizes(const Dim3& size) {
  return size.y == 1 && size.z == 1 ? fmt::format("{}", size.x)
                                    : fmt::format("[{}, {}, {}]", size.x, size.y, size.z);
}

void add_access(const sass::SassAccess& access, std::vector<std::string>& numbers) {
  const auto add = [&numbers](const char* key, double value, double usual) {
    if (value != usual) numbers.push_back(fmt::format("{}: {}", key, number(value)));
  };
  add("acting", access.acting, 1);
  add("lines", access.lines, 0);
  add("sectors", access.sectors, 0);
  add("wavefronts", access.wavefronts, 0);
  add("l1_hit", access.l1_hit, 0);
  add("l1_pending", access.l1_pending, 0);
  add("l2_hit", access.l2_hit, 0);
  add("l2_far", access.l2_far, 0);
  add("dram_fill", access.dram_fill, 0);
  add("dirty", access.dirty, 1);
  add("partial", access.partial, 0);
  add("dsmem", access.dsmem ? 1 : 0, 0);
  add("addresses", access.addresses, 0);
  add("lanes_per_address", access.lanes_per_address, 1);
  add("bulk_bytes", access.bulk_bytes, 0);
}

void add_route(const Route& route, std::vector<std::string>& numbers) {
  if (route.pattern == Route::Pattern::first_warps) {
    numbers.push_back(fmt::format("first_warps: {}", route.first_warps));
  } else if (route.pattern == Route::Pattern::loop_exit && leaving_share(route) > 0) {
    numbers.push_back(fmt::format("trips: {}", number(1 / leaving_share(route))));
    if (route.jump_leaves) numbers.emplace_back("leaves: jump");
  } else {
    numbers.push_back(fmt::format("taken: {}", number(route.taken)));
  }
  if (route.spread > 0) numbers.push_back(fmt::format("spread: {}", number(route.spread)));
  if (route.split > 0) numbers.push_back(fmt::format("split: {}", number(route.split)));
  if (route.scope == Scope::block) numbers.emplace_back("by: block");
}

std::string line_text(const sass::SassLine& line) {
  std::string text = fmt::format("  - [{:#06x}, {}", line.offset, quoted(line.text));
  if (line.code) text += fmt::format(", {}", quoted(to_string(*line.code)));
  std::vector<std::string> numbers;
  add_access(line.access, numbers);
  if (line.route) add_route(*line.route, numbers);
  if (line.lanes != 32) numbers.push_back(fmt::format("lanes: {}", number(line.lanes)));
  if (!numbers.empty()) text += fmt::format(", {{{}}}", fmt::join(numbers, ", "));
  return text + "]\n";
}

}  // namespace

std::string kernel_file_text(const ImportedKernel& kernel, const std::string& origin) {
  std::string text = fmt::format("# {}\n", origin);
  for (const std::string& note : kernel.notes) text += fmt::format("# {}\n", note);
  text += fmt::format("name: {}\n", kernel.name);
  if (!kernel.architecture.empty()) text += fmt::format("architecture: {}\n", kernel.architecture);
  text += fmt::format("about: {}\n", quoted(kernel.full_name + ", on " + kernel.device));
  const LaunchSpec& launch = kernel.launch;
  text += fmt::format("launch:\n  grid: {}\n  block: {}\n  registers: {}\n", sizes(launch.grid),
                      sizes(launch.block), launch.registers);
  text += fmt::format("  smem_static: {}\n  smem_dynamic: {}\n", launch.smem_static_bytes,
                      launch.smem_dynamic_bytes);
  if (launch.smem_config_bytes) {
    text += fmt::format("  smem_config: {}\n", *launch.smem_config_bytes);
  }
  if (launch.cluster > 1) text += fmt::format("  cluster: {}\n", launch.cluster);
  if (launch.cooperative) text += "  cooperative: true\n";
  text += "# offset, instruction, control code, and numbers of one execution (configs/README.md)\n";
  text += "sass:\n";
  for (const sass::SassLine& line : kernel.lines) text += line_text(line);
  return text;
}

}  // namespace smsim
