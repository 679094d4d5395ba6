#include "sim/import/trace_generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/import/lane_addresses.hpp"
#include "sim/kernel/operations.hpp"
#include "sim/kernel/sass_operands.hpp"
#include "sim/kernel/sass_operation.hpp"
#include "sim/kernel/warp_flow.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim {

namespace {

constexpr std::uint32_t kInstructionBytes = 16;
constexpr std::size_t kMostSteps = 10'000'000;  // of one warp
constexpr int kTracerVersion = 5;

std::uint32_t mask_of(std::uint8_t lanes) {
  return lanes >= 32 ? 0xffffffffU : (1U << lanes) - 1U;
}

// The number behind '+' in an address.
std::uint64_t offset_in(const std::string& text) {
  const std::size_t plus = text.find("+0x");
  if (plus == std::string::npos) return 0;
  const std::size_t end = text.find_first_of("],", plus);
  return sass::immediate(text.substr(plus + 1, end - plus - 1)).value_or(0);
}

class GeneratedTrace : public TraceStream {
 public:
  GeneratedTrace(const KernelSpec& kernel, const GpuSpec& gpu)
      : kernel_(kernel), program_(kernel.program), shape_(launch_shape(kernel.launch)) {
    header_.kernel_name = kernel.name;
    header_.grid = kernel.launch.grid;
    header_.block = kernel.launch.block;
    header_.smem_bytes = kernel.launch.smem_static_bytes + kernel.launch.smem_dynamic_bytes;
    header_.registers = kernel.launch.registers;
    header_.binary_version = 10 * gpu.compute_capability.major + gpu.compute_capability.minor;
    header_.tracer_version = kTracerVersion;
    header_.smem_base = kSharedBase;
    for (std::size_t pc = 0; pc < program_.code.size(); ++pc) describe(pc, gpu);
  }

  const AccelsimHeader& header() const override { return header_; }
  const std::vector<std::string>& opcodes() const override { return opcodes_; }
  void rewind() override { next_ = 0; }

  bool next_block(AccelsimBlock& block) override {
    if (next_ == shape_.blocks) return false;
    const Dim3& grid = kernel_.launch.grid;
    block.id = {next_ % grid.x, next_ / grid.x % grid.y, next_ / (grid.x * grid.y)};
    block.warps.resize(shape_.warps_per_block);
    for (std::uint32_t warp = 0; warp < shape_.warps_per_block; ++warp) {
      block.warps[warp].warp = warp;
      block.warps[warp].code.clear();
      block.warps[warp].addresses.clear();
      walk(next_, warp, block.warps[warp]);
    }
    ++next_;
    return true;
  }

 private:
  // The registers that an instruction of the listing names; the format has room for five sources.
  void describe(std::size_t pc, const GpuSpec& gpu) {
    constexpr std::size_t kMostSources = 5;
    const sass::SassText text = sass::parse_sass_text(program_.text[pc]);
    const sass::SassOperation operation = sass::sass_operation(gpu, text.mnemonic);
    AccelsimInstruction made;
    made.pc = static_cast<std::uint32_t>(pc) * kInstructionBytes;
    made.opcode = static_cast<std::uint16_t>(opcodes_.size());
    opcodes_.push_back(text.mnemonic);
    const auto uses = sass::registers_of(text, operation.has_result, 1);
    std::vector<std::uint16_t> results;
    std::vector<std::uint16_t> sources;
    for (const sass::RegisterUse& use : uses) {
      if (use.file != sass::RegisterFile::vector) continue;
      (use.result ? results : sources).push_back(static_cast<std::uint16_t>(use.first));
    }
    results.resize(std::min<std::size_t>(results.size(), 1));
    sources.resize(std::min(sources.size(), kMostSources));
    made.destinations = static_cast<std::uint8_t>(results.size());
    made.sources = static_cast<std::uint8_t>(sources.size());
    results.insert(results.end(), sources.begin(), sources.end());
    std::copy(results.begin(), results.end(), made.registers.begin());
    instructions_.push_back(made);
    local_offsets_.push_back(offset_in(program_.text[pc]));
  }

