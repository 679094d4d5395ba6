// Nsight Compute's raw page: one row per launch, one column per metric.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smsim/kernel_spec.hpp"

namespace smsim {

struct NcuLaunch {
  int id = 0;    // the ID column, from 0
  int line = 0;  // of the row
  std::string kernel_name;
  Dim3 grid, block;
  std::string device;              // "NVIDIA H200", or the number of the device
  std::string compute_capability;  // "9.0"
  /// True when units were scaled ("1.02 Kbyte/block"), so that numbers are rounded: what must be
  /// exact, such as shared memory in bytes, is not. --print-units base avoids it.
  bool rounded = false;

  /// Every cell that is no number, as it stands, by column name; not the empty ones.
  std::map<std::string, std::string, std::less<>> text;
  /// Every number, in base units: byte, ns, hz, % as 0 to 100.
  std::map<std::string, double, std::less<>> numbers;

  /// A metric in base units; nothing when the profile has no such column or no number in it.
  std::optional<double> number(std::string_view metric) const;
};

/// Reads `ncu --page raw --csv`, with --print-units base or without. Lines before the header
/// ("==PROF== ...") are skipped. Throws InputError with every problem found.
std::vector<NcuLaunch> read_ncu_raw(const std::string& path);
/// The same for text in memory; `file` is what messages call it.
std::vector<NcuLaunch> parse_ncu_raw(const std::string& file, std::string_view text);

}  // namespace smsim
