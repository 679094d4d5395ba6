// Grid-stride loops: all threads of the grid step through a range together.
#include <fmt/format.h>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

// All threads of the grid together step through the items.
Operand Lowering::grid_stride() {
  if (const auto found = builtins_.find("grid stride"); found != builtins_.end()) {
    return found->second;
  }
  if (dialect_.constant_operands) {
    const Operand stride{new_value("stride")};
    builtins_["grid stride"] = stride;
    scalar_loads_.push_back(draft("MOV", "%d0, c[0x0][0x0]", {stride}));
    scalar_loads_.push_back(draft("IMAD", "%d0, %s0, c[0x0][0xc], RZ", {stride}, {stride}));
    return stride;
  }
  const Operand threads{new_value("ntid", RegisterFile::uniform)};
  const Operand blocks{new_value("nctaid", RegisterFile::uniform)};
  const Operand stride{new_value("stride", RegisterFile::uniform)};
  builtins_["grid stride"] = stride;
  scalar_loads_.push_back(draft(dialect_.load_uniform, "%d0, c[0x0][0x0]", {threads}));
  scalar_loads_.push_back(draft(dialect_.load_uniform, "%d0, c[0x0][0xc]", {blocks}));
  scalar_loads_.push_back(draft("UIMAD", "%d0, %s0, %s1, URZ", {stride}, {threads, blocks}));
  return stride;
}

// for (k = i; k < items; k += threads of the grid): a register holds k, addresses are computed
// anew.
void Lowering::lower_grid_stride(const ForStatement& loop, SourcePosition at) {
  const std::string name = loop.index.empty() ? "item" : loop.index;
  const std::optional<Resolved> hidden = find_value(name);
  if (hidden) {
    problem(at, fmt::format("found '{}' as the index of a loop, expected another name: it is "
                            "taken",
                            name));
    return;
  }
  const Operand first = builtin("i");
  const Operand item{values_[name] = new_value(name)};
  lane_numbers_.insert(item.value);
  TripCount trips = loop.trips;
  trips.unroll = static_cast<std::uint32_t>(loop.unroll);
  const std::uint32_t number = new_loop(trips);
  Buffer* const outer = current_;
  Buffer body;
  enter_scope("", loop.body, true);
  loops_.back().assigned.insert(item.value);
  current_ = &body;
  lower_strides(loop, number, item, loop.unroll);
  if (loop.unroll > 1) {
    trips.remainder = true;
    const std::uint32_t rest = new_loop(trips);
    skip_loop(items_test(item), rest);
    lower_strides(loop, rest, item, 1);
  }
  current_ = outer;
  emit(draft("BSSY", "B0"));  // threads of the last warps may have fewer items
  append(loops_.back().preheader);
  emit(draft("MOV", "%d0, %s0", {item}, {first}));
  skip_loop(items_test(item), number);
  append(body);
  leave_scope();
  values_.erase(name);
  emit(draft("BSYNC", "B0"));
}

void Lowering::lower_strides(const ForStatement& loop, std::uint32_t number, Operand item,
                             std::uint64_t copies) {
  ++loop_depth_;
  place(program_.tables.loops[number].begin_pc);
  const int outer_copy = copy_number_;
  const Draft step = draft("IADD3", "%d0, %s0, %s1, RZ", {item}, {item, grid_stride()});
  for (std::uint64_t copy = 0; copy < copies && !too_large_; ++copy) {
    copy_number_ = copies > 1 ? ++copies_written_ : outer_copy;
    lower_body(loop.body);
    if (copy + 1 < copies) {
      emit(step);
      forget_addresses_of(item.value);
    }
  }
  copy_number_ = outer_copy;
  count_up(step, items_test(item), number);
  forget_addresses_of(item.value);
  place(program_.tables.loops[number].end_pc);
  --loop_depth_;
}

Draft Lowering::items_test(Operand item) {
  const Operand again{new_value("again", RegisterFile::predicate)};
  return draft("ISETP.LT.AND", "%d0, PT, %s0, %s1, PT", {again}, {item, items_bound()});
}

}  // namespace smsim::sass
