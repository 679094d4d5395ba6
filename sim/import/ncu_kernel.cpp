#include "sim/import/ncu_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sim/import/counted_routes.hpp"
#include "sim/import/problems.hpp"
#include "sim/kernel/sass_operands.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {

namespace {

// Hit rates and totals of the whole launch, by what an instruction does.
struct Rates {
  double l1 = 0;
  double l2 = 0;
};

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
    share_out_misses();
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
    line.text = row.predicate.empty() ? row.text : row.predicate + " " + row.text;
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
    if (sectors <= 0) return;
    const double lines = tags > 0 ? tags : std::ceil(sectors / 4);
    access.acting = std::min(1.0, lines / row.executed);
    access.lines = std::min(32.0, lines / (row.executed * access.acting));
    access.sectors =
        std::clamp(sectors / (row.executed * access.acting), access.lines, 4 * access.lines);
    const Rates rates = rates_of(family);
    access.l1_hit = rates.l1;
    access.l2_hit = rates.l2;
    if (family == "ATOMG" || family == "ATOM" || family == "RED" || family == "REDG") {
      describe_atomic(row, access);
    }
  }

  // What an atomic's lanes meet on. Sectors that L2 had to fetch say how many there are; a lane
  // alone takes one word of each (a counter), many lanes use all eight (a table).
  void describe_atomic(const NcuSourceRow& row, sass::SassAccess& access) const {
    constexpr double kWordsPerSector = 8;
    constexpr double kMostAddresses = 4e9;
    const double threads = row.predicated_on_threads.value_or(32 * row.executed);
    const double acting = row.executed * access.acting;
    const double per_sector = threads / std::max(1.0, access.sectors * acting);
    access.lanes_per_address =
        static_cast<std::uint16_t>(std::clamp(std::ceil(per_sector / kWordsPerSector), 1.0, 32.0));
    const double fetched =
        launch_.number("lts__t_sectors_srcunit_tex_op_red_lookup_miss.sum").value_or(0) +
        launch_.number("lts__t_sectors_srcunit_tex_op_atom_lookup_miss.sum").value_or(0);
    const double words = threads > 1.5 * acting ? kWordsPerSector : 1;
    access.addresses = static_cast<std::uint32_t>(std::clamp(fetched * words, 1.0, kMostAddresses));
  }

  double share(const char* part, const char* whole_metric) const {
    const double all = launch_.number(whole_metric).value_or(0);
    return all > 0 ? std::clamp(launch_.number(part).value_or(0) / all, 0.0, 1.0) : 0;
  }

  double percent(std::initializer_list<const char*> metrics) const {
    for (const char* metric : metrics) {
      if (const auto value = launch_.number(metric)) return std::clamp(*value / 100, 0.0, 1.0);
    }
    return 0;
  }

  // Loads from the rates of loads, stores from those of stores: the overall rates count stores as
  // hits.
  Rates rates_of(std::string_view family) const {
    Rates rates;
    if (family == "STG" || family == "ST" || family == "STL") {
      rates.l1 = merged_stores();
      rates.l2 = percent({"lts__t_sector_op_write_hit_rate.pct"});
      return rates;
    }
    if (family == "RED" || family == "REDG") {
      rates.l2 = percent({"lts__t_sector_op_red_hit_rate.pct"});
      return rates;
    }
    if (family == "ATOM" || family == "ATOMG") {
      rates.l2 = percent({"lts__t_sector_op_atom_hit_rate.pct"});
      return rates;
    }
    const bool local = family == "LDL";
    rates.l1 =
        local ? percent({"l1tex__t_sector_pipe_lsu_mem_local_op_ld_hit_rate.pct"}) : l1_load_rate();
    rates.l2 = percent({"lts__t_sector_op_read_hit_rate.pct", "lts__t_sector_hit_rate.pct"});
    return rates;
  }

  // Stores of neighbouring warps to one sector leave L1 as one.
  double merged_stores() const {
    const double sent = launch_.number("lts__t_sectors_srcunit_tex_op_write.sum").value_or(0);
    const double stores =
        launch_.number("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum").value_or(0) +
        launch_.number("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum").value_or(0);
    return sent > 0 && stores > 0 ? std::clamp(1 - (sent / stores), 0.0, 1.0) : 0;
  }

  // Sectors that L1 did not ask L2 for, hits on lines already under way included.
  double l1_load_rate() const {
    const double asked = launch_.number("lts__t_sectors_srcunit_tex_op_read.sum").value_or(0);
    const double loads =
        launch_.number("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").value_or(0) +
        launch_.number("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum").value_or(0);
    if (asked > 0 && loads > 0) return std::clamp(1 - asked / loads, 0.0, 1.0);
    const auto rate = launch_.number("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct");
    if (rate) return std::clamp(*rate / 100, 0.0, 1.0);
    return share("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  }

  // L2 has a rate for all loads together. Data that stream through in full lines are met for the
  // first time, so the misses are theirs first; what is left over is shared by the others.
  void share_out_misses() {
    double streamed = 0;
    double scattered = 0;
    double missed = 0;
    for (std::size_t i = 0; i < made_.lines.size(); ++i) {
      const double asked = sectors_asked(i);
      (streams(made_.lines[i].access) ? streamed : scattered) += asked;
      missed += asked * (1 - made_.lines[i].access.l2_hit);
    }
    if (streamed == 0 || scattered == 0) return;
    const double of_streams = std::min(missed, streamed);
    for (std::size_t i = 0; i < made_.lines.size(); ++i) {
      sass::SassAccess& access = made_.lines[i].access;
      if (sectors_asked(i) == 0) continue;
      access.l2_hit = streams(access) ? 1 - (of_streams / streamed)
                                      : 1 - std::min(1.0, (missed - of_streams) / scattered);
    }
  }

  static bool streams(const sass::SassAccess& access) {
    return sass::touches_full_lines(access.lines, access.sectors);
  }

  // Sectors of a load that go to L2; 0 for everything else.
  double sectors_asked(std::size_t i) const {
    const sass::SassText text = sass::parse_sass_text(source_.rows[i].text);
    const std::string_view family = sass::family_of(text.mnemonic);
    const bool loads = family == "LDG" || family == "LD" || family == "LDL" || family == "LDGSTS";
    const sass::SassAccess& access = made_.lines[i].access;
    return loads ? access.sectors * access.acting * source_.rows[i].executed * (1 - access.l1_hit)
                 : 0;
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
    for (const auto& [index, route] : found.routes) made_.lines[index].route = route;
    made_.notes.insert(made_.notes.end(), found.notes.begin(), found.notes.end());
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
