// Loops, conditions and synchronisation of kernel files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/config/kernel_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

namespace {

constexpr std::int64_t kMostTrips = 4294967295;
constexpr std::size_t kMostListed = 1 << 16;

Scope scope_named(const std::string& name) {
  return name == "thread"  ? Scope::thread
         : name == "warp"  ? Scope::warp
         : name == "block" ? Scope::block
                           : Scope::visit;
}

}  // namespace

TripCount KernelReader::trips(const YAML::Node& node) {
  TripCount made;
  if (node.IsScalar() && node.Scalar() == "work") {
    made.kind = TripCount::Kind::task_work;
    if (!kernel_.tasks) {
      error(node, "found trips 'work' without 'tasks:', expected tasks with work");
    }
  } else if (node.IsScalar()) {
    made.count = static_cast<std::uint64_t>(whole(node, 0, kMostTrips).value_or(0));
  } else if (node.IsSequence()) {
    made.kind = TripCount::Kind::list;
    if (node.size() < 1 || node.size() > kMostListed) {
      error(node,
            fmt::format("found a list of {}, expected 1 to {} numbers", node.size(), kMostListed));
      made.list.push_back(1);
      return made;
    }
    for (const auto& item : node) {
      made.list.push_back(static_cast<std::uint32_t>(whole(item, 0, kMostTrips).value_or(1)));
    }
  } else {
    made.kind = TripCount::Kind::distribution;
    made.distribution = distribution(node);
  }
  return made;
}

std::optional<Statement::What> KernelReader::for_statement(const YAML::Node& node) {
  constexpr std::int64_t kMostUnrolled = 1024;
  Keys keys(*this, node, "for");
  if (const auto tasks = keys.find("tasks")) {
    return tasks_statement(keys, *tasks);
  }
  ForStatement made;
  const auto count = keys.find("trips");
  const auto stride = keys.find("grid_stride");
  if (count.has_value() == stride.has_value()) {
    error(node, fmt::format("found {} of 'trips' and 'grid_stride' in for, expected one of them, "
                            "or 'tasks'",
                            count ? "both" : "neither"));
  } else if (stride) {
    made.trips.kind = TripCount::Kind::grid_stride;
    made.trips.items =
        static_cast<std::uint64_t>(whole(*stride, 0, std::int64_t{1} << 50U).value_or(0));
  } else {
    made.trips = trips(*count);
  }
  made.trips.scope = Scope::grid;
  if (made.trips.kind == TripCount::Kind::list ||
      made.trips.kind == TripCount::Kind::distribution) {
    const auto per = keys.require("per");
    const auto name = per ? choice(*per, {"thread", "warp", "block"}) : std::nullopt;
    made.trips.scope = scope_named(name.value_or("block"));
    if (made.trips.kind == TripCount::Kind::list && made.trips.scope == Scope::thread) {
      error(*per, "found a list of trips per thread, expected 'per: warp' or 'per: block'");
    }
  }
  made.unroll = whole_or(keys.find("unroll"), 1, kMostUnrolled, std::uint64_t{1});
  if (const auto index = keys.find("index")) {
    made.index = new_name(*index).value_or("");
  }
  if (const auto bound = keys.find("bound")) {
    made.bound = value(*bound);
  }
  if (const auto statements = keys.require("body")) {
    made.body = body(*statements);
  }
  keys.finish();
  return made;
}

std::optional<Statement::What> KernelReader::tasks_statement(Keys& keys, const YAML::Node& tasks) {
  TasksStatement made;
  made.dynamic = choice(tasks, {"dynamic", "static"}).value_or("dynamic") == "dynamic";
  if (const auto per = keys.find("per")) {
    made.per_block = choice(*per, {"block", "warp"}).value_or("block") == "block";
  }
  made.batch = whole_or(keys.find("batch"), 1, 1 << 20, std::uint32_t{1});
  if (const auto index = keys.find("index")) {
    made.index = new_name(*index).value_or("");
  }
  if (const auto statements = keys.require("body")) {
    made.body = body(*statements);
  }
  keys.finish();
  return made;
}

// One of: fraction, warps, threads, lanes, blocks, when, last_ticket.
ConditionSource KernelReader::condition(Keys& keys, const YAML::Node& node) {
  ConditionSource made;
  Condition& what = made.condition;
  int found = 0;
  const auto read_range = [&](const char* key, Condition::Kind kind) {
    if (const auto value = keys.find(key)) {
      ++found;
      what.kind = kind;
      const Range limits = range(*value).value_or(Range{0, 1});
      what.first = limits.first;
      what.last = limits.last;
    }
  };
  if (const auto fraction = keys.find("fraction")) {
    ++found;
    what.kind = Condition::Kind::fraction;
    what.fraction = number(*fraction, 0, 1).value_or(0);
    const auto per = keys.require("per");
    const auto name = per ? choice(*per, {"thread", "warp", "block", "visit"}) : std::nullopt;
    what.scope = scope_named(name.value_or("thread"));
  }
  read_range("warps", Condition::Kind::warp_range);
  read_range("threads", Condition::Kind::thread_range);
  read_range("lanes", Condition::Kind::lane_range);
  read_range("blocks", Condition::Kind::block_range);
  if (const auto when = keys.find("when")) {
    ++found;
    made = comparison(*when);
  }
  if (const auto ticket = keys.find("last_ticket")) {
    ++found;
    made = last_ticket(*ticket);
  }
  if (const auto on = keys.find("on")) {
    made.depends_on = value(*on);
  }
  if (found != 1) {
    error(node, fmt::format("found {} conditions in if, expected one of fraction, warps, threads, "
                            "lanes, blocks, when, last_ticket",
                            found));
  }
  return made;
}

