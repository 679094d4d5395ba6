// A trace as a kernel: the instructions that occur in it become the program, what the warps did is
// streamed while they run.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/import/trace_stream.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim {

/// The launch that a trace's header states.
LaunchSpec launch_of(const AccelsimHeader& header);

/// Gives `kernel` the program and the trace of a stream; its name and launch stay. `stream` is
/// opened twice: once to see all instructions, once to run. Control codes are derived from the
/// registers. Throws InputError when the trace does not fit the launch.
void attach_trace(KernelSpec& kernel, const GpuSpec& gpu,
                  const std::function<std::unique_ptr<TraceStream>()>& open);

/// Does nothing for a kernel without `trace_file`.
void attach_trace_file(KernelSpec& kernel, const GpuSpec& gpu);

}  // namespace smsim
