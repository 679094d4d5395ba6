#include "sim/import/counted_graph.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sim/import/dominators.hpp"

namespace smsim {

namespace {

enum class End : std::uint8_t { plain, branch, exit, ret, call, converge };

End end_of(const sass::SassText& text) {
  const std::string_view family = sass::family_of(text.mnemonic);
  if (family == "BRA" || family == "JMP" || family == "BRX" || family == "JMX" ||
      family == "BRXU" || family == "JMXU") {
    return End::branch;
  }
  if (family == "EXIT" || family == "KILL") return End::exit;
  if (family == "RET") return End::ret;
  if (family == "CALL") return End::call;
  return family == "BSYNC" ? End::converge : End::plain;
}

// "BAR.SYNC 0x0": all warps of the block; with a number of threads only some.
bool is_block_barrier(const sass::SassText& text) {
  return text.mnemonic.rfind("BAR", 0) == 0 && text.mnemonic.find("ARV") == std::string::npos &&
         text.operands.size() < 2;
}

class GraphBuilder {
 public:
  explicit GraphBuilder(const std::vector<CountedLine>& lines) : lines_(lines) {}

  CountedGraph run() {
    split();
    connect();
    count_ways();
    find_loops();
    find_merges();
    return std::move(graph_);
  }

 private:
  void split() {
    std::set<std::uint32_t> starts;
    for (const CountedLine& line : lines_) {
      if (const auto target = sass::code_target(line.text);
          target && (end_of(line.text) == End::branch || end_of(line.text) == End::call)) {
        starts.insert(*target);
      }
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool starts_here = i == 0 || starts.count(lines_[i].offset) > 0 ||
                               end_of(lines_[i - 1].text) != End::plain ||
                               lines_[i].executed != lines_[i - 1].executed;
      if (starts_here) {
        if (!graph_.blocks.empty()) graph_.blocks.back().end = i;
        CountedBlock block;
        block.begin = i;
        block.end = lines_.size();
        block.executed = lines_[i].executed;
        block_at_[lines_[i].offset] = graph_.blocks.size();
        graph_.blocks.push_back(block);
      }
      graph_.blocks.back().barrier |= is_block_barrier(lines_[i].text);
    }
  }

  void connect() {
    for (std::size_t number = 0; number < graph_.blocks.size(); ++number) {
      CountedBlock& block = graph_.blocks[number];
      const CountedLine& last = lines_[block.end - 1];
      const End end = end_of(last.text);
      // BRA.U UP0, target and its kin carry their condition as an operand.
      const bool guarded = !last.text.guard.empty() || last.text.operands.size() > 1;
      const auto target = sass::code_target(last.text);
      if (end == End::branch && target && block_at_.count(*target) > 0) {
        block.target = block_at_[*target];
      }
      block.exits = end == End::exit;
      block.conditional = (end == End::branch || end == End::exit) && guarded;
      const bool goes_on = end == End::plain || end == End::converge || end == End::call ||
                           block.conditional || (end == End::branch && !block.target && !target);
      if (goes_on && number + 1 < graph_.blocks.size()) block.next = number + 1;
    }
  }

  double divergent(const CountedBlock& block) const {
    return block.conditional ? lines_[block.end - 1].divergent : 0;
  }

