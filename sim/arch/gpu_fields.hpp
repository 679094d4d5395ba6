// Every figure of a GpuSpec under the path it has in GPU files ("limits.max_warps"), with the range
// that makes sense for hardware. Reading, checking and printing all walk this one table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "smsim/gpu_spec.hpp"

namespace smsim {

using GpuFieldPointer = std::variant<int*, std::int64_t*, double*, bool*, std::string*,
                                     std::vector<int>*, ComputeCapability*>;

struct GpuField {
  std::string path;
  GpuFieldPointer value;
  double min = 0;  // of a number, or of each number of a list
  double max = 0;
};

/// All fields of `gpu` but its operations, in the order of the header.
std::vector<GpuField> gpu_fields(GpuSpec& gpu);

/// As it would stand in a GPU file: "132", "[16, 18]", "true".
std::string field_text(const GpuField& field);

/// Sets one number or switch: "l2.far_extra_cycles=0", "front_end.instruction_cache=false". Returns
/// what is wrong with the change, "" when it was made. Whether all figures together make a machine
/// is left to check().
std::string change_field(GpuSpec& gpu, std::string_view change);

/// "{pipe: fma, interval_cycles: 1, latency_cycles: 4}".
std::string operation_text(const Operation& operation);

std::string_view to_string(Pipe pipe);
/// The names of all pipes, in the order of the enumeration.
const std::vector<std::string>& pipe_names();

std::string to_string(ComputeCapability compute_capability);
/// Reads "9.0"; false when `text` is no compute capability.
bool parse_compute_capability(std::string_view text, ComputeCapability& value);

}  // namespace smsim
