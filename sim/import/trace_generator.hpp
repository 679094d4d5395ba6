// A kernel of ours as a trace: every warp is walked through its program, and its memory
// instructions get addresses that touch as many lines, sectors and banks as the program says.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/import/trace_stream.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim {

/// `kernel` must outlive the stream. Throws InputError when a warp never ends.
std::unique_ptr<TraceStream> generate_trace(const KernelSpec& kernel, const GpuSpec& gpu);

/// What of this kernel the format has no room for, one line each.
std::vector<std::string> lost_in_trace(const KernelSpec& kernel);

}  // namespace smsim
