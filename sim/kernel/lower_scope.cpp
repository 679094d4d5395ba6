// What is known inside a loop: its index, what it changes, which addresses were computed before.
#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

// Values that the body of a loop changes and that exist before it.
void Lowering::collect_assigned(const Body& body, std::set<ValueId>& assigned) const {
  const auto add = [this, &assigned](const std::string& name) {
    const std::string stem = name.substr(0, name.find('.'));
    for (const auto& [known, value] : values_) {
      if (known == name || known.substr(0, known.find('.')) == stem) {
        assigned.insert(value);
      }
    }
  };
  for (const Statement& statement : body) {
    if (const auto* operation = std::get_if<OperationStatement>(&statement.what)) {
      if (operation->result) {
        add(operation->result->name);
      }
    } else if (const auto* loop = std::get_if<ForStatement>(&statement.what)) {
      collect_assigned(loop->body, assigned);
    } else if (const auto* branch = std::get_if<IfStatement>(&statement.what)) {
      collect_assigned(branch->then_body, assigned);
      collect_assigned(branch->else_body, assigned);
    } else if (const auto* tasks = std::get_if<TasksStatement>(&statement.what)) {
      collect_assigned(tasks->body, assigned);
    } else if (const auto* cas = std::get_if<CasStatement>(&statement.what)) {
      collect_assigned(cas->body, assigned);
    } else if (const auto* ticket = std::get_if<TicketStatement>(&statement.what)) {
      add(ticket->result.value_or(""));
    }
  }
}

void Lowering::enter_scope(const std::string& index, const Body& body, bool rolled) {
  LoopScope scope;
  scope.index = index;
  scope.rolled = rolled;
  scope.values_before = static_cast<ValueId>(program_.values.size());
  scope.address_scope = addresses_.size() - 1;
  if (rolled) {
    collect_assigned(body, scope.assigned);
    for (const ValueId value : scope.assigned) {
      forget_addresses_of(value);
    }
    scope.counter = new_value(index.empty() ? "counter" : index);
    addresses_.emplace_back();
  }
  loops_.push_back(std::move(scope));
}

void Lowering::leave_scope() {
  if (loops_.back().rolled) {
    addresses_.pop_back();
  }
  loops_.pop_back();
}

}  // namespace smsim::sass
