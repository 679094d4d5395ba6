#include "sim/kernel/sass_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sim/kernel/control_codes.hpp"
#include "sim/kernel/emit.hpp"
#include "sim/kernel/register_banks.hpp"
#include "sim/kernel/sass_access.hpp"
#include "sim/kernel/sass_operands.hpp"
#include "sim/kernel/sass_operation.hpp"

namespace smsim::sass {

namespace {

constexpr int kPredicates = 7;
constexpr int kUniforms = 63;
constexpr int kVectors = 255;

class SassAssembler {
 public:
  SassAssembler(const std::vector<SassLine>& lines, const GpuSpec& gpu,
                std::vector<SourceProblem>& problems)
      : lines_(lines), gpu_(gpu), problems_(problems) {
    for (const SassLine& line : lines) {
      texts_.push_back(parse_sass_text(line.text));
      derives_ = derives_ || !line.code;
    }
  }

  SassAssembly run() {
    if (lines_.empty()) {
      problems_.push_back({{1, 1}, "found a listing without instructions, expected some", "", {}});
      return {};
    }
    name_registers();
    find_labels();
    find_tensor_scoreboard();
    for (index_ = 0; index_ < lines_.size(); ++index_) add_line();
    check_end();
    if (!problems_.empty()) return {};
    note_unknown();
    if (derives_) derive_control_codes();
    count_resources();
    made_.program = emit_program(drafts_, allocation_);
    add_lanes();
    return std::move(made_);
  }

 private:
  const SassLine& line() const { return lines_[index_]; }
  const SassText& text() const { return texts_[index_]; }

  void problem(std::string message) {
    problems_.push_back({{line().line, 1}, std::move(message), "", {}});
  }

  // Every register is a value of its own, which stands where it stands.
  void name_registers() {
    const auto add = [this](RegisterFile file, int count) {
      for (int number = 0; number < count; ++number) {
        drafts_.values.push_back({"", file, 1});
        allocation_.first.push_back(number);
      }
    };
    add(RegisterFile::vector, kVectors);
    add(RegisterFile::uniform, kUniforms);
    add(RegisterFile::predicate, kPredicates);
  }

  static ValueId value_of(RegisterFile file, int number) {
    const int base = file == RegisterFile::vector    ? 0
                     : file == RegisterFile::uniform ? kVectors
                                                     : kVectors + kUniforms;
    return static_cast<ValueId>(base + number);
  }

  void find_labels() {
    std::set<std::uint32_t> offsets;
    for (const SassLine& line : lines_) offsets.insert(line.offset);
    for (index_ = 0; index_ < lines_.size(); ++index_) {
      const SassKind kind = sass_operation(gpu_, text().mnemonic).kind;
      if (kind != SassKind::branch && kind != SassKind::call) continue;
      const auto target = code_target(text());
      if (!target) continue;  // to another function, or through a register
      if (offsets.count(*target) == 0) {
        // The end of a listing may be left out when nobody executes it.
        const bool taken = line().route && line().route->taken > 0;
        if (*target > lines_.back().offset && !taken) continue;
        problem(
            fmt::format("found a jump to {:#x}, expected the offset of an instruction", *target));
        continue;
      }
      if (label_of_.count(*target) == 0) label_of_[*target] = drafts_.labels++;
    }
  }

  void add_line() {
    const auto label = label_of_.find(line().offset);
    if (label != label_of_.end()) {
      Draft place;
      place.label = static_cast<int>(label->second);
      drafts_.code.push_back(place);
    }
    Draft draft;
    const SassOperation operation = sass_operation(gpu_, text().mnemonic);
    if (!operation.known) ++unknown_[text().mnemonic];
    draft.mnemonic = line().text;
    draft.timing = operation.timing;
    draft.line = line().line;
    act(draft, operation);
    flow(draft, operation);
    if (line().code) take_code(draft, *line().code);
    if (draft.action == Action::none && draft.flow == Flow::next &&
        draft.timing.pipe != Pipe::tensor) {
      const bool follows = index_ > 0 && label == label_of_.end();
      draft.bank_reads = bank_reads(text(), follows ? &texts_[index_ - 1] : nullptr);
    }
    if (derives_) add_registers(draft, operation);
    await(draft, operation);
    drafts_.code.push_back(std::move(draft));
  }

