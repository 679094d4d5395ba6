#include "sim/kernel/assembler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/kernel/checks.hpp"
#include "sim/kernel/control_codes.hpp"
#include "sim/kernel/emit.hpp"
#include "sim/kernel/lowering.hpp"
#include "sim/kernel/sass_program.hpp"
#include "sim/kernel/spill.hpp"
#include "sim/kernel/unrolled_schedule.hpp"
#include "sim/kernel/webs.hpp"

namespace smsim {

namespace {

constexpr int kReservedRegisters = 2;  // ptxas counts two more than the highest register in use
constexpr int kFewestRegisters = 16;   // of a launch
constexpr int kMostRounds = 64;        // of spilling
constexpr std::size_t kMostSpilledCode = 4 * sass::kMaxInstructions;

using sass::Allocation;
using sass::DraftProgram;
using sass::RegisterLimits;

class Assembler {
 public:
  Assembler(const KernelSource& source, const GpuSpec& gpu, std::vector<SourceProblem>& problems)
      : source_(source), gpu_(gpu), problems_(problems) {
    limits_.stack_pointer = !source.raw;
    const int most = most_registers();
    limits_.vector = std::min(source.registers.value_or(most), most) - kReservedRegisters;
  }

  // Without a number, as if the block size stood in __launch_bounds__: one block must fit.
  int most_registers() const {
    constexpr int kGranularity = 8;
    const int warps = static_cast<int>((source_.launch.block.count() + 31) / 32);
    const int each = gpu_.limits.registers_per_block / (std::max(1, warps) * 32);
    const int most = gpu_.limits.max_registers_per_thread;
    return source_.registers ? most : std::clamp(each / kGranularity * kGranularity, 32, most);
  }

  std::optional<Assembly> run() {
    sass::Lowering lowering(source_, gpu_);
    DraftProgram drafts = lowering.run();
    if (!lowering.problems().empty()) {
      problems_.insert(problems_.end(), lowering.problems().begin(), lowering.problems().end());
      return std::nullopt;
    }
    sass::split_webs(drafts);
    Assembly made;
    made.drafts = std::move(drafts);
    if (!fit(made)) {
      return std::nullopt;
    }
    sass::assign_scoreboards(made.drafts, made.allocation);
    sass::assign_stall_counts(made.drafts, made.allocation, gpu_.dependence);
    fill_kernel(made);
    made.kernel.flops_per_thread_hint = lowering.flops();
    const std::vector<std::string> odd = check_source(source_);
    made.kernel.notes.insert(made.kernel.notes.end(), odd.begin(), odd.end());
    return made;
  }

 private:
  // Loads of as many unrolled copies as the registers allow go first; then, if a single copy is
  // still too much, values are spilled.
  bool fit(Assembly& made) {
    int copies = 1;
    for (const sass::Draft& draft : made.drafts.code) {
      copies = std::max(copies, draft.unrolled_copy + 1);
    }
    sass::RegisterFile overflow = sass::RegisterFile::vector;
    for (int group = copies;; group /= 2) {
      DraftProgram scheduled = made.drafts;
      sass::issue_loads_first(scheduled, std::max(group, 1));
      sass::hide_tests(scheduled, gpu_.dependence);
      if (allocate(scheduled, made, &overflow)) {
        return true;
      }
      if (group <= 1) {
        made.drafts = std::move(scheduled);
        return spill(made, overflow);
      }
    }
  }

  // Lowest registers first tells how many are needed; then they are spread over what the launch
  // has.
  bool allocate(DraftProgram& scheduled, Assembly& made, sass::RegisterFile* overflow) {
    const auto tight = sass::allocate_registers(scheduled, limits_, false, overflow);
    if (!tight) {
      return false;
    }
    made.registers_needed = tight->vector_used + kReservedRegisters;
    RegisterLimits roomy = limits_;
    roomy.vector = std::min(limits_.vector, registers(made) - kReservedRegisters);
    const auto spread = sass::allocate_registers(scheduled, roomy, true, nullptr);
    made.allocation = spread ? *spread : *tight;
    made.drafts = std::move(scheduled);
    return true;
  }

  // Registers of the launch: as given, or as needed.
  int registers(const Assembly& made) const {
    const int most = limits_.vector + kReservedRegisters;
    return source_.registers.value_or(
        std::clamp(made.registers_needed, kFewestRegisters, std::max(kFewestRegisters, most)));
  }

  bool spill(Assembly& made, sass::RegisterFile overflow) {
    DraftProgram& drafts = made.drafts;
    const int needed = sass::register_pressure(drafts) + kReservedRegisters;
    sass::Spills spills;
    for (int round = 0;
         round < kMostRounds && overflow == sass::RegisterFile::vector && !source_.raw &&
         drafts.code.size() < kMostSpilledCode && sass::spill_some(drafts, limits_, gpu_, spills);
         ++round) {
      DraftProgram attempt = drafts;
      if (allocate(attempt, made, &overflow)) {
        made.registers_needed = needed;
        finish_spilling(made, spills, needed);
        return true;
      }
    }
    report(overflow, needed);
    return false;
  }

