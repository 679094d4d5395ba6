#include "sim/import/memory_shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "sim/kernel/sass_operands.hpp"

namespace smsim {

namespace {

constexpr double kSectorBytes = 32;
constexpr double kFillSectors = 2;  // DRAM sends at least 64 bytes for a sector
// Of L2: dirty data that DRAM does not see (H200: write_back).
constexpr double kQuietShare = 1.0 / 3;
constexpr double kOnce = 1.5;  // executions a warp: more are a loop's

enum class Role { none, load, local_load, store, atomic };

Role role_of(std::string_view family) {
  if (family == "LDG" || family == "LD" || family == "LDGSTS") return Role::load;
  if (family == "LDL") return Role::local_load;
  if (family == "STG" || family == "ST" || family == "STL") return Role::store;
  if (family == "ATOMG" || family == "ATOM" || family == "RED" || family == "REDG") {
    return Role::atomic;
  }
  return Role::none;
}

// Straight code ends here.
bool ends_piece(std::string_view family) {
  return family == "BRA" || family == "BAR" || family == "EXIT" || family == "BSYNC" ||
         family == "CALL" || family == "RET" || family == "BRX" || family == "JMP" ||
         family == "BSSY" || family == "MEMBAR";
}

// One memory instruction.
struct Access {
  std::size_t line = 0;
  int piece = 0;
  Role role = Role::none;
  double sectors = 0;  // of the whole kernel
  double missed = 0;   // L1
  bool streams = false;
  bool compares = false;  // atomics: compare and swap
};

class TrafficShares {
 public:
  TrafficShares(const NcuLaunch& launch, const NcuSourceBlock& source,
                std::vector<sass::SassLine>& lines)
      : launch_(launch), source_(source), lines_(lines) {
    collect();
  }

  void run() {
    local_loads();
    l1_misses();
    l2_misses();
    stores();
    atomics();
  }

 private:
  double number(const char* metric) const { return launch_.number(metric).value_or(0); }

  double rate(const char* metric) const { return std::clamp(number(metric) / 100, 0.0, 1.0); }

  void collect() {
    int piece = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const sass::SassText text = sass::parse_sass_text(lines_[i].text);
      const std::string_view family = sass::family_of(text.mnemonic);
      if (ends_piece(family)) ++piece;
      const sass::SassAccess& access = lines_[i].access;
      const Role role = role_of(family);
      if (role == Role::none || access.sectors <= 0 || access.dsmem) continue;
      const double sectors = access.sectors * access.acting * source_.rows[i].executed;
      accesses_.push_back({i, piece, role, sectors, 0, streams(lines_[i], text.mnemonic),
                           sass::has_modifier(text.mnemonic, "CAS")});
    }
  }

  // Neighbouring lanes on neighbouring addresses, none shared and few left out: data in a row.
  static bool streams(const sass::SassLine& line, std::string_view mnemonic) {
    constexpr double kLeast = 0.55;
    constexpr double kMost = 1.5;
    const double used = line.lanes * sass::bytes_per_thread(mnemonic) /
                        (kSectorBytes * std::max(line.access.sectors, 1e-9));
    return used > kLeast && used < kMost;
  }

  double sum(Role role) const {
    double all = 0;
    for (const Access& access : accesses_) all += access.role == role ? access.sectors : 0;
    return all;
  }

  sass::SassAccess& numbers(const Access& access) { return lines_[access.line].access; }

  void local_loads() {
    const double hit = rate("l1tex__t_sector_pipe_lsu_mem_local_op_ld_hit_rate.pct");
    for (Access& access : accesses_) {
      if (access.role != Role::local_load) continue;
      numbers(access).l1_hit = hit;
      access.missed = access.sectors * (1 - hit);
    }
  }

  // What L1 asked L2 for; without that count, what its rate says.
  double asked() const {
    const double all = sum(Role::load);
    if (const auto read = launch_.number("lts__t_sectors_srcunit_tex_op_read.sum")) {
      double local = 0;
      for (const Access& access : accesses_) {
        if (access.role == Role::local_load) local += access.missed;
      }
      return std::clamp(*read - local, 0.0, all);
    }
    return all * (1 - rate("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct"));
  }

  // A loop's pieces, which all run equally often, are one: nobody in them comes first.
  bool together(const Access& a, const Access& b) const {
    constexpr double kSame = 0.01;
    const double often = source_.rows[a.line].executed;
    const double other = source_.rows[b.line].executed;
    return a.piece == b.piece ||
           (often > kOnce * warps() && std::abs(often - other) < kSame * often);
  }

