// Names: values, loop indices, thread indices, kernel arguments.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

namespace {

constexpr const char* kBuiltins[] = {"i",   "j",     "tid",   "tid_y", "tid_z",
                                     "bid", "bid_y", "bid_z", "lane",  "warp"};

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_component(std::string_view text, int& component) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), component);
  return error == std::errc() && end == text.data() + text.size() && component >= 0;
}

}  // namespace

bool is_builtin_name(const std::string& name) {
  return std::find(std::begin(kBuiltins), std::end(kBuiltins), name) != std::end(kBuiltins);
}

std::vector<std::string> Lowering::known_names() const {
  std::vector<std::string> names(std::begin(kBuiltins), std::end(kBuiltins));
  names.reserve(names.size() + values_.size() + loops_.size());
  for (const auto& [name, value] : values_) {
    names.push_back(name);
  }
  for (const LoopScope& loop : loops_) {
    names.push_back(loop.index);
  }
  names.insert(names.end(), source_.scalars.begin(), source_.scalars.end());
  return names;
}

Lowering::Resolved Lowering::resolve(const ValueSource& source) {
  if (is_number(source.name)) {
    return {std::nullopt, source.name};
  }
  if (const auto found = find_value(source.name)) {
    return *found;
  }
  problem(source.at,
          fmt::format("found '{}', expected a value that was set before, a scalar, an index or a "
                      "number",
                      source.name),
          source.name, known_names());
  return {std::nullopt, "RZ"};
}

std::optional<Operand> Lowering::resolve_operand(const ValueSource& source) {
  return resolve(source).operand;
}

std::optional<Lowering::Resolved> Lowering::find_value(const std::string& name) {
  if (const auto found = values_.find(name); found != values_.end()) {
    return Resolved{Operand{found->second}, ""};
  }
  for (std::size_t scope = loops_.size(); scope-- > 0;) {
    if (!name.empty() && loops_[scope].index == name) {
      return loop_index(scope);
    }
  }
  if (is_builtin_name(name)) {
    return Resolved{builtin(name), ""};
  }
  if (std::find(source_.scalars.begin(), source_.scalars.end(), name) != source_.scalars.end()) {
    return scalar(name);
  }
  // "x.2": a part of a wide value.
  const std::size_t dot = name.rfind('.');
  int component = 0;
  if (dot != std::string::npos &&
      parse_component(std::string_view(name).substr(dot + 1), component)) {
    const auto whole = values_.find(name.substr(0, dot));
    if (whole != values_.end() && component < program_.values[whole->second].width) {
      return Resolved{Operand{whole->second, component}, ""};
    }
  }
  return std::nullopt;
}

// The index of a loop as a number in a register: its counter, plus the copy within the body.
Lowering::Resolved Lowering::loop_index(std::size_t scope) {
  const LoopScope& loop = loops_[scope];
  if (!loop.rolled) {
    return {std::nullopt, fmt::format("{:#x}", loop.copy)};
  }
  if (loop.copy == 0) {
    return {Operand{*loop.counter}, ""};
  }
  const ValueId sum = new_value(loop.index);
  emit(draft("IADD3", fmt::format("%d0, %s0, {:#x}, RZ", loop.copy), {{sum}}, {{*loop.counter}}));
  return {Operand{sum}, ""};
}

// Thread and block numbers are read once, at the start of the program.
Operand Lowering::builtin(const std::string& name) {
  if (const auto found = builtins_.find(name); found != builtins_.end()) {
    return found->second;
  }
  Buffer* const outer = std::exchange(current_, &entry_);
  const int copy = std::exchange(copy_number_, -1);
  Operand made;
  if (name == "i" || name == "j") {
    made = global_index(name == "i" ? "X" : "Y");
  } else if (name == "lane" || name == "warp") {
    made = {new_value(name)};
    const Operand thread = builtin("tid");
    emit(name == "lane" ? draft("LOP3", "%d0, %s0, 0x1f, RZ, 0xc0, !PT", {made}, {thread})
                        : draft("SHF", "%d0, RZ, 0x5, %s0", {made}, {thread}));
  } else {
    const bool block = name[0] == 'b';
    const char axis = name.size() < 5 ? 'X' : name[4] == 'y' ? 'Y' : 'Z';
    const bool uniform = block && !dialect_.constant_operands;
    made = {new_value(name, uniform ? RegisterFile::uniform : RegisterFile::vector)};
    emit(draft(uniform ? "S2UR" : "S2R",
               fmt::format("%d0, SR_{}.{}", block ? "CTAID" : "TID", axis), {made}));
  }
  current_ = outer;
  copy_number_ = copy;
  builtins_[name] = made;
  fixed_values_.insert(made.value);
  return made;
}

