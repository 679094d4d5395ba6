#include "sim/import/ncu_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sim/import/counted_routes.hpp"
#include "sim/import/memory_shares.hpp"
#include "sim/import/problems.hpp"
#include "sim/kernel/route_choice.hpp"
#include "sim/kernel/sass_operands.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {

namespace {

class NcuImporter {
 public:
  NcuImporter(const NcuLaunch& launch, const NcuSourceBlock& source, const SassFunction* function)
      : launch_(launch), source_(source), function_(function) {}

  ImportedKernel run() {
    made_.full_name = launch_.kernel_name;
    made_.name = short_name(launch_.kernel_name);
    made_.device = launch_.device;
    made_.architecture = architecture();
    read_launch();
    const std::size_t count = executed_rows();
    check_function(count);
    for (std::size_t i = 0; i < count; ++i) add_line(i);
    add_routes(count);
    share_out_traffic(launch_, source_, made_.lines);
    return std::move(made_);
  }

 private:
  // "void ns::saxpy<(int)256>(int, float)": saxpy
  static std::string short_name(const std::string& full) {
    std::string name = full.substr(0, full.find('('));
    name = name.substr(0, name.find('<'));
    const std::size_t space = name.rfind(' ');
    if (space != std::string::npos) name = name.substr(space + 1);
    const std::size_t scope = name.rfind("::");
    if (scope != std::string::npos) name = name.substr(scope + 2);
    for (char& c : name) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '_';
    }
    return name.empty() ? "kernel" : name;
  }

  // "9.0": sm_90
  std::string architecture() const {
    std::string name = "sm_";
    for (const char c : launch_.compute_capability) {
      if (c >= '0' && c <= '9') name += c;
    }
    constexpr std::size_t kLongest = 6;  // "sm_121"
    return name.size() > 3 && name.size() <= kLongest ? name : "";
  }

  int whole(const char* metric, int fallback, int least, int most) const {
    const auto value = launch_.number(metric);
    if (!value) return fallback;
    if (*value < least || *value > most) {
      throw InputError(fmt::format("{}: found {} {}, expected {} to {}", launch_.kernel_name,
                                   metric, *value, least, most));
    }
    return static_cast<int>(std::lround(*value));
  }

  void read_launch() {
    LaunchSpec& launch = made_.launch;
    launch.grid = launch_.grid;
    launch.block = launch_.block;
    constexpr int kMostSharedBytes = 1 << 20;
    constexpr int kMostCluster = 16;
    launch.registers = whole("launch__registers_per_thread", 32, 4, 255);
    launch.smem_static_bytes = whole("launch__shared_mem_per_block_static", 0, 0, kMostSharedBytes);
    launch.smem_dynamic_bytes =
        whole("launch__shared_mem_per_block_dynamic", 0, 0, kMostSharedBytes);
    launch.cluster = std::max(1, whole("launch__cluster_dim_x", 0, 0, kMostCluster)) *
                     std::max(1, whole("launch__cluster_dim_y", 0, 0, kMostCluster)) *
                     std::max(1, whole("launch__cluster_dim_z", 0, 0, kMostCluster));
    if (launch_.number("launch__shared_mem_config_size")) {
      launch.smem_config_bytes = whole("launch__shared_mem_config_size", 0, 0, kMostSharedBytes);
    }
    if (!launch_.number("launch__registers_per_thread")) {
      made_.notes.emplace_back(
          "the profile has no launch__registers_per_thread: 32 registers are assumed");
    }
  }

  // What was never executed at the end (padding, slow paths) is left out.
  std::size_t executed_rows() const {
    std::size_t count = source_.rows.size();
    while (count > 0 && source_.rows[count - 1].executed == 0) --count;
    if (count == 0) {
      throw InputError(
          fmt::format("{}: found no executed instruction, expected some", source_.kernel_name));
    }
    return count;
  }

  void check_function(std::size_t count) const {
    if (function_ == nullptr) return;
    if (function_->code.size() != source_.rows.size()) {
      throw InputError(fmt::format(
          "{}: found {} instructions in the machine code and {} in the profile, expected those of "
          "the same build",
          source_.kernel_name, function_->code.size(), source_.rows.size()));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const SassInstruction& code = function_->code[i];
      const std::string profiled = sass::parse_sass_text(source_.rows[i].text).mnemonic;
      if (code.text.empty() || sass::parse_sass_text(code.text).mnemonic == profiled) continue;
      throw InputError(fmt::format(
          "{}: found {} at {:#x} of the machine code, expected {} as in the profile: they are not "
          "of the same build",
          source_.kernel_name, sass::parse_sass_text(code.text).mnemonic, code.offset, profiled));
    }
  }