  // Ways of unconditional ends are as frequent as their blocks. Of a conditional one, falling and
  // jumping add up to the block's executions and its divergent ones; what remains unknown follows
  // from the blocks that they lead to.
  void count_ways() {
    const std::size_t count = graph_.blocks.size();
    known_.assign(count, false);
    std::vector<std::vector<std::size_t>> into(count);  // blocks that lead here
    for (std::size_t i = 0; i < count; ++i) {
      CountedBlock& block = graph_.blocks[i];
      if (block.next) into[*block.next].push_back(i);
      if (block.target && block.target != block.next) into[*block.target].push_back(i);
      if (!block.conditional || block.executed == 0) {
        block.falls = block.next ? block.executed : 0;
        block.jumps = block.target && !block.conditional ? block.executed : 0;
        if (!block.conditional && block.next && ends_with_merge(block)) {
          block.falls = graph_.blocks[*block.next].executed;  // several parts become one
        }
        known_[i] = true;
      } else if (block.exits && !block.next) {
        block.jumps = block.executed;
        known_[i] = true;
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < count; ++i) changed |= settle_entry(i, into[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (known_[i]) continue;
      graph_.complete = false;
      assume(i);
    }
  }

  bool ends_with_merge(const CountedBlock& block) const {
    return end_of(lines_[block.end - 1].text) == End::converge;
  }

  // All but one of the ways into a block are known: so is the last.
  bool settle_entry(std::size_t number, const std::vector<std::size_t>& into) {
    if (number == 0) return false;
    double known = 0;
    std::optional<std::size_t> open;
    for (const std::size_t from : into) {
      const CountedBlock& block = graph_.blocks[from];
      if (known_[from]) {
        known +=
            (block.next == number ? block.falls : 0) + (block.target == number ? block.jumps : 0);
      } else if (open) {
        return false;
      } else {
        open = from;
      }
    }
    if (!open) return false;
    CountedBlock& block = graph_.blocks[*open];
    const double total = block.executed + divergent(block);
    const double way = std::clamp(graph_.blocks[number].executed - known, 0.0, block.executed);
    if (block.next == number && block.target == number) {
      block.falls = block.executed;
    } else if (block.next == number) {
      block.falls = way;
      block.jumps = std::clamp(total - way, 0.0, block.executed);
    } else {
      block.jumps = way;
      block.falls = std::clamp(total - way, 0.0, block.executed);
    }
    known_[*open] = true;
    return true;
  }

  // Not determined: as often as the next block needs.
  void assume(std::size_t number) {
    CountedBlock& block = graph_.blocks[number];
    const double needed = block.next ? graph_.blocks[*block.next].executed : 0;
    block.falls = std::min(needed, block.executed);
    block.jumps = std::min(block.executed + divergent(block) - block.falls, block.executed);
    known_[number] = true;
  }

  std::vector<Edge> edges() const {
    std::vector<Edge> all;
    for (std::size_t i = 0; i < graph_.blocks.size(); ++i) {
      const CountedBlock& block = graph_.blocks[i];
      if (block.next) all.push_back({i, *block.next});
      if (block.target) all.push_back({i, *block.target});
    }
    return all;
  }

  // A natural loop: a way back to a block that all ways into it pass, and what leads there.
  void find_loops() {
    const std::vector<Edge> all = edges();
    const std::vector<std::size_t> dominator = immediate_dominators(graph_.blocks.size(), all);
    std::map<std::size_t, std::vector<std::size_t>> latches;  // by header
    for (const Edge& edge : all) {
      if (dominates(dominator, edge.to, edge.from)) latches[edge.to].push_back(edge.from);
    }
    for (const auto& [header, from] : latches) {
      CountedLoop loop;
      loop.header = header;
      loop.blocks = reaching(all, header, from);
      find_exit(loop);
      graph_.loops.push_back(std::move(loop));
    }
    std::stable_sort(graph_.loops.begin(), graph_.loops.end(),
                     [](const CountedLoop& a, const CountedLoop& b) {
                       return std::count(a.blocks.begin(), a.blocks.end(), true) >
                              std::count(b.blocks.begin(), b.blocks.end(), true);
                     });
  }

  std::vector<bool> reaching(const std::vector<Edge>& all, std::size_t header,
                             std::vector<std::size_t> open) const {
    std::vector<bool> inside(graph_.blocks.size(), false);
    inside[header] = true;
    while (!open.empty()) {
      const std::size_t block = open.back();
      open.pop_back();
      if (inside[block]) continue;
      inside[block] = true;
      for (const Edge& edge : all) {
        if (edge.to == block) open.push_back(edge.from);
      }
    }
    return inside;
  }

  void find_exit(CountedLoop& loop) const {
    double most = 0;
    for (std::size_t i = 0; i < graph_.blocks.size(); ++i) {
      const CountedBlock& block = graph_.blocks[i];
      if (!loop.blocks[i] || !block.conditional || !block.next || !block.target) continue;
      const bool falls_out = !loop.blocks[*block.next];
      const bool jumps_out = !loop.blocks[*block.target];
      if (falls_out == jumps_out) continue;
      const double leaving = falls_out ? block.falls : block.jumps;
      if (leaving > most) {
        most = leaving;
        loop.exit_block = i;
        loop.has_exit = true;
      }
    }
  }

  void find_merges() {
    std::vector<Edge> reversed;
    const std::size_t end = graph_.blocks.size();  // one end for all exits
    for (const Edge& edge : edges()) reversed.push_back({edge.to, edge.from});
    for (std::size_t i = 0; i < end; ++i) {
      const CountedBlock& block = graph_.blocks[i];
      if (block.exits || (!block.next && !block.target)) reversed.push_back({end, i});
    }
    graph_.merge_of = immediate_dominators(end + 1, reversed, end);
    graph_.merge_of.resize(end);
  }

  const std::vector<CountedLine>& lines_;
  CountedGraph graph_;
  std::map<std::uint32_t, std::size_t> block_at_;
  std::vector<bool> known_;
};

}  // namespace

std::vector<bool> CountedGraph::between(std::size_t block) const {
  std::vector<bool> seen(blocks.size(), false);
  std::vector<std::size_t> open;
  const auto visit = [&](std::optional<std::size_t> next) {
    if (next && *next != merge_of[block] && !seen[*next]) {
      seen[*next] = true;
      open.push_back(*next);
    }
  };
  visit(blocks[block].next);
  visit(blocks[block].target);
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    visit(blocks[at].next);
    visit(blocks[at].target);
  }
  return seen;
}

std::optional<std::size_t> CountedGraph::loop_of(std::size_t block) const {
  for (std::size_t i = loops.size(); i-- > 0;) {
    if (loops[i].blocks[block]) return i;
  }
  return std::nullopt;
}

CountedGraph build_counted_graph(const std::vector<CountedLine>& lines) {
  return GraphBuilder(lines).run();
}

}  // namespace smsim
