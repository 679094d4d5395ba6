// Addresses: which arithmetic an index costs, what is computed once, what a loop carries along.
#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

namespace {

bool is_wide(const ArraySource& array) {
  return array.space == Space::global;
}

}  // namespace

// Address arithmetic of a shared array does not depend on which one it is: its place is a constant.
std::string Lowering::address_key(const ArraySource& array, const std::vector<ValueTerm>& terms,
                                  int bytes) {
  std::string key = is_wide(array) ? array.array.name : "shared";
  for (const ValueTerm& term : terms) {
    key +=
        fmt::format("+{}.{}*{}", term.operand.value, term.operand.component, term.factor * bytes);
  }
  return key;
}

Lowering::SplitIndex Lowering::split(const IndexSource& index) {
  SplitIndex split;
  split.offset = index.offset;
  for (const IndexSource::Term& term : index.terms) {
    const auto scope = std::find_if(loops_.rbegin(), loops_.rend(), [&term](const LoopScope& loop) {
      return loop.index == term.name;
    });
    if (scope != loops_.rend() && values_.count(term.name) == 0) {
      split.offset += term.factor * static_cast<std::int64_t>(scope->copy);
      if (scope->rolled) {
        split.loops.push_back({static_cast<std::size_t>(loops_.rend() - scope - 1), term.factor});
      }
      continue;
    }
    if (const std::optional<Operand> value = resolve_operand({term.name, index.at})) {
      split.values.push_back({*value, term.factor});
    }
  }
  std::sort(split.loops.begin(), split.loops.end(),
            [](const LoopTerm& a, const LoopTerm& b) { return a.scope < b.scope; });
  return split;
}

Lowering::Address Lowering::address(const ArraySource& array, const IndexSource& index, int bytes) {
  if (source_.raw) {
    return raw_address(index, bytes);
  }
  SplitIndex parts = split(index);
  Address address;
  address.offset_bytes = parts.offset * bytes;
  if (!is_wide(array)) {
    address.offset_bytes += shared_offset(array);
  }
  // A pointer carried by a loop needs what it starts from to stay the same in that loop.
  while (!parts.loops.empty() && !invariant_in(loops_[parts.loops.back().scope], parts.values)) {
    const LoopTerm term = parts.loops.back();
    parts.loops.pop_back();
    parts.values.push_back({Operand{*loops_[term.scope].counter}, term.factor});
  }
  if (!parts.loops.empty()) {
    address.pointer = induction_pointer(array, parts, bytes);
  } else if (!parts.values.empty() || is_wide(array)) {
    address.pointer = plain_pointer(array, parts.values, bytes);
  } else if (dialect_.shared_window) {
    address.pointer = shared_base();
  }
  return address;
}

// Without lowering, an index is the address itself: a value that the author has set, or nothing.
Lowering::Address Lowering::raw_address(const IndexSource& index, int bytes) {
  Address address;
  address.offset_bytes = index.offset * bytes;
  for (const IndexSource::Term& term : index.terms) {
    if (!is_builtin_name(term.name)) {
      address.pointer = resolve_operand({term.name, index.at});
    }
  }
  return address;
}

bool Lowering::invariant_in(const LoopScope& scope, const std::vector<ValueTerm>& terms) const {
  return std::all_of(terms.begin(), terms.end(), [this, &scope](const ValueTerm& term) {
    const ValueId value = term.operand.value;
    return fixed_values_.count(value) > 0 ||
           (value < scope.values_before && scope.assigned.count(value) == 0);
  });
}

// The innermost loop of the index carries a pointer: set before the loop, advanced at its end.
Operand Lowering::induction_pointer(const ArraySource& array, const SplitIndex& index, int bytes) {
  std::string key = address_key(array, index.values, bytes);
  for (const LoopTerm& term : index.loops) {
    key += fmt::format("@{}*{}", term.scope, term.factor * bytes);
  }
  const std::size_t depth = index.loops.back().scope;
  for (const Induction& induction : loops_[depth].inductions) {
    if (induction.key == key) {
      return {induction.pointer};
    }
  }
  const bool wide = is_wide(array);
  const ValueId pointer = new_value("pointer", RegisterFile::vector, wide ? 2 : 1);
  loops_[depth].inductions.push_back({key, pointer, index.loops.back().factor * bytes, wide});

  // What comes before the loop is written as if the loop were not there yet.
  std::vector<LoopScope> inner(std::make_move_iterator(loops_.begin() + static_cast<long>(depth)),
                               std::make_move_iterator(loops_.end()));
  loops_.resize(depth);
  Buffer* const body = std::exchange(current_, &inner.front().preheader);
  const int copy = std::exchange(copy_number_, -1);
  SplitIndex outer = index;
  outer.loops.pop_back();
  if (outer.loops.empty()) {
    compute_pointer(array, outer.values, bytes, pointer);
  } else {
    const Operand from = induction_pointer(array, outer, bytes);
    for (int part = 0; part < (wide ? 2 : 1); ++part) {
      const int component = wide ? part : kWhole;
      emit(draft("MOV", "%d0, %s0", {{pointer, component}}, {{from.value, component}}));
    }
  }
  current_ = body;
  copy_number_ = copy;
  loops_.insert(loops_.end(), std::make_move_iterator(inner.begin()),
                std::make_move_iterator(inner.end()));
  return {pointer};
}

void Lowering::advance(const Induction& induction, std::int64_t iterations) {
  const std::string step = fmt::format("{:#x}", induction.step_bytes * iterations);
  if (!induction.wide) {
    emit(
        draft("IADD3", "%d0, %s0, " + step + ", RZ", {{induction.pointer}}, {{induction.pointer}}));
    return;
  }
  const Operand carry{new_value("carry", RegisterFile::predicate)};
  emit(draft("IADD3", "%d0, %d1, %s0, " + step + ", RZ", {{induction.pointer, 0}, carry},
             {{induction.pointer, 0}}));
  emit(draft("IADD3.X", "%d0, RZ, %s0, RZ, %s1, !PT", {{induction.pointer, 1}},
             {{induction.pointer, 1}, carry}));
}

