// Barriers, flags, counters and clusters of kernel files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

Statement::What KernelReader::barrier_statement(const YAML::Node& node) {
  BarrierStatement made;
  if (node.IsNull()) {
    return made;
  }
  Keys keys(*this, node, "barrier");
  made.id = whole_or(keys.find("id"), 0, kMaxNamedBarriers - 1, 0);
  if (const auto threads = keys.find("threads")) {
    made.threads = whole_or(threads, 32, 1024, std::uint32_t{32});
    if (made.threads % 32 != 0) {
      error(*threads, fmt::format("found {} threads, expected a multiple of 32", made.threads));
    }
  }
  if (const auto arrive = keys.find("arrive")) {
    made.wait = !boolean(*arrive).value_or(false);
    if (!made.wait && made.threads == 0) {
      error(*arrive,
            "found a barrier that is only arrived at without 'threads', expected how many "
            "threads take part");
    }
  }
  keys.finish();
  return made;
}

FlagSource KernelReader::flag(Keys& keys, const YAML::Node& node) {
  constexpr double kMost = 1 << 30;
  FlagSource made;
  made.at = position(node);
  if (const auto name = keys.require("flag")) {
    made.flag = word(*name).value_or("");
    made.at = position(*name);
  }
  if (const auto where = keys.find("index")) {
    const IndexSource which = index(*where);
    made.offset = which.offset;
    for (const IndexSource::Term& term : which.terms) {
      if (term.name != "bid") {
        error(*where, fmt::format("found '{}' in the number of a flag, expected numbers and 'bid'",
                                  term.name));
      }
      made.per_block += term.factor;
    }
    if (std::abs(static_cast<double>(made.offset)) > kMost ||
        std::abs(static_cast<double>(made.per_block)) > kMost) {
      error(*where, "found numbers above 2^30 in the number of a flag, expected smaller ones");
      made.offset = made.per_block = 0;
    }
  }
  return made;
}

// signal: {flag: ready, index: bid, add: 1}; wait: {flag: ready, index: bid - 1, value: 1}.
Statement::What KernelReader::flag_statement(const YAML::Node& node, bool signal) {
  Keys keys(*this, node, signal ? "signal" : "wait");
  const FlagSource which = flag(keys, node);
  Statement::What made;
  if (signal) {
    made = SignalStatement{which, whole_or(keys.find("add"), 1, 1 << 30, std::uint32_t{1})};
  } else {
    WaitStatement wait;
    wait.flag = which;
    wait.value = whole_or(keys.find("value"), 1, 1 << 30, std::uint32_t{1});
    wait.per_visit = whole_or(keys.find("per_visit"), 0, 1 << 30, std::uint32_t{0});
    made = wait;
  }
  keys.finish();
  return made;
}

// A loop of compare-and-swap. How often it is tried follows from how many lanes meet on an address,
// unless the file says so.
Statement::What KernelReader::cas_statement(const YAML::Node& node) {
  CasStatement made;
  Keys keys(*this, node, "cas");
  if (auto where = access(keys, "ATOMG", node)) {
    made.access = *where;
  }
  if (const auto attempts = keys.find("attempts")) {
    made.attempts = distribution(*attempts);
  } else {
    const double lanes = static_cast<double>(made.access.lanes_per_address.value_or(
        made.access.addresses > 0 && made.access.addresses < 32 ? 32 / made.access.addresses : 1));
    made.attempts.kind = Distribution::Kind::uniform;
    made.attempts.minimum = 1;
    made.attempts.maximum = lanes;
    made.attempts.mean = (1 + lanes) / 2;
    note(
        fmt::format("compare-and-swap on '{}': the lanes that meet on one address succeed one "
                    "after the other, so up to {} attempts",
                    made.access.array, lanes));
  }
  made.attempts.minimum = std::max(1.0, made.attempts.minimum);
  if (const auto statements = keys.require("body")) {
    made.body = body(*statements);
  }
  keys.finish();
  return made;
}

// ticket: done, or ticket: {counter: done, result: number}.
Statement::What KernelReader::ticket_statement(const YAML::Node& node) {
  TicketStatement made;
  if (node.IsScalar()) {
    made.counter = node.Scalar();
    return made;
  }
  Keys keys(*this, node, "ticket");
  if (const auto counter = keys.require("counter")) {
    made.counter = word(*counter).value_or("");
  }
  if (const auto result = keys.find("result")) {
    made.result = new_name(*result);
  }
  keys.finish();
  return made;
}

std::optional<Statement::What> KernelReader::cluster_statement(const YAML::Node& node) {
  const auto how = choice(node, {"sync", "arrive", "wait"});
  if (!how) {
    return std::nullopt;
  }
  return ClusterStatement{*how != "wait", *how != "arrive"};
}

}  // namespace smsim