  void act(Draft& draft, const SassOperation& operation) {
    switch (operation.kind) {
      case SassKind::compute: {
        const bool queued =
            operation.timing.pipe == Pipe::lsu || operation.timing.pipe == Pipe::adu;
        if (queued) {
          draft.action = Action::mio;
        } else if (operation.timing.variable_latency) {
          draft.action = Action::complete_later;
        }
        return;
      }
      case SassKind::exchange:
        draft.action = Action::mio;
        return;
      case SassKind::load:
      case SassKind::store:
      case SassKind::atomic:
      case SassKind::reduction:
      case SassKind::async_copy:
      case SassKind::bulk_copy:
        access_memory(line(), text().mnemonic, operation, drafts_.tables, draft);
        return;
      case SassKind::barrier:
        synchronise(draft);
        return;
      case SassKind::fence:
        draft.action = Action::fence;
        draft.operand = static_cast<std::uint16_t>(scope());
        draft.effect = MemoryEffect::fence;
        return;
      case SassKind::sleep:
        draft.action = Action::sleep;
        draft.timing.latency_cycles = sleep_cycles();
        return;
      case SassKind::cluster_arrive:
        draft.action = Action::cluster_arrive;
        return;
      case SassKind::cluster_wait:
        draft.action = Action::cluster_wait;
        return;
      case SassKind::exit:
        draft.action = Action::exit;
        return;
      default:
        return;
    }
  }

  FenceScope scope() const {
    if (family_of(text().mnemonic) == "CGAERRBAR") return FenceScope::errors;
    if (has_modifier(text().mnemonic, "CTA")) return FenceScope::cta;
    return has_modifier(text().mnemonic, "SYS") ? FenceScope::system : FenceScope::gpu;
  }

  // NANOSLEEP takes at most twice its operand; on average it takes about the operand.
  int sleep_cycles() const {
    constexpr double kMostNs = 30000;
    const double ns = text().operands.empty()
                          ? 0
                          : static_cast<double>(immediate(text().operands.back()).value_or(0));
    return static_cast<int>(std::min(ns, kMostNs) * gpu_.clocks.sm_mhz / 1000);
  }

  // BAR.SYNC id, threads.
  void synchronise(Draft& draft) {
    BarrierUse use;
    const std::vector<std::string>& operands = text().operands;
    if (!operands.empty()) {
      use.id = static_cast<std::uint8_t>(immediate(operands[0]).value_or(0) % kMaxNamedBarriers);
    }
    if (operands.size() > 1) {
      use.expected_warps = static_cast<std::uint16_t>(immediate(operands[1]).value_or(0) / 32);
    }
    use.wait = !has_modifier(text().mnemonic, "ARV");
    draft.action = Action::barrier;
    draft.operand = static_cast<std::uint16_t>(drafts_.tables.barriers.size());
    draft.effect = MemoryEffect::fence;
    drafts_.tables.barriers.push_back(use);
  }

  void flow(Draft& draft, const SassOperation& operation) {
    // BRA.U UP0, target and its kin carry their condition as an operand.
    const bool conditional = !text().guard.empty() || line().route.has_value() ||
                             (operation.kind == SassKind::branch && text().operands.size() > 1);
    switch (operation.kind) {
      case SassKind::branch:
        if (const auto target = code_target(text())) {
          jump(draft, *target, conditional);
        } else {
          ++unresolved_;
        }
        return;
      case SassKind::exit:
        draft.flow = Flow::exit;
        if (conditional) add_route(draft, kExitPc);
        return;
      case SassKind::call:
        if (const auto target = code_target(text()); target && label_of_.count(*target) > 0) {
          draft.flow = Flow::call;
          draft.flow_operand = label_of_[*target];
        } else {
          ++unresolved_;
        }
        return;
      case SassKind::ret:
        draft.flow = Flow::ret;
        return;
      case SassKind::converge_open:
        draft.flow = Flow::converge_open;
        return;
      case SassKind::converge:
        draft.flow = Flow::converge;
        return;
      case SassKind::indirect:
        ++unresolved_;
        return;
      default:
        return;
    }
  }

