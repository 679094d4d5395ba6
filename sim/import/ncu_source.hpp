// Nsight Compute's source page in its SASS view: one row per instruction of a launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// One instruction. Numbers are nothing where the profile lacks the column or has no number.
struct NcuSourceRow {
  int line = 0;
  std::uint64_t address = 0;  // relative to the block's first row
  std::string predicate;      // "@!P1" or ""
  std::string text;           // "FMUL R16, R16, 16777216"; branch targets relative like `address`

  double executed = 0;  // warp instructions
  std::optional<double> thread_executed;
  std::optional<double> predicated_on_threads;
  std::optional<double> divergent_branches;
  std::optional<double> samples;  // of the warp state sampler

  std::optional<double> tag_requests_global;
  std::optional<double> sectors_global;        // L2 theoretical
  std::optional<double> sectors_global_ideal;  // L2 theoretical, if perfectly coalesced
  std::optional<double> sectors_local;
  std::optional<double> conflicts_shared_n_way;
  std::optional<double> wavefronts_shared;
  std::optional<double> wavefronts_shared_ideal;

  std::string address_space;     // "Global", "Shared", ...; "" for none
  std::string access_operation;  // "Load", "Store", ...; "" for none
  std::optional<double> access_size_bits;
};

/// One kernel's listing. A launch may have several equal ones.
struct NcuSourceBlock {
  int line = 0;  // of its "Kernel Name" row
  std::string kernel_name;
  std::uint64_t base = 0;  // absolute address of the first row
  std::vector<NcuSourceRow> rows;
};

/// Reads `ncu --page source --csv --print-source sass`: every block, in file order. Throws
/// InputError with every problem found.
std::vector<NcuSourceBlock> read_ncu_source(const std::string& path);
/// The same for text in memory; `file` is what messages call it.
std::vector<NcuSourceBlock> parse_ncu_source(const std::string& file, std::string_view text);

}  // namespace smsim