// The block that drew the last number of a counter.
ConditionSource KernelReader::last_ticket(const YAML::Node& node) {
  ConditionSource made;
  made.condition.kind = Condition::Kind::last_ticket;
  const std::string name = word(node).value_or("");
  std::vector<std::string> names;
  names.reserve(kernel_.counters.size());
  for (const CounterSource& counter : kernel_.counters) {
    names.push_back(counter.name);
    if (counter.name == name) {
      made.condition.last = counter.count;
      return made;
    }
  }
  error(node, fmt::format("found unknown counter '{}', expected one of 'counters:'{}", name,
                          did_you_mean(name, names)));
  return made;
}

// "i < n", "tid < 32", "lane == 0", "i < w and j < h".
ConditionSource KernelReader::comparison(const YAML::Node& node) {
  ConditionSource made;
  if (!node.IsScalar()) {
    error(node, fmt::format("found {}, expected a comparison such as 'i < n'", describe(node)));
    return made;
  }
  const std::string& text = node.Scalar();
  const std::size_t both = text.find(" and ");
  const std::optional<Condition> first = compare(node, text.substr(0, both));
  made.condition = first.value_or(Condition{});
  if (both != std::string::npos) {
    const std::optional<Condition> second = compare(node, text.substr(both + 5));
    if (first && second) {
      made = two_dimensional(node, text, *first, *second);
    }
  }
  return made;
}

std::optional<Condition> KernelReader::compare(const YAML::Node& node, const std::string& text) {
  static const std::vector<std::pair<std::string, Condition::Kind>> kKinds = {
      {"i", Condition::Kind::index_below},    {"j", Condition::Kind::index_below},
      {"tid", Condition::Kind::thread_range}, {"bid", Condition::Kind::block_range},
      {"warp", Condition::Kind::warp_range},  {"lane", Condition::Kind::lane_range}};
  const std::size_t at = text.find_first_of("<=>");
  const std::string name = text.substr(0, at);
  const std::string trimmed = name.substr(0, name.find_last_not_of(' ') + 1);
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&trimmed](const auto& entry) { return entry.first == trimmed; });
  const std::string op =
      at == std::string::npos ? "" : text.substr(at, text.find_first_not_of("<=>", at) - at);
  const bool index = trimmed == "i" || trimmed == "j";
  if (kind == kKinds.end() || (op != "<" && (op != "==" || index))) {
    error(node, fmt::format("found '{}', expected a comparison such as 'i < n', 'tid < 32' or "
                            "'lane == 0'",
                            text));
    return std::nullopt;
  }
  ExpressionError problem;
  const std::size_t right = at + op.size();
  // In parentheses a comparison is a number; without, the chain would not mean what it looks like.
  if (text.find('(') == std::string::npos &&
      text.find_first_of("<=>", right) != std::string::npos) {
    error(node, fmt::format("found '{}', expected one comparison, or two joined by 'and'", text));
    return std::nullopt;
  }
  const std::optional<LinearForm> bound = evaluate(text.substr(right), scope_, problem);
  if (!bound || bound->constant < 0 || bound->constant > 1e15) {
    error(node,
          bound ? fmt::format("found a bound of {}, expected 0 or more", bound->constant)
                : problem.message,
          bound ? 0 : static_cast<int>(right) + problem.column);
    return std::nullopt;
  }
  if (op == "==" && bound->constant != std::floor(bound->constant)) {
    error(node,
          fmt::format("found {} on the right of '==', expected a whole number", bound->constant));
    return std::nullopt;
  }
  Condition made;
  made.kind = kind->second;
  made.scope = Scope::thread;
  const double limit = std::ceil(bound->constant);
  made.first = op == "==" ? static_cast<std::uint64_t>(limit) : 0;
  made.last = static_cast<std::uint64_t>(limit) + (op == "==" ? 1 : 0);
  if (trimmed == "i") {
    YAML::Node bound_text(text.substr(right));
    made.last = static_cast<std::uint64_t>(std::round(limit * scale_of(bound_text)));
  }
  return made;
}

// In two dimensions the blocks at the right and lower edge are partly outside: a share of the
// warps.
ConditionSource KernelReader::two_dimensional(const YAML::Node& node, const std::string& text,
                                              const Condition& first, const Condition& second) {
  ConditionSource made;
  made.two_dimensional = true;
  if (first.kind != Condition::Kind::index_below || second.kind != Condition::Kind::index_below) {
    error(node, fmt::format("found '{}', expected 'i < width and j < height'", text));
    return made;
  }
  const LaunchSpec& launch = kernel_.launch;
  const double width = static_cast<double>(launch.grid.x * launch.block.x);
  const double height = static_cast<double>(launch.grid.y * launch.block.y);
  const double inside = std::min(1.0, static_cast<double>(first.last) / grid_scale_ / width) *
                        std::min(1.0, static_cast<double>(second.last) / height);
  made.condition.kind = Condition::Kind::index_below;
  made.condition.last = static_cast<std::uint64_t>(width * height);
  if (inside < 1) {
    made.condition.kind = Condition::Kind::fraction;
    made.condition.scope = Scope::warp;
    made.condition.fraction = inside;
    note(
        fmt::format("guard '{}': {:.1f} % of the warps, drawn at random, stand for the threads "
                    "inside",
                    text, 100 * inside));
  }
  return made;
}

Statement::What KernelReader::if_statement(const YAML::Node& node) {
  IfStatement made;
  Keys keys(*this, node, "if");
  made.condition = condition(keys, node);
  if (const auto statements = keys.require("then")) {
    made.then_body = body(*statements);
  }
  if (const auto statements = keys.find("else")) {
    made.else_body = body(*statements);
  }
  keys.finish();
  return made;
}

}  // namespace smsim
