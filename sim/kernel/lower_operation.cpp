// One operation of the author: its operands, its memory access.
#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

namespace {

// "LDG" and 16 bytes become "LDG.E.128", unless the author says it all.
std::string memory_mnemonic(const std::string& op, OperationKind kind, int bytes) {
  std::string mnemonic = op;
  if (op.find('.') != std::string::npos) {
    return mnemonic;
  }
  if (kind == OperationKind::atomic || kind == OperationKind::reduction) {
    if (op == "ATOMS") {
      return "ATOMS.ADD";
    }
    return op + (bytes == 8 ? ".E.ADD.64.STRONG.GPU" : ".E.ADD.STRONG.GPU");
  }
  if (op == "LDG" || op == "STG" || op == "LD" || op == "LDGSTS") {
    mnemonic += ".E";
  }
  switch (bytes) {
    case 1:
      return mnemonic + ".U8";
    case 2:
      return mnemonic + ".U16";
    case 8:
      return mnemonic + ".64";
    case 16:
      return mnemonic + ".128";
    default:
      return mnemonic;
  }
}

std::string offset_text(std::int64_t bytes) {
  if (bytes == 0) {
    return "";
  }
  return bytes > 0 ? fmt::format("+{:#x}", bytes) : fmt::format("+-{:#x}", -bytes);
}

}  // namespace

const ArraySource* Lowering::find_array(const std::string& name, SourcePosition at) {
  const auto found = std::find_if(source_.arrays.begin(), source_.arrays.end(),
                                  [&name](const ArraySource& a) { return a.array.name == name; });
  if (found != source_.arrays.end()) {
    return &*found;
  }
  std::vector<std::string> names;
  names.reserve(source_.arrays.size());
  for (const ArraySource& array : source_.arrays) {
    names.push_back(array.array.name);
  }
  problem(at, fmt::format("found '{}', expected an array of 'arrays:'", name), name, names);
  return nullptr;
}

void Lowering::lower(const OperationStatement& operation, SourcePosition at) {
  const OperationInfo* info = find_operation(operation.op);
  if (info == nullptr || info->kind == OperationKind::control) {
    problem(at, fmt::format("found '{}', expected a SASS operation", operation.op), operation.op,
            operation_families());
    return;
  }
  const std::optional<Operation> timing = find_timing(gpu_, operation.op);
  if (!timing) {
    problem(at, fmt::format("found '{}', expected an operation that the GPU '{}' has", operation.op,
                            gpu_.name));
    return;
  }
  flops_ += weight_ * info->flops;
  if (operation.access) {
    lower_memory(operation, *info, at);
  } else {
    lower_compute(operation, *info);
  }
}

void Lowering::add_result(Draft& draft, const OperationStatement& operation, RegisterFile file,
                          int width) {
  if (!operation.result) {
    return;
  }
  const bool existed = values_.count(operation.result->name) > 0;
  int component = kWhole;
  const ValueId value = define(*operation.result, file, width, component);
  draft.results.insert(draft.results.begin(), {value, component});
  // An instruction that may not write keeps the old value alive.
  if (existed && (predicate_operand_ || operation.when)) {
    draft.sources.push_back({value, component});
  }
}

void Lowering::add_predicate(Draft& draft, const OperationStatement& operation) {
  if (predicate_operand_) {
    draft.predicate = predicate_;
    draft.sources.push_back({predicate_operand_->value, kWhole, Role::guard});
  }
  if (operation.when) {
    if (const auto predicate = resolve_operand(*operation.when)) {
      if (program_.values[predicate->value].file != RegisterFile::predicate) {
        problem(operation.when->at, fmt::format("found '{}', expected a predicate: the result of "
                                                "ISETP, FSETP or another comparison",
                                                operation.when->name));
      }
      draft.sources.push_back({predicate->value, kWhole, Role::guard});
    }
  }
}

void Lowering::lower_compute(const OperationStatement& operation, const OperationInfo& info) {
  std::string text = "%d0";
  if (info.result == RegisterFile::predicate) {
    text += ", PT";
  }
  std::vector<Operand> sources;
  for (const ValueSource& source : operation.sources) {
    const Resolved resolved = resolve(source);
    if (resolved.operand) {
      text += fmt::format(", %s{}", sources.size());
      sources.push_back(*resolved.operand);
    } else {
      text += ", " + resolved.literal;
    }
  }
  Draft made = draft(operation.op, text, {}, sources);
  add_predicate(made, operation);
  const int width =
      operation.registers > 0 ? operation.registers : result_width(info, operation.op);
  add_result(made, operation, info.result, width);
  if (made.results.empty()) {
    made.operands.replace(0, 3, info.result == RegisterFile::predicate ? "PT" : "RZ");
  }
  emit(std::move(made));
}

// Adds the address of an access to a draft and to its text.
void Lowering::add_address(Draft& made, std::string& text, const ArraySource& array,
                           const Address& address) {
  const bool global = array.space == Space::global;
  if (global && dialect_.descriptors) {
    const Operand where = descriptor();
    text += fmt::format("desc[%s{}]", made.sources.size());
    made.sources.push_back({where.value, kWhole, Role::memory});
  }
  if (!address.pointer) {
    text += fmt::format("[{:#x}]", address.offset_bytes);
    return;
  }
  text += fmt::format("[%s{}{}{}]", made.sources.size(), global ? ".64" : "",
                      offset_text(address.offset_bytes));
  made.sources.push_back({address.pointer->value, address.pointer->component, Role::memory});
}

void Lowering::lower_memory(const OperationStatement& operation, const OperationInfo& info,
                            SourcePosition at) {
  const AccessSource& access = *operation.access;
  const ArraySource* array = find_array(access.array, access.array_at);
  if (array == nullptr) {
    return;
  }
  std::optional<Operand> elected;
  if (access.aggregated) {
    elected = elect_lane();
  }
  Draft made = draft(memory_mnemonic(operation.op, info.kind, access.bytes), "");
  std::string text;
  if (info.kind == OperationKind::async_copy) {
    if (const ArraySource* to = find_array(access.to, at)) {
      add_address(made, text, *to, address(*to, access.index, access.bytes));
      text += ", ";
    }
  }
  add_address(made, text, *array, address(*array, access.index, access.bytes));
  for (const ValueSource& source : operation.sources) {
    const Resolved resolved = resolve(source);
    text += ", ";
    if (resolved.operand) {
      text += fmt::format("%s{}", made.sources.size());
      made.sources.push_back({resolved.operand->value, resolved.operand->component, Role::memory});
    } else {
      text += resolved.literal;
    }
  }
  if (elected) {
    made.sources.push_back({elected->value, kWhole, Role::guard});
  }
  add_predicate(made, operation);
  if (info.result_width > 0) {
    const int width = operation.registers > 0
                          ? operation.registers
                          : std::max(result_width(info, made.mnemonic), access.bytes / 4);
    text = "%d0, " + text;
    add_result(made, operation, RegisterFile::vector, width);
    if (made.results.empty()) {
      made.results.push_back({new_value("unused", RegisterFile::vector, width)});
    }
  }
  made.operands = text;
  made.action = Action::memory;
  made.operand = make_access(access, *array, info, at);
  made.reads_late = true;
  made.array = program_.tables.accesses[made.operand].array;
  made.effect = info.kind == OperationKind::load    ? MemoryEffect::load
                : info.kind == OperationKind::store ? MemoryEffect::store
                                                    : MemoryEffect::fence;
  if (info.kind == OperationKind::async_copy) {
    made.async_slot = static_cast<int>(copy_group_ % copy_groups_);
  }
  emit(std::move(made));
}

}  // namespace smsim::sass