  // Local memory of the resident threads lies in what shared memory leaves of L1; what does not fit
  // comes from L2.
  void finish_spilling(Assembly& made, const sass::Spills& spills, int needed) {
    Program& tables = made.drafts.tables;
    const double resident = static_cast<double>(spills.stack_bytes) * resident_threads();
    const double hit = std::clamp(l1_bytes() / std::max(1.0, resident), 0.0, 1.0);
    for (MemoryAccess& access : tables.accesses) {
      if (access.space == Space::local) {
        access.l1_hit = hit;
        access.l2_hit = 1;
      }
    }
    made.kernel.notes.push_back(fmt::format(
        "the program needs {} registers and has {}: {} bytes a thread spilled to local memory, {} "
        "stores and {} loads inserted, {} values computed again; {:.0f} % of the accesses are "
        "assumed to hit L1",
        needed, registers(made), spills.stack_bytes, spills.stores, spills.loads, spills.recomputed,
        100 * hit));
  }

  double resident_blocks() const {
    const double threads = static_cast<double>(source_.launch.block.count());
    const double by_registers =
        gpu_.limits.registers / (threads * (limits_.vector + kReservedRegisters));
    const double by_warps = gpu_.limits.max_warps * 32.0 / threads;
    return std::max(1.0, std::floor(std::min(by_registers, by_warps)));
  }
  double resident_threads() const {
    return resident_blocks() * static_cast<double>(source_.launch.block.count());
  }
  double l1_bytes() const {
    const double shared = source_.launch.smem_static_bytes + source_.launch.smem_dynamic_bytes +
                          gpu_.limits.smem_reserved_per_block_bytes;
    return std::max(0.0, gpu_.limits.l1_smem_kb * 1024.0 - shared * resident_blocks());
  }

  void report(sass::RegisterFile overflow, int needed) {
    const SourcePosition start{1, 1};
    if (overflow == sass::RegisterFile::predicate) {
      problems_.push_back({start,
                           fmt::format("found more than {} comparison results alive at "
                                       "once, expected at most that many",
                                       limits_.predicate),
                           "",
                           {}});
    } else if (overflow == sass::RegisterFile::uniform) {
      problems_.push_back({start,
                           "found more uniform values alive at once than there are uniform "
                           "registers, expected fewer scalars",
                           "",
                           {}});
    } else {
      problems_.push_back(
          {start,
           fmt::format("found a need of {} registers per thread, expected at most {} (and "
                       "spilling does not help)",
                       needed, limits_.vector + kReservedRegisters),
           "",
           {}});
    }
  }

  void fill_kernel(Assembly& made) const {
    KernelSpec& kernel = made.kernel;
    kernel.name = source_.name;
    kernel.launch = source_.launch;
    kernel.launch.registers = registers(made);
    kernel.program = sass::emit_program(made.drafts, made.allocation);
    int barriers = 0;
    for (const BarrierUse& use : kernel.program.barriers) {
      barriers = std::max(barriers, use.id + 1);
    }
    kernel.launch.barriers = barriers;
    kernel.notes.insert(kernel.notes.end(), made.drafts.notes.begin(), made.drafts.notes.end());
  }

  const KernelSource& source_;
  const GpuSpec& gpu_;
  std::vector<SourceProblem>& problems_;
  RegisterLimits limits_;
};

}  // namespace

namespace {

constexpr int kRegistersWithoutWord = 32;  // of a listing whose launch does not say

std::optional<Assembly> assemble_listing(const KernelSource& source, const GpuSpec& gpu,
                                         std::vector<SourceProblem>& problems) {
  sass::SassAssembly made = sass::assemble_sass(source.listing, gpu, problems);
  if (!problems.empty()) {
    return std::nullopt;
  }
  Assembly assembly;
  KernelSpec& kernel = assembly.kernel;
  kernel.name = source.name;
  kernel.launch = source.launch;
  kernel.launch.registers =
      source.registers.value_or(std::max(kRegistersWithoutWord, made.registers));
  kernel.launch.barriers = made.barriers;
  kernel.program = std::move(made.program);
  kernel.notes = std::move(made.notes);
  assembly.registers_needed = made.registers;
  if (kernel.launch.warm_caches) {
    kernel.notes.emplace_back(
        "launch.caches has no effect on machine code: its hit rates are those of the file");
  }
  if (kernel.launch.registers < made.registers) {
    kernel.notes.push_back(fmt::format(
        "the listing uses {} registers and the launch has {}: a compiler would spill, which is not "
        "simulated for machine code",
        made.registers, kernel.launch.registers));
  }
  return assembly;
}

}  // namespace

std::optional<Assembly> assemble(const KernelSource& source, const GpuSpec& gpu,
                                 std::vector<SourceProblem>& problems) {
  if (!source.trace_file.empty()) {
    Assembly assembly;
    assembly.kernel.name = source.name;
    assembly.kernel.launch = source.launch;
    assembly.kernel.launch.registers = source.registers.value_or(kRegistersWithoutWord);
    assembly.kernel.trace_file = source.trace_file;
    return assembly;
  }
  if (!source.listing.empty()) {
    return assemble_listing(source, gpu, problems);
  }
  return Assembler(source, gpu, problems).run();
}

}  // namespace smsim