// Block number x block size + thread number.
Operand Lowering::global_index(const std::string& axis) {
  const Operand thread = builtin(axis == "X" ? "tid" : "tid_y");
  const Operand block = builtin(axis == "X" ? "bid" : "bid_y");
  const Operand index{new_value(axis == "X" ? "i" : "j")};
  const std::string size = axis == "X" ? "c[0x0][0x0]" : "c[0x0][0x4]";
  if (dialect_.constant_operands) {
    emit(draft("IMAD", fmt::format("%d0, %s0, {}, %s1", size), {index}, {block, thread}));
    return index;
  }
  const Operand threads{new_value("ntid")};
  emit(draft("LDC", "%d0, " + size, {threads}));
  emit(draft("IMAD", "%d0, %s0, %s1, %s2", {index}, {threads, block, thread}));
  return index;
}

// A plain kernel argument: a uniform register, or before sm_90 an operand in constant memory.
Lowering::Resolved Lowering::scalar(const std::string& name) {
  if (dialect_.constant_operands || source_.raw) {
    return {std::nullopt, "c[0x0][" + name + "]"};
  }
  if (const auto found = builtins_.find("scalar " + name); found != builtins_.end()) {
    return {found->second, ""};
  }
  const Operand made{new_value(name, RegisterFile::uniform)};
  builtins_["scalar " + name] = made;
  scalar_loads_.push_back(
      draft(dialect_.load_uniform, fmt::format("%d0, c[0x0][{}]", name), {made}));
  return {made, ""};
}

// Where an array begins: read once, after the guard.
Operand Lowering::pointer(const std::string& array) {
  const std::string key = "pointer " + array;
  if (const auto found = builtins_.find(key); found != builtins_.end()) {
    return found->second;
  }
  const Operand made{new_value(array, RegisterFile::vector, 2)};
  builtins_[key] = made;
  if (dialect_.constant_operands) {
    const std::string from = fmt::format(", c[0x0][{}]", array);
    pointer_loads_.push_back(draft("MOV", "%d0" + from, {{made.value, 0}}));
    pointer_loads_.push_back(draft("MOV", "%d0" + from + "+4", {{made.value, 1}}));
  } else {
    pointer_loads_.push_back(draft("LDC.64", fmt::format("%d0, c[0x0][{}]", array), {made}));
  }
  return made;
}

Operand Lowering::descriptor() {
  if (const auto found = builtins_.find("descriptor"); found != builtins_.end()) {
    return found->second;
  }
  const Operand made{new_value("descriptor", RegisterFile::uniform, 2)};
  builtins_["descriptor"] = made;
  descriptor_load_ =
      draft(std::string(dialect_.load_uniform) + ".64", "%d0, c[0x0][0x208]", {made});
  return made;
}

// Where the block's shared memory begins, as seen from its cluster.
Operand Lowering::shared_base() {
  if (const auto found = builtins_.find("shared base"); found != builtins_.end()) {
    return found->second;
  }
  const Operand rank{new_value("rank", RegisterFile::uniform)};
  const Operand offset{new_value("offset", RegisterFile::uniform)};
  const Operand base{new_value("shared", RegisterFile::uniform)};
  builtins_["shared base"] = base;
  shared_base_.push_back(draft("S2UR", "%d0, SR_CgaCtaId", {rank}));
  shared_base_.push_back(draft("UMOV", "%d0, 0x400", {offset}));
  shared_base_.push_back(draft("ULEA", "%d0, %s0, %s1, 0x18", {base}, {rank, offset}));
  return base;
}

// The value that an operation sets: a new one, or one that has the name already.
ValueId Lowering::define(const ValueSource& result, RegisterFile file, int width, int& component) {
  const std::string& name = result.name;
  component = kWhole;
  if (is_builtin_name(name)) {
    problem(result.at, fmt::format("found '{}' as the name of a result, expected another name: it "
                                   "is an index",
                                   name));
  }
  auto found = values_.find(name);
  if (found == values_.end()) {
    const std::optional<Resolved> part = find_value(name);
    if (part && part->operand && part->operand->component != kWhole) {
      component = part->operand->component;
      forget_addresses_of(part->operand->value);
      return part->operand->value;
    }
    return values_[name] = new_value(name, file, width);
  }
  const Value& old = program_.values[found->second];
  forget_addresses_of(found->second);
  if (old.file != file || old.width != width) {  // another kind of value under an old name
    found->second = new_value(name, file, width);
  }
  return found->second;
}

void Lowering::forget_addresses_of(ValueId value) {
  for (auto& scope : addresses_) {
    for (auto entry = scope.begin(); entry != scope.end();) {
      const std::vector<ValueId>& needs = entry->second.depends_on;
      const bool stale = std::find(needs.begin(), needs.end(), value) != needs.end();
      entry = stale ? scope.erase(entry) : std::next(entry);
    }
  }
}

}  // namespace smsim::sass