  void jump(Draft& draft, std::uint32_t target, bool conditional) {
    const auto label = label_of_.find(target);
    if (label == label_of_.end()) {  // into what was left out
      draft.flow = conditional ? Flow::next : Flow::exit;
    } else if (conditional) {
      add_route(draft, label->second);
    } else {
      draft.flow = Flow::jump;
      draft.flow_operand = label->second;
    }
  }

  // Without numbers a conditional branch falls through.
  void add_route(Draft& draft, std::uint32_t target) {
    Route route = line().route.value_or(Route{});
    if (!line().route) ++without_numbers_;
    route.target_pc = target;
    if (target == kExitPc) route.split = 0;  // lanes that stay make no other part
    draft.flow = Flow::route;
    draft.flow_operand = static_cast<std::uint32_t>(drafts_.tables.routes.size());
    drafts_.tables.routes.push_back(route);
  }

  static void take_code(Draft& draft, const ControlCode& code) {
    draft.stall = code.stall_cycles;
    draft.yield = code.yield;
    draft.write_scoreboard = code.write_scoreboard;
    draft.read_scoreboard = code.read_scoreboard;
    draft.wait_mask = code.wait_mask;
  }

  void add_registers(Draft& draft, const SassOperation& operation) {
    const bool memory = draft.action == Action::memory || draft.action == Action::mio;
    for (const RegisterUse& use :
         registers_of(text(), operation.has_result, operation.result_width)) {
      for (int i = 0; i < use.count; ++i) {
        const int most = use.file == RegisterFile::vector    ? kVectors
                         : use.file == RegisterFile::uniform ? kUniforms
                                                             : kPredicates;
        if (use.first + i >= most) break;
        const Role role = memory && use.role == Role::plain ? Role::memory : use.role;
        const Operand operand{value_of(use.file, use.first + i), kWhole, role};
        (use.result ? draft.results : draft.sources).push_back(operand);
      }
    }
  }

  // Waits that stand in the instruction itself: DEPBAR.LE SB0, 0x0 and WARPGROUP.DEPBAR. With a
  // number above 0 the newest groups may still be under way; the engine keeps no groups, so nothing
  // is waited for.
  void await(Draft& draft, const SassOperation& operation) {
    const std::vector<std::string>& operands = text().operands;
    if (operation.kind == SassKind::await_copies && operands.size() > 1) {
      const auto scoreboard = immediate(
          std::string_view(operands[0]).substr(std::min<std::size_t>(2, operands[0].size())));
      const bool all = immediate(operands[1]).value_or(0) == 0;
      if (!all) ++partial_waits_;
      if (all && scoreboard && *scoreboard < kScoreboards) {
        draft.wait_mask |= static_cast<std::uint8_t>(1U << *scoreboard);
      }
    }
    if (tensor_scoreboard_ >= kScoreboards) return;
    if (operation.kind == SassKind::await_tensor) {
      draft.wait_mask |= static_cast<std::uint8_t>(1U << tensor_scoreboard_);
    }
    if (is_async_tensor(operation)) draft.write_scoreboard = tensor_scoreboard_;
  }

  static bool is_async_tensor(const SassOperation& operation) {
    return operation.timing.pipe == Pipe::tensor && operation.timing.variable_latency &&
           operation.async_tensor;
  }

