#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

Lowering::Lowering(const KernelSource& source, const GpuSpec& gpu)
    : source_(source), gpu_(gpu), dialect_(dialect_of(gpu)), current_(&main_) {
  if (source.raw) {
    dialect_.descriptors = false;
    dialect_.shared_window = false;
  }
  loops_.reserve(kMostNestedLoops);  // instructions are written into buffers inside
  program_.tables.mbarriers = source.mbarriers;
  for (const ArraySource& array : source.arrays) {
    program_.tables.arrays.push_back(array.array);
  }
  for (const FlagsSource& flags : source.flags) {
    program_.tables.flags += flags.count;
  }
  if (source.tasks) {
    program_.tables.queues.push_back(*source.tasks);
  }
  for (const CounterSource& counter : source.counters) {
    TaskQueue queue;
    queue.name = counter.name;
    queue.tasks = counter.count;
    program_.tables.queues.push_back(queue);
  }
}

DraftProgram Lowering::run() {
  copy_groups_ = count_copy_groups();
  if (!source_.raw) {
    current_ = &entry_;
    if (dialect_.constant_operands) {
      emit(draft("MOV", "%d0, c[0x0][0x28]", {{new_value("stack")}}));
    } else {
      emit(draft("LDC", "%d0, c[0x0][0x28]", {{new_value("stack")}}));
    }
  }
  std::size_t leading = 0;
  while (leading < source_.body.size() &&
         std::holds_alternative<GuardStatement>(source_.body[leading].what)) {
    lower_statement(source_.body[leading++], false);
  }
  current_ = &main_;
  for (; leading < source_.body.size(); ++leading) {
    lower_statement(source_.body[leading], leading + 1 == source_.body.size());
  }
  Draft exit = draft("EXIT", "");
  exit.action = Action::exit;
  exit.flow = Flow::exit;
  emit(exit);
  program_.code = assemble_buffers();
  return std::move(program_);
}

// The order of nvcc: thread index and guard, then the first pointer, the descriptor, plain
// arguments, the other pointers.
std::vector<Draft> Lowering::assemble_buffers() {
  Buffer all = std::move(entry_);
  const auto append = [&all](Buffer& from, std::size_t first, std::size_t last) {
    all.insert(all.end(), std::make_move_iterator(from.begin() + static_cast<long>(first)),
               std::make_move_iterator(from.begin() + static_cast<long>(last)));
  };
  const std::size_t first_pointer =
      std::min<std::size_t>(pointer_loads_.size(), dialect_.constant_operands ? 2 : 1);
  append(pointer_loads_, 0, first_pointer);
  if (descriptor_load_) {
    all.push_back(*descriptor_load_);
  }
  append(scalar_loads_, 0, scalar_loads_.size());
  append(pointer_loads_, first_pointer, pointer_loads_.size());
  append(shared_base_, 0, shared_base_.size());
  append(main_, 0, main_.size());
  return all;
}

void Lowering::problem(SourcePosition at, std::string message, std::string word,
                       std::vector<std::string> candidates) {
  problems_.push_back({at, std::move(message), std::move(word), std::move(candidates)});
}

ValueId Lowering::new_value(std::string name, RegisterFile file, int width) {
  program_.values.push_back({std::move(name), file, width});
  return static_cast<ValueId>(program_.values.size() - 1);
}

// A draft with the timing that the GPU gives its mnemonic, and the action that follows from it.
Draft Lowering::draft(std::string mnemonic, std::string operands, std::vector<Operand> results,
                      std::vector<Operand> sources) {
  Draft made;
  const OperationInfo* info = find_operation(mnemonic);
  made.timing =
      find_timing(gpu_, mnemonic).value_or(info == nullptr ? Operation{} : info->fallback);
  made.own_stall = info == nullptr ? 1 : info->own_stall;
  made.mnemonic = std::move(mnemonic);
  made.operands = std::move(operands);
  made.results = std::move(results);
  made.sources = std::move(sources);
  made.line = line_;
  const bool queued = made.timing.pipe == Pipe::lsu || made.timing.pipe == Pipe::adu;
  if (info != nullptr && info->kind != OperationKind::control) {
    if (queued) {
      made.action = Action::mio;
    } else if (made.timing.variable_latency) {
      made.action = Action::complete_later;
    }
  }
  return made;
}

Draft& Lowering::emit(Draft made) {
  const bool waits = made.action == Action::barrier || made.action == Action::fence ||
                     made.action == Action::mbarrier_wait || made.action == Action::cluster_wait ||
                     made.action == Action::sleep;
  const bool ends_branch = pending_branch_end_ && pending_branch_end_->buffer == current_;
  if (ends_branch && made.flow == Flow::next && !waits) {
    made.flow = Flow::branch_end;
    made.flow_operand = std::exchange(pending_branch_end_, std::nullopt)->branch;
  }
  close_branch();
  made.unrolled_copy = copy_number_;
  ++written_;
  current_->push_back(std::move(made));
  return current_->back();
}

// A branch of whole warps needs an instruction at which it ends; where none can serve, a NOP does.
void Lowering::close_branch() {
  if (pending_branch_end_ && pending_branch_end_->buffer == current_) {
    Draft nop = draft("NOP", "");
    nop.flow = Flow::branch_end;
    nop.flow_operand = std::exchange(pending_branch_end_, std::nullopt)->branch;
    current_->push_back(nop);
  }
}

void Lowering::place(LabelId label) {
  close_branch();
  Draft mark;
  mark.label = static_cast<int>(label);
  current_->push_back(mark);
}

void Lowering::lower_body(const Body& body) {
  for (const Statement& statement : body) {
    lower_statement(statement, false);
  }
}

void Lowering::lower_statement(const Statement& statement, bool last) {
  if (written_ > kMaxInstructions) {
    if (!too_large_) {
      problem(statement.at, fmt::format("found a program of more than {} instructions, expected "
                                        "fewer: unroll or repeat less",
                                        kMaxInstructions));
    }
    too_large_ = true;
    return;
  }
  line_ = statement.at.line;
  if (const auto* branch = std::get_if<IfStatement>(&statement.what)) {
    lower(*branch, statement.at, last);
    return;
  }
  std::visit(
      [this, &statement](const auto& what) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(what)>, IfStatement>) {
          lower(what, statement.at);
        }
      },
      statement.what);
}

}  // namespace smsim::sass
