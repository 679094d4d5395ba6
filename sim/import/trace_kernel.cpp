#include "sim/import/trace_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "sim/import/coalescing.hpp"
#include "sim/kernel/sass_operands.hpp"
#include "sim/kernel/sass_program.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {

namespace {

constexpr std::uint32_t kInstructionBytes = 16;
constexpr std::uint16_t kZeroRegister = 255;
constexpr std::uint64_t kSharedWindowBytes = 1 << 24;

// What a trace says of one place in the code.
struct Place {
  std::string opcode;
  AccelsimInstruction first;         // its registers
  std::vector<std::uint32_t> after;  // where warps went next
  bool generic_shared = false;       // LD and ST whose addresses lie in the shared window
};

using Places = std::map<std::uint32_t, Place>;

bool in_window(std::uint64_t address, std::uint64_t base) {
  return base != 0 && address >= base && address < base + kSharedWindowBytes;
}

void see(const AccelsimWarp& warp, const TraceStream& stream, Places& places) {
  for (std::size_t i = 0; i < warp.code.size(); ++i) {
    const AccelsimInstruction& in = warp.code[i];
    Place& place = places[in.pc];
    if (place.opcode.empty()) {
      place.opcode = stream.opcodes()[in.opcode];
      place.first = in;
    }
    if (in.addresses > 0) {
      place.generic_shared |=
          in_window(warp.addresses[in.first_address], stream.header().smem_base);
    }
    if (i + 1 == warp.code.size()) continue;
    const std::uint32_t next = warp.code[i + 1].pc;
    if (place.after.size() < 2 &&
        std::find(place.after.begin(), place.after.end(), next) == place.after.end()) {
      place.after.push_back(next);
    }
  }
}

std::string register_name(std::uint16_t number) {
  if (number >= kFirstUniformPredicate) return fmt::format("UP{}", number - kFirstUniformPredicate);
  if (number >= kFirstPredicate) return fmt::format("P{}", number - kFirstPredicate);
  if (number >= kFirstUniformRegister) return fmt::format("UR{}", number - kFirstUniformRegister);
  return number == kZeroRegister ? "RZ" : fmt::format("R{}", number);
}

// "LDG.E R2, R4": registers as far as the trace has them, the target of a jump as far as one was
// seen.
sass::SassLine line_of(std::uint32_t pc, const Place& place) {
  sass::SassLine line;
  line.offset = pc;
  line.text = place.opcode;
  const std::string_view family = sass::family_of(place.opcode);
  if (place.generic_shared && (family == "LD" || family == "ST")) line.text.insert(2, "S");
  if (family == "BRA" || family == "JMP") {
    const auto jump = std::find_if(place.after.begin(), place.after.end(),
                                   [pc](std::uint32_t to) { return to != pc + kInstructionBytes; });
    if (jump == place.after.end()) return line;
    line.text += fmt::format(" {:#x}", *jump);
    if (place.after.size() > 1) {
      line.route = Route{};
      line.route->taken = 0.5;
    }
    return line;
  }
  // An exit of some lanes: the warp goes on.
  if (family == "EXIT" && !place.after.empty()) {
    line.route = Route{};
    line.route->taken = 0.5;
  }
  if (family == "BRX" || family == "CALL" || family == "JMX") return line;
  const std::size_t count = place.first.destinations + std::size_t{place.first.sources};
  for (std::size_t i = 0; i < std::min(count, place.first.registers.size()); ++i) {
    line.text += (i == 0 ? " " : ", ") + register_name(place.first.registers[i]);
  }
  return line;
}

// Blocks of a stream as the engine takes them.
class StreamedTrace : public TraceSource {
 public:
  StreamedTrace(std::unique_ptr<TraceStream> stream, const Program& program,
                std::map<std::uint32_t, std::uint32_t> index_of, std::uint32_t warps_per_block)
      : stream_(std::move(stream)),
        index_of_(std::move(index_of)),
        warps_per_block_(warps_per_block) {
    for (const Instruction& in : program.code) {
      const bool memory = in.action == Action::memory;
      accesses_.push_back(memory ? program.accesses[in.operand] : MemoryAccess{});
      is_memory_.push_back(memory);
      exits_.push_back(in.action == Action::exit);
    }
    const auto exit = std::find(exits_.begin(), exits_.end(), true);
    exit_pc_ =
        static_cast<std::uint32_t>((exit == exits_.end() ? exit - 1 : exit) - exits_.begin());
  }

  std::shared_ptr<const RecordedBlock> block(std::uint64_t number) override {
    if (number < next_) {
      stream_->rewind();
      next_ = 0;
    }
    for (; next_ <= number; ++next_) {
      if (!stream_->next_block(read_)) {
        throw InputError(fmt::format("{}: found {} blocks in the trace, expected more",
                                     stream_->header().kernel_name, next_));
      }
    }
    auto made = std::make_shared<RecordedBlock>();
    made->warps.resize(warps_per_block_);
    for (const AccelsimWarp& warp : read_.warps) {
      if (warp.warp >= warps_per_block_) {
        throw InputError(fmt::format("{}: found warp {} in block {}, expected at most {}",
                                     stream_->header().kernel_name, warp.warp, number,
                                     warps_per_block_ - 1));
      }
      record(warp, (number * warps_per_block_) + warp.warp, made->warps[warp.warp]);
    }
    // Warps end with an exit, also those that the trace lacks or cuts short.
    for (RecordedWarp& warp : made->warps) {
      if (warp.steps.empty() || !exits_[warp.steps.back().pc]) {
        warp.steps.push_back({exit_pc_, kNoAccess, 0});
      }
    }
    return made;
  }

