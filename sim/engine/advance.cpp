#include "sim/engine/advance.hpp"

#include <stdexcept>
#include <string>

#include "sim/engine/policy/policy_list.hpp"
#include "sim/engine/stepper.hpp"

namespace smsim::engine {
namespace {

template <class Policy>
void advance(const Context& context, SubPartition& sub, Cycle limit, std::uint64_t* tickets) {
  Stepper(context, sub, limit, tickets).template run<Policy>();
}

template <class... Ps>
AdvanceFunction find_advance(const std::string& name, std::tuple<Ps...>* /*list*/) {
  AdvanceFunction found = nullptr;
  ((name == Ps::kName ? found = &advance<Ps> : found), ...);
  return found;
}

}  // namespace

AdvanceFunction advance_for(const std::string& policy) {
  Policies* list = nullptr;
  const AdvanceFunction found = find_advance(policy, list);
  if (found == nullptr) throw std::invalid_argument("unknown policy " + policy);
  return found;
}

}  // namespace smsim::engine