  // Warp-group multiplies count on a scoreboard of their own, beside the six: one that the listing
  // does not use stands for it.
  void find_tensor_scoreboard() {
    bool needed = false;
    std::uint8_t used = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      needed = needed || is_async_tensor(sass_operation(gpu_, texts_[i].mnemonic));
      if (!lines_[i].code) continue;
      for (const std::uint8_t one :
           {lines_[i].code->write_scoreboard, lines_[i].code->read_scoreboard}) {
        if (one < kScoreboards) used |= static_cast<std::uint8_t>(1U << one);
      }
    }
    if (!needed) return;
    for (std::uint8_t i = kScoreboards; i-- > 0;) {
      if ((used >> i & 1) == 0) tensor_scoreboard_ = i;
    }
    if (tensor_scoreboard_ == kNoScoreboard) {
      made_.notes.emplace_back(
          "no scoreboard is left for warp-group multiplies: nobody waits for them");
    }
  }

  // The program must not run off its end.
  void check_end() {
    const Flow last = drafts_.code.back().flow;
    if (last == Flow::exit || last == Flow::jump || last == Flow::ret) return;
    Draft exit;
    exit.mnemonic = "EXIT";
    exit.action = Action::exit;
    exit.flow = Flow::exit;
    exit.timing.pipe = Pipe::branch;
    drafts_.code.push_back(exit);
    made_.notes.emplace_back("the listing does not end with EXIT: one was added");
  }

  // One instruction a line, and at most an EXIT behind them.
  void add_lanes() {
    const bool all = std::all_of(lines_.begin(), lines_.end(),
                                 [](const SassLine& one) { return one.lanes == 32; });
    if (all) return;
    for (const SassLine& one : lines_) made_.program.mean_lanes.push_back(one.lanes);
    made_.program.mean_lanes.resize(made_.program.code.size(), 32);
  }

  void count_resources() {
    for (const BarrierUse& use : drafts_.tables.barriers) {
      made_.barriers = std::max(made_.barriers, use.id + 1);
    }
    for (const SassText& text : texts_) {
      for (const RegisterUse& use : registers_of(text, true, 1)) {
        if (use.file != RegisterFile::vector) continue;
        made_.registers = std::max(made_.registers, use.first + use.count);
      }
    }
  }

  void note_unknown() {
    for (const auto& [mnemonic, count] : unknown_) {
      made_.notes.push_back(fmt::format("unknown instruction {} ({} times): treated as {}",
                                        mnemonic, count, kUnknownOperation));
    }
    if (without_numbers_ > 0) {
      made_.notes.push_back(fmt::format("{} conditional branches have no numbers: they never jump",
                                        without_numbers_));
    }
    if (unresolved_ > 0) {
      made_.notes.push_back(
          fmt::format("{} jumps or calls go through a register or out of the function: they are "
                      "passed over",
                      unresolved_));
    }
    if (partial_waits_ > 0) {
      made_.notes.push_back(
          fmt::format("{} waits for all but the newest asynchronous copies are taken as satisfied",
                      partial_waits_));
    }
  }

  void derive_control_codes() {
    made_.notes.emplace_back(
        "the listing has no control codes: they are derived from the registers");
    assign_scoreboards(drafts_, allocation_);
    assign_stall_counts(drafts_, allocation_, gpu_.dependence, false);
  }

  const std::vector<SassLine>& lines_;
  const GpuSpec& gpu_;
  std::vector<SourceProblem>& problems_;
  std::vector<SassText> texts_;
  bool derives_ = false;
  std::size_t index_ = 0;
  DraftProgram drafts_;
  Allocation allocation_;
  std::map<std::uint32_t, LabelId> label_of_;
  std::map<std::string, int> unknown_;
  std::uint8_t tensor_scoreboard_ = kNoScoreboard;
  int without_numbers_ = 0;
  int unresolved_ = 0;
  int partial_waits_ = 0;
  SassAssembly made_;
};

}  // namespace

SassAssembly assemble_sass(const std::vector<SassLine>& lines, const GpuSpec& gpu,
                           std::vector<SourceProblem>& problems) {
  return SassAssembler(lines, gpu, problems).run();
}

}  // namespace smsim::sass