 private:
  void record(const AccelsimWarp& from, std::uint64_t number, RecordedWarp& to) const {
    to.steps.reserve(from.code.size());
    for (const AccelsimInstruction& in : from.code) {
      RecordedStep step;
      step.pc = index_of_.at(in.pc);
      step.lanes = static_cast<std::uint8_t>(std::popcount(in.mask));
      if (is_memory_[step.pc] && step.lanes > 0) {
        step.access = static_cast<std::uint32_t>(to.accesses.size());
        record_access(from, in, accesses_[step.pc], number, to);
      }
      to.steps.push_back(step);
    }
  }

  static void record_access(const AccelsimWarp& from, const AccelsimInstruction& in,
                            const MemoryAccess& access, std::uint64_t number, RecordedWarp& to) {
    const std::span<const std::uint64_t> addresses(from.addresses.data() + in.first_address,
                                                   in.addresses);
    const std::uint32_t width = access.bytes_per_thread;
    const bool atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::reduction;
    if (access.space == Space::shared || access.space == Space::dsmem) {
      record_shared(addresses, width, atomic, to);
    } else if (access.space == Space::local) {
      record_local(addresses, width, number, to);
    } else {
      record_global(addresses, width, to);
    }
  }

  std::unique_ptr<TraceStream> stream_;
  std::map<std::uint32_t, std::uint32_t> index_of_;
  std::uint32_t warps_per_block_;
  std::vector<MemoryAccess> accesses_;  // by pc
  std::vector<bool> is_memory_;
  std::vector<bool> exits_;
  std::uint32_t exit_pc_ = 0;
  AccelsimBlock read_;
  std::uint64_t next_ = 0;
};

// All flow comes from the trace; memory instructions act where it has lanes.
void follow_recording(Program& program) {
  Condition condition;
  condition.kind = Condition::Kind::recorded;
  program.conditions.push_back(condition);
  const auto active = static_cast<std::uint16_t>(program.conditions.size() - 1);
  for (Instruction& in : program.code) {
    in.flow = Flow::recorded;
    in.flow_operand = 0;
    in.predicate = in.action == Action::memory ? active : kNoPredicate;
  }
  program.routes.clear();
}

void check_launch(const KernelSpec& kernel, const AccelsimHeader& header, std::uint64_t blocks) {
  if (kernel.launch.block.count() != header.block.count()) {
    throw InputError(fmt::format(
        "{}: found a block of {} threads, expected {} as in the trace: what other threads would "
        "have done is not known",
        kernel.name, kernel.launch.block.count(), header.block.count()));
  }
  if (kernel.launch.grid.count() > blocks) {
    throw InputError(
        fmt::format("{}: found a grid of {} blocks, expected at most {}, as many as "
                    "the trace has",
                    kernel.name, kernel.launch.grid.count(), blocks));
  }
}

}  // namespace

LaunchSpec launch_of(const AccelsimHeader& header) {
  constexpr int kMostRegisters = 255;
  LaunchSpec launch;
  launch.grid = header.grid;
  launch.block = header.block;
  launch.registers =
      header.registers >= 1 && header.registers <= kMostRegisters ? header.registers : 32;
  launch.smem_dynamic_bytes = std::max(0, header.smem_bytes);
  return launch;
}

void attach_trace(KernelSpec& kernel, const GpuSpec& gpu,
                  const std::function<std::unique_ptr<TraceStream>()>& open) {
  const std::unique_ptr<TraceStream> stream = open();
  Places places;
  AccelsimBlock block;
  std::uint64_t blocks = 0;
  std::uint64_t warps_seen = 0;
  for (; stream->next_block(block); ++blocks) {
    for (const AccelsimWarp& warp : block.warps) see(warp, *stream, places);
    warps_seen += block.warps.size();
  }
  check_launch(kernel, stream->header(), blocks);
  const std::uint64_t warps = (kernel.launch.block.count() + 31) / 32;
  if (warps_seen < blocks * warps) {
    kernel.notes.push_back(fmt::format("{} of {} warps are missing in the trace: they exit at once",
                                       (blocks * warps) - warps_seen, blocks * warps));
  }
  std::vector<sass::SassLine> lines;
  std::map<std::uint32_t, std::uint32_t> index_of;
  for (const auto& [pc, place] : places) {
    index_of[pc] = static_cast<std::uint32_t>(lines.size());
    lines.push_back(line_of(pc, place));
  }
  std::vector<SourceProblem> problems;
  sass::SassAssembly made = sass::assemble_sass(lines, gpu, problems);
  if (!problems.empty()) {
    throw InputError(fmt::format("{}: {}", kernel.name, problems.front().message));
  }
  for (std::string& note : made.notes) {
    if (note.rfind("unknown instruction", 0) == 0) kernel.notes.push_back(std::move(note));
  }
  kernel.notes.emplace_back(
      "a trace: control codes are derived from its registers, caches are looked up by address");
  kernel.program = std::move(made.program);
  follow_recording(kernel.program);
  kernel.trace = std::make_shared<StreamedTrace>(open(), kernel.program, std::move(index_of),
                                                 static_cast<std::uint32_t>(warps));
}

void attach_trace_file(KernelSpec& kernel, const GpuSpec& gpu) {
  if (kernel.trace_file.empty()) return;
  try {
    attach_trace(kernel, gpu, [&kernel] { return open_trace_file(kernel.trace_file); });
  } catch (const InputError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& one : found) {
      if (one.file.empty()) one.file = kernel.trace_file;
    }
    throw InputError(found);
  }
}

}  // namespace smsim