  double warps() const {
    const std::uint64_t in_block = (launch_.block.count() + 31) / 32;
    return static_cast<double>(launch_.grid.count() * in_block);
  }

  // Gives `total` out, as much to each as it can take by `most`: to data in a row first, which
  // pieces of code meet for the first time in their order; what is left to all others alike. In a
  // piece everybody has the same share.
  template <class Most, class Set>
  void share_out(double total, const Most& most, const Set& set) {
    for (const bool streams : {true, false}) {
      const auto room_of = [&](const Access& a) { return a.streams == streams ? most(a) : 0; };
      for (std::size_t begin = 0; begin < accesses_.size();) {
        std::size_t end = begin;
        double room = 0;
        while (end < accesses_.size() && (!streams || together(accesses_[begin], accesses_[end]))) {
          room += room_of(accesses_[end++]);
        }
        const double given = std::min(total, room);
        for (std::size_t i = begin; i < end; ++i) {
          if (room_of(accesses_[i]) > 0) set(accesses_[i], given / room);
        }
        total -= given;
        begin = end;
      }
    }
  }

  void l1_misses() {
    share_out(
        asked(), [](const Access& a) { return a.role == Role::load ? a.sectors : 0; },
        [&](Access& a, double share) {
          numbers(a).l1_hit = 1 - share;
          a.missed = a.sectors * share;
        });
    const double merged = merged_misses();
    for (Access& access : accesses_) {
      if (!misses(access)) continue;
      numbers(access).l1_pending = waits_for_others(access) ? 1 : merged;
    }
  }

  static bool misses(const Access& access) {
    return access.role == Role::load && access.missed > 0;
  }

  // Sectors that L1 did not ask for though its lookups missed them, as somebody else had asked:
  // their share of all that the loads which miss at all did not ask for.
  double merged_misses() const {
    const double missed = number("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum");
    double saved = 0;
    for (const Access& a : accesses_) saved += misses(a) ? a.sectors - a.missed : 0;
    return saved > 0 ? std::clamp((missed - asked()) / saved, 0.0, 1.0) : 0;
  }

