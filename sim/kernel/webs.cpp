#include "sim/kernel/webs.hpp"

#include <algorithm>
#include <numeric>

#include "sim/kernel/flow_graph.hpp"
#include "sim/kernel/liveness.hpp"

namespace smsim::sass {

namespace {

// One whole definition of a value: `number` counts them over the program.
struct WebDefinition {
  std::size_t position = 0;
  std::size_t result = 0;  // which result of the instruction
  ValueId value = 0;
};

class WebSplitter {
 public:
  explicit WebSplitter(DraftProgram& program)
      : program_(program), graph_(build_flow_graph(program)) {}

  void run() {
    find_candidates();
    if (definitions_.empty()) {
      return;
    }
    reach();
    join_by_uses();
    rename();
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t root(std::size_t number) {
    while (parent_[number] != number) {
      number = parent_[number] = parent_[parent_[number]];
    }
    return number;
  }
  void join(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }

  // Values with several definitions, all of them whole.
  void find_candidates() {
    std::vector<int> count(program_.values.size(), 0);
    std::vector<bool> partial(program_.values.size(), false);
    for (const Draft& draft : program_.code) {
      for (const Operand& result : draft.results) {
        ++count[result.value];
        partial[result.value] = partial[result.value] || result.component != kWhole;
      }
    }
    of_value_.resize(program_.values.size());
    for (std::size_t at = 0; at < program_.code.size(); ++at) {
      const std::vector<Operand>& results = program_.code[at].results;
      for (std::size_t result = 0; result < results.size(); ++result) {
        const ValueId value = results[result].value;
        if (count[value] > 1 && !partial[value]) {
          of_value_[value].push_back(definitions_.size());
          definitions_.push_back({at, result, value});
        }
      }
    }
    parent_.resize(definitions_.size());
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  // What a block does to reaching definitions: the last ones of each value go out, all others of
  // these values end.
  void summarise() {
    generated_.assign(graph_.blocks.size(), BitSet(definitions_.size()));
    ended_ = generated_;
    std::vector<std::size_t> last(program_.values.size(), kNone);
    std::size_t next = 0;
    for (std::size_t number = 0; number < graph_.blocks.size(); ++number) {
      std::vector<ValueId> defined;
      for (; next < definitions_.size() && definitions_[next].position < graph_.blocks[number].end;
           ++next) {
        const ValueId value = definitions_[next].value;
        if (last[value] == kNone) {
          defined.push_back(value);
        }
        last[value] = next;
      }
      for (const ValueId value : defined) {
        generated_[number].insert(last[value]);
        for (const std::size_t other : of_value_[value]) {
          ended_[number].insert(other);
        }
        last[value] = kNone;
      }
    }
  }

  // Reaching definitions at the start of every block.
  void reach() {
    summarise();
    reach_in_.assign(graph_.blocks.size(), BitSet(definitions_.size()));
    std::vector<BitSet> out = generated_;
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t number : graph_.order) {
        for (const std::size_t before : graph_.blocks[number].predecessors) {
          reach_in_[number].merge(out[before]);
        }
        BitSet passing = reach_in_[number];
        passing.remove(ended_[number]);
        changed |= out[number].merge(passing);
      }
    }
  }

  void join_by_uses() {
    use_web_.resize(program_.code.size());
    std::vector<std::vector<std::size_t>> now(program_.values.size());  // reaching, by value
    std::size_t next = 0;
    for (std::size_t number = 0; number < graph_.blocks.size(); ++number) {
      for (std::vector<std::size_t>& reaching : now) {
        reaching.clear();
      }
      reach_in_[number].for_each([&](std::size_t d) { now[definitions_[d].value].push_back(d); });
      const BasicBlock& block = graph_.blocks[number];
      for (std::size_t at = block.begin; at < block.end; ++at) {
        const std::size_t first = next;
        while (next < definitions_.size() && definitions_[next].position == at) {
          ++next;
        }
        for (const Operand& source : program_.code[at].sources) {
          use_web_[at].push_back(join_all(now[source.value]));
          join_in_place(first, next, source.value, use_web_[at].back());
        }
        for (std::size_t definition = first; definition < next; ++definition) {
          now[definitions_[definition].value] = {definition};
        }
      }
    }
  }

  // All definitions that reach one use belong together; returns one of them, or -1.
  std::ptrdiff_t join_all(const std::vector<std::size_t>& reaching) {
    for (const std::size_t definition : reaching) {
      join(definition, reaching.front());
    }
    return reaching.empty() ? -1 : static_cast<std::ptrdiff_t>(reaching.front());
  }

  // x = f(x) stays in its register, as an accumulator does.
  void join_in_place(std::size_t first, std::size_t last, ValueId value, std::ptrdiff_t web) {
    for (std::size_t definition = first; definition < last && web >= 0; ++definition) {
      if (definitions_[definition].value == value) {
        join(definition, static_cast<std::size_t>(web));
      }
    }
  }

  void rename() {
    std::vector<ValueId> name_of(definitions_.size(), 0);
    std::vector<bool> value_taken(program_.values.size(), false);
    for (std::size_t number = 0; number < definitions_.size(); ++number) {
      if (root(number) != number) {
        continue;
      }
      const ValueId value = definitions_[number].value;
      name_of[number] = value;
      if (value_taken[value]) {
        const Value copy = program_.values[value];  // the vector may move
        program_.values.push_back(copy);
        name_of[number] = static_cast<ValueId>(program_.values.size() - 1);
      }
      value_taken[value] = true;
    }
    for (std::size_t at = 0; at < program_.code.size(); ++at) {
      std::vector<Operand>& sources = program_.code[at].sources;
      for (std::size_t source = 0; source < sources.size(); ++source) {
        if (use_web_[at][source] >= 0) {
          sources[source].value = name_of[root(static_cast<std::size_t>(use_web_[at][source]))];
        }
      }
    }
    for (std::size_t number = 0; number < definitions_.size(); ++number) {
      const WebDefinition& definition = definitions_[number];
      program_.code[definition.position].results[definition.result].value = name_of[root(number)];
    }
  }

  DraftProgram& program_;
  FlowGraph graph_;
  std::vector<WebDefinition> definitions_;
  std::vector<std::vector<std::size_t>> of_value_;  // definitions by value
  std::vector<std::size_t> parent_;
  std::vector<BitSet> generated_;  // by block
  std::vector<BitSet> ended_;
  std::vector<BitSet> reach_in_;
  std::vector<std::vector<std::ptrdiff_t>> use_web_;  // by position and source
};

}  // namespace

void split_webs(DraftProgram& program) {
  WebSplitter(program).run();
}

}  // namespace smsim::sass