// The number of the outermost loop in front of which the address can be computed; loops_.size()
// when it must stay where it is.
std::size_t Lowering::outermost_invariant(const std::vector<ValueTerm>& terms) const {
  std::size_t outermost = loops_.size();
  for (std::size_t scope = loops_.size(); scope-- > 0;) {
    if (!loops_[scope].rolled) {
      continue;
    }
    if (!invariant_in(loops_[scope], terms)) {
      break;
    }
    outermost = scope;
  }
  return outermost;
}

// An address without loops in it: computed once, as far out as it can be.
Operand Lowering::plain_pointer(const ArraySource& array, const std::vector<ValueTerm>& terms,
                                int bytes) {
  if (terms.empty()) {
    return pointer(array.array.name);
  }
  std::vector<ValueId> needs;
  needs.reserve(terms.size());
  for (const ValueTerm& term : terms) {
    needs.push_back(term.operand.value);
  }
  const std::string key = address_key(array, terms, bytes);
  for (const auto& scope : addresses_) {
    if (const auto found = scope.find(key); found != scope.end()) {
      return found->second.pointer;
    }
  }
  const std::size_t depth = outermost_invariant(terms);
  const bool hoisted = depth < loops_.size();
  Buffer* const place = std::exchange(current_, hoisted ? &loops_[depth].preheader : current_);
  const int copy = std::exchange(copy_number_, hoisted ? -1 : copy_number_);
  const Operand made = compute_pointer(array, terms, bytes);
  current_ = place;
  copy_number_ = copy;
  const std::size_t scope = hoisted ? loops_[depth].address_scope : addresses_.size() - 1;
  addresses_[scope][key] = {made, needs};
  return made;
}

Operand Lowering::compute_pointer(const ArraySource& array, const std::vector<ValueTerm>& terms,
                                  int bytes, std::optional<ValueId> into) {
  const bool wide = is_wide(array);
  const Operand result{into ? *into : new_value("address", RegisterFile::vector, wide ? 2 : 1)};
  if (terms.empty()) {  // only a loop's start
    const Operand from = wide ? pointer(array.array.name) : Operand{};
    for (int part = 0; part < (wide ? 2 : 1); ++part) {
      const int component = wide ? part : kWhole;
      if (wide || dialect_.shared_window) {
        const Operand source = wide ? Operand{from.value, component} : shared_base();
        emit(draft("MOV", "%d0, %s0", {{result.value, component}}, {source}));
      } else {
        emit(draft("MOV", "%d0, RZ", {{result.value, component}}));
      }
    }
    return result;
  }
  const ValueTerm term = single_term(terms);
  const std::int64_t scale = term.factor * bytes;
  if (!wide) {
    const bool power = scale > 0 && (scale & (scale - 1)) == 0;
    std::vector<Operand> sources{term.operand};
    if (dialect_.shared_window) {
      sources.push_back(shared_base());
    }
    const char* const base = dialect_.shared_window ? "%s1" : "RZ";
    emit(power ? draft("LEA",
                       fmt::format("%d0, %s0, {}, {:#x}", base,
                                   __builtin_ctzll(static_cast<std::uint64_t>(scale))),
                       {result}, sources)
               : draft("IMAD", fmt::format("%d0, %s0, {:#x}, {}", scale, base), {result}, sources));
    return result;
  }
  if (dialect_.constant_operands) {
    emit(draft("IMAD.WIDE", fmt::format("%d0, %s0, %s1, c[0x0][{}]", array.array.name), {result},
               {term.operand, scale_register(scale)}));
  } else {
    emit(draft("IMAD.WIDE", fmt::format("%d0, %s0, {:#x}, %s1", scale), {result},
               {term.operand, pointer(array.array.name)}));
  }
  return result;
}

// Several registers in one index are added up first.
Lowering::ValueTerm Lowering::single_term(const std::vector<ValueTerm>& terms) {
  ValueTerm sum = terms.front();
  for (std::size_t next = 1; next < terms.size(); ++next) {
    ValueTerm other = terms[next];
    if (sum.factor != 1 && other.factor == 1) {
      std::swap(sum, other);  // one multiply-add: other.factor * other + sum
    }
    const Operand total{new_value("index")};
    if (sum.factor == other.factor) {
      emit(draft("IADD3", "%d0, %s0, %s1, RZ", {total}, {sum.operand, other.operand}));
      sum = {total, sum.factor};
      continue;
    }
    if (sum.factor != 1) {
      const Operand scaled{new_value("index")};
      emit(draft("IMAD", fmt::format("%d0, %s0, {:#x}, RZ", sum.factor), {scaled}, {sum.operand}));
      sum = {scaled, 1};
    }
    emit(draft("IMAD", fmt::format("%d0, %s0, {:#x}, %s1", other.factor), {total},
               {other.operand, sum.operand}));
    sum = {total, 1};
  }
  return sum;
}

// Before sm_90 the element size of IMAD.WIDE is in a register.
Operand Lowering::scale_register(std::int64_t scale) {
  const std::string key = fmt::format("scale {}", scale);
  if (const auto found = builtins_.find(key); found != builtins_.end()) {
    return found->second;
  }
  const Operand made{new_value("scale")};
  builtins_[key] = made;
  scalar_loads_.push_back(draft("MOV", fmt::format("%d0, {:#x}", scale), {made}));
  return made;
}

}  // namespace smsim::sass