  // A piece that every warp runs once: its hits are on lines that its misses, or those of the
  // block's other warps, have just asked for.
  bool waits_for_others(const Access& access) const {
    if (source_.rows[access.line].executed > kOnce * warps()) return false;
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& other) {
      return other.role == Role::load && other.piece == access.piece && other.missed > 0 &&
             other.missed < other.sectors;
    });
  }

  double atomic_misses() const {
    return number("lts__t_sectors_srcunit_tex_op_red_lookup_miss.sum") +
           number("lts__t_sectors_srcunit_tex_op_atom_dot_alu_lookup_miss.sum") +
           number("lts__t_sectors_srcunit_tex_op_atom_dot_cas_lookup_miss.sum");
  }

  // Sectors that DRAM sent for loads: not for atomics, nor for the rest of sectors written in part.
  double dram_sectors() const {
    return std::max(0.0, (number("dram__bytes_read.sum") / kSectorBytes) -
                             number("lts__t_sectors_data_ecc.sum") -
                             (kFillSectors * std::max(0.0, atomic_misses())));
  }

  // The SMs' lookups miss in the half of L2 that is near: DRAM sends what misses in both, with what
  // it adds to a sector alone; the rest is found in the other half.
  void l2_misses() {
    double all = 0;
    for (const Access& access : accesses_) all += access.missed;
    if (all <= 0) return;
    const auto fetched = launch_.number("dram__bytes_read.sum");
    const double looked_up = number("lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum");
    const double sent = fetched ? dram_sectors() : all * (1 - overall_l2_rate());
    double missing = 0;
    share_out(
        sent,
        [&](const Access& a) {
          return is_load(a) ? a.missed * (fetched ? fill_of(a, looked_up / all) : 1) : 0;
        },
        [&](Access& a, double share) {
          missing += share * a.missed;
          numbers(a).l2_hit = 1 - share;
          numbers(a).dram_fill = fetched ? fill_of(a, looked_up / all) : 0;
        });
    const bool knows_halves = fetched && all > missing;
    const double far = knows_halves ? (looked_up - sent) / (all - missing) : 0;
    for (const Access& access : accesses_) {
      if (is_load(access) && access.missed > 0) numbers(access).l2_far = std::clamp(far, 0.0, 1.0);
    }
  }

  static bool is_load(const Access& access) {
    return access.role == Role::load || access.role == Role::local_load;
  }

  // Sectors that DRAM sends for one that misses: a sector alone brings another one, a line's all
  // four are all that there is; in between the lookups say.
  double fill_of(const Access& access, double lookups_per_sector) {
    const sass::SassAccess& one = numbers(access);
    const double of_line = one.sectors / std::max(one.lines, 1e-9);
    if (of_line < 1.5) return kFillSectors;
    return of_line > 3 ? 1 : std::clamp(lookups_per_sector, 1.0, kFillSectors);
  }

  double overall_l2_rate() const {
    return launch_.number("lts__t_sector_op_read_hit_rate.pct")
               ? rate("lts__t_sector_op_read_hit_rate.pct")
               : rate("lts__t_sector_hit_rate.pct");
  }

  // Stores of neighbouring warps to one sector leave L1 as one; what is written again before DRAM
  // takes it, is taken once; sectors written in part are fetched first.
  void stores() {
    const double all = sum(Role::store);
    if (all <= 0) return;
    const double sent = number("lts__t_sectors_srcunit_tex_op_write.sum");
    const double merged = sent > 0 ? std::clamp(1 - (sent / all), 0.0, 1.0) : 0;
    const double leaving = sent > 0 ? sent : all;
    const auto written = launch_.number("dram__bytes_write.sum");
    const double quiet = kQuietShare * number("device__attribute_l2_cache_size");
    const double dirty =
        written ? std::clamp((*written + quiet) / (kSectorBytes * leaving), 0.0, 1.0) : 1;
    const double partial = std::clamp(number("lts__t_sectors_data_ecc.sum") / leaving, 0.0, 1.0);
    for (const Access& access : accesses_) {
      if (access.role != Role::store) continue;
      numbers(access).l1_hit = merged;
      numbers(access).dirty = dirty;
      numbers(access).partial = partial;
    }
  }

  // Lanes that meet on one address reach L2 one by one, and count there one by one.
  void atomics() {
    share_atomics(true, {"lts__t_sectors_srcunit_tex_op_atom_dot_cas.sum"});
    share_atomics(false, {"lts__t_sectors_srcunit_tex_op_atom_dot_alu.sum",
                          "lts__t_sectors_srcunit_tex_op_red.sum"});
  }

  void share_atomics(bool compare, std::initializer_list<const char*> arrived_at_l2) {
    double asked = 0;
    double arrived = 0;
    for (const Access& access : accesses_) asked += is_atomic(access, compare) ? access.sectors : 0;
    for (const char* metric : arrived_at_l2) arrived += number(metric);
    for (const Access& access : accesses_) {
      if (is_atomic(access, compare)) describe_atomic(access, asked > 0 ? arrived / asked : 1);
    }
  }

  static bool is_atomic(const Access& access, bool compare) {
    return access.role == Role::atomic && access.compares == compare;
  }

  // `times`: sectors that conflicts made of one. Sectors that L2 had to fetch say how many there
  // are; when others had fetched them before, sectors of a lane each are taken for all different,
  // and a sector alone for a counter.
  void describe_atomic(const Access& access, double times) {
    constexpr double kMostAddresses = 4e9;
    constexpr double kWordsPerSector = 8;
    sass::SassAccess& one = numbers(access);
    const double lanes = lines_[access.line].lanes;
    const double meeting = std::clamp(std::round(times), 1.0, 32.0);
    if (meeting < 2) one.sectors = std::clamp(one.sectors * times, one.sectors, 4 * one.lines);
    one.lanes_per_address = static_cast<std::uint16_t>(std::min(meeting, std::max(1.0, lanes)));
    const bool fetched = atomic_misses() >= one.sectors;
    const bool alone = one.sectors < 1.5;
    if (!fetched && !alone) return;  // no sharing
    // A sector whose home is far is missed twice.
    const bool counter = alone && (!fetched || (meeting >= 2 && atomic_misses() <= 2));
    const double words = !counter && lanes > 1.5 && meeting < 2 ? kWordsPerSector : 1;
    const double sectors = counter ? 1 : atomic_misses();
    one.addresses = static_cast<std::uint32_t>(std::clamp(sectors * words, 1.0, kMostAddresses));
  }

  const NcuLaunch& launch_;
  const NcuSourceBlock& source_;
  std::vector<sass::SassLine>& lines_;
  std::vector<Access> accesses_;
};

}  // namespace

void share_out_traffic(const NcuLaunch& launch, const NcuSourceBlock& source,
                       std::vector<sass::SassLine>& lines) {
  TrafficShares(launch, source, lines).run();
}

}  // namespace smsim
