// The assembler: from a kernel as its author wrote it to a program with control codes, as a
// compiler would set them for one GPU.
//
// One pass after the other, each rewriting a list of drafts (draft.hpp):
//   lowering (lower*.cpp)     statements become instructions on named values, as nvcc emits them
//   webs                      names that are set anew for another purpose become other values
//   unrolled_schedule         loads of unrolled copies go first, tests hide between instructions
//   registers, spill          values get registers; what does not fit goes to local memory
//   scoreboards               producers of variable latency set one, first consumers wait
//   stall_counts (distances)  fixed latencies become stall counts and NOPs
//   emit                      labels become addresses, drafts instructions with text
// flow_graph, liveness and next_touch are what these passes look at.
#pragma once

#include <optional>
#include <vector>

#include "sim/kernel/draft.hpp"
#include "sim/kernel/problem.hpp"
#include "sim/kernel/registers.hpp"
#include "sim/kernel/source.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim {

/// The result with what the tests look at: operands and registers of every instruction.
struct Assembly {
  KernelSpec kernel;
  sass::DraftProgram drafts;  // as emitted, labels included
  sass::Allocation allocation;
  int registers_needed = 0;  // without spilling
};

/// Nullopt, and `problems` says why, when the source makes no sense on this GPU.
std::optional<Assembly> assemble(const KernelSource& source, const GpuSpec& gpu,
                                 std::vector<SourceProblem>& problems);

}  // namespace smsim