  void add_line(std::size_t i) {
    const NcuSourceRow& row = source_.rows[i];
    sass::SassLine line;
    line.offset = static_cast<std::uint32_t>(row.address);
    line.text = text_of(i);
    line.line = row.line;
    if (function_ != nullptr && function_->code[i].has_encoding) {
      line.code = sass::decode_control_code(function_->code[i].high);
    }
    if (row.executed > 0 && row.thread_executed) {
      line.lanes = std::clamp(*row.thread_executed / row.executed, 0.0, 32.0);
    }
    read_access(row, line.access);
    made_.lines.push_back(std::move(line));
  }

  // The profile's text; the machine code's where that says which operands are kept for the next
  // instruction.
  std::string text_of(std::size_t i) const {
    if (function_ != nullptr && function_->code[i].text.find(".reuse") != std::string::npos) {
      return function_->code[i].text;
    }
    const NcuSourceRow& row = source_.rows[i];
    return row.predicate.empty() ? row.text : row.predicate + " " + row.text;
  }

  void read_access(const NcuSourceRow& row, sass::SassAccess& access) const {
    if (row.executed <= 0) return;
    const sass::SassText text = sass::parse_sass_text(row.text);
    const double tags = row.tag_requests_global.value_or(0);
    const double sectors = row.sectors_global.value_or(0) + row.sectors_local.value_or(0);
    const double passes = row.wavefronts_shared.value_or(0);
    const std::string_view family = sass::family_of(text.mnemonic);
    const bool shared = family == "LDS" || family == "STS" || family == "ATOMS" ||
                        family == "LDSM" || family == "STSM";
    const bool predicated_off =
        row.predicated_on_threads && *row.predicated_on_threads == 0 && row.thread_executed;
    if (predicated_off && tags == 0 && sectors == 0 && passes == 0) {
      access.acting = 0;
      return;
    }
    if (row.address_space.empty() && tags == 0 && sectors == 0 && passes == 0) return;
    if (shared) {
      if (passes <= 0) return;
      access.acting = std::min(1.0, passes / row.executed);
      access.wavefronts = passes / (row.executed * access.acting);
      return;
    }
    access.dsmem = is_dsmem(row, family);
    if (sectors <= 0) return;
    const double lines = tags > 0 ? tags : std::ceil(sectors / 4);
    access.acting = std::min(1.0, lines / row.executed);
    access.lines = std::min(32.0, lines / (row.executed * access.acting));
    access.sectors =
        std::clamp(sectors / (row.executed * access.acting), access.lines, 4 * access.lines);
  }

  // A generic access that touches no global memory, where the kernel loads from other blocks.
  bool is_dsmem(const NcuSourceRow& row, std::string_view family) const {
    const bool generic = family == "LD" || family == "ST";
    const auto remote = launch_.number("smsp__sass_inst_executed_op_dshared.sum");
    return generic && remote.value_or(0) > 0 && row.tag_requests_global.value_or(0) == 0 &&
           row.sectors_global.value_or(0) == 0;
  }

  void add_routes(std::size_t count) {
    std::vector<CountedLine> counted;
    for (std::size_t i = 0; i < count; ++i) {
      const NcuSourceRow& row = source_.rows[i];
      CountedLine line;
      line.offset = static_cast<std::uint32_t>(row.address);
      line.text = sass::parse_sass_text(made_.lines[i].text);
      line.executed = row.executed;
      line.divergent = row.divergent_branches.value_or(0);
      counted.push_back(std::move(line));
    }
    const std::uint64_t threads = launch_.block.count();
    const CountedRoutes found =
        routes_of(counted, launch_.grid.count(), static_cast<std::uint32_t>((threads + 31) / 32));
    for (auto [index, route] : found.routes) {
      route.spread = spread_of(route, made_.lines[index].lanes);
      made_.lines[index].route = route;
    }
    made_.notes.insert(made_.notes.end(), found.notes.begin(), found.notes.end());
  }

  // Where the lanes of a warp leave a loop one by one, warps differ as well. With stays spread as
  // an exponential distribution spreads them, 8 of 32 lanes are active on average, and the longest
  // of 32 has a standard deviation of 0.31 of its mean; in between it grows with what is idle.
  static double spread_of(const Route& route, double lanes) {
    constexpr double kPerIdle = 0.1;
    constexpr double kMost = 0.95;
    if (route.pattern != Route::Pattern::loop_exit || route.scope != Scope::warp || lanes <= 0) {
      return 0;
    }
    const double shortest = leaving_share(route);  // one trip, against the mean
    return std::min({kMost, kPerIdle * ((32 / lanes) - 1), 1 - shortest});
  }

  const NcuLaunch& launch_;
  const NcuSourceBlock& source_;
  const SassFunction* function_;
  ImportedKernel made_;
};

}  // namespace

ImportedKernel import_launch(const NcuLaunch& launch, const NcuSourceBlock& source,
                             const SassFunction* function) {
  return NcuImporter(launch, source, function).run();
}

}  // namespace smsim