  void walk(std::uint64_t block, std::uint32_t warp, AccelsimWarp& into) {
    WarpFlow flow = start_warp(program_, shape_, block, warp);
    std::uint64_t block_ticket = block;
    std::uint64_t checks = 0;  // of tasks that the whole block takes
    tickets_.assign(program_.queues.size(), 0);
    std::vector<std::uint64_t> counts(program_.accesses.size());
    for (std::size_t steps = 0;; ++steps) {
      if (steps == kMostSteps) {
        throw InputError(
            fmt::format("{}: found a warp of more than {} instructions, expected fewer",
                        kernel_.name, kMostSteps));
      }
      const Instruction& in = program_.code[flow.pc];
      if (in.flow == Flow::task_check && program_.task_loops[in.flow_operand].per_block) {
        block_ticket = block + (checks++ * shape_.blocks);
      }
      step(flow, block_ticket, counts, into);
      if (follow(program_, shape_, flow, block_ticket) == FlowStep::exited) return;
    }
  }

  void step(WarpFlow& flow, std::uint64_t block_ticket, std::vector<std::uint64_t>& counts,
            AccelsimWarp& into) {
    const Instruction& in = program_.code[flow.pc];
    AccelsimInstruction made = instructions_[flow.pc];
    std::uint8_t lanes = flow.lanes;
    if (in.predicate != kNoPredicate) {
      lanes = lanes_where(program_, shape_, flow, block_ticket, in.predicate);
    }
    made.mask = mask_of(lanes);
    if (in.action == Action::memory && lanes > 0) {
      const MemoryAccess& access = program_.accesses[in.operand];
      queue(access, flow);
      if (access.kind != AccessKind::bulk_copy) {
        made.width_bytes = access.bytes_per_thread;
        made.first_address = static_cast<std::uint32_t>(into.addresses.size());
        made.addresses = lanes;
        const std::uint64_t warp = flow.block * shape_.warps_per_block + flow.warp;
        const Asker asker{shape_.seed,          warp,       shape_.blocks * shape_.warps_per_block,
                          counts[in.operand]++, in.operand, local_offsets_[flow.pc]};
        add_lane_addresses(program_, access, asker, lanes, into.addresses);
      }
    }
    into.code.push_back(made);
  }

  // Tickets go round all warps; whoever polls finds what it waits for.
  void queue(const MemoryAccess& access, WarpFlow& flow) {
    if (access.queue_op == QueueOp::pop && !access.pop_for_block) {
      const std::uint64_t warps = shape_.blocks * shape_.warps_per_block;
      flow.ticket =
          (flow.block * shape_.warps_per_block) + flow.warp + (tickets_[access.queue]++ * warps);
    } else if (access.queue_op == QueueOp::poll) {
      flow.poll_satisfied = true;
    }
  }

  const KernelSpec& kernel_;
  const Program& program_;
  LaunchShape shape_;
  AccelsimHeader header_;
  std::vector<std::string> opcodes_;               // by pc
  std::vector<AccelsimInstruction> instructions_;  // by pc, without mask and addresses
  std::vector<std::uint64_t> local_offsets_;       // by pc: "STL [R1+0x8]"
  std::vector<std::uint64_t> tickets_;             // of the warp that is walked, by queue
  std::uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<TraceStream> generate_trace(const KernelSpec& kernel, const GpuSpec& gpu) {
  return std::make_unique<GeneratedTrace>(kernel, gpu);
}

std::vector<std::string> lost_in_trace(const KernelSpec& kernel) {
  std::vector<std::string> lost = {
      "control codes (stall counts, scoreboards): derived again from the registers",
      "predicates and uniform registers: what waits for them does not wait any more"};
  const Program& program = kernel.program;
  std::set<std::string> more;
  for (const MemoryAccess& access : program.accesses) {
    const bool rates = access.l1_hit > 0 || access.l2_hit > 0;
    if (rates) more.insert("hit rates without addresses: caches find what the addresses give");
    if (access.kind == AccessKind::bulk_copy) more.insert("bulk copies: no addresses");
    if (access.queue_op == QueueOp::poll) more.insert("waits for flags: satisfied at once");
    if (access.queue_op == QueueOp::pop)
      more.insert("work queues: tasks go to warps in their order");
  }
  for (const BarrierUse& use : program.barriers) {
    if (use.id != 0 || use.expected_warps != 0 || !use.wait) {
      more.insert("named barriers: every barrier is of the whole block");
    }
  }
  for (const Instruction& in : program.code) {
    if (in.action == Action::mbarrier_arrive || in.action == Action::mbarrier_wait) {
      more.insert("mbarriers: nobody waits for them");
    }
    if (in.action == Action::cluster_arrive || in.action == Action::cluster_wait) {
      more.insert("cluster barriers and clusters");
    }
  }
  lost.insert(lost.end(), more.begin(), more.end());
  return lost;
}

}  // namespace smsim
