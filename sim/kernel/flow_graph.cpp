#include "sim/kernel/flow_graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <iterator>

namespace smsim::sass {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

// Blocks begin at labels and after instructions that jump.
void split_blocks(const DraftProgram& program, FlowGraph& graph) {
  const std::vector<Draft>& code = program.code;
  graph.block_of.assign(code.size(), 0);
  for (std::size_t at = 0; at < code.size(); ++at) {
    const bool after_label = at > 0 && code[at - 1].is_label();
    const bool starts =
        at == 0 || (code[at].is_label() && !after_label) ||
        (!code[at - 1].is_label() && code[at - 1].flow != Flow::next &&
         code[at - 1].flow != Flow::branch_end && code[at - 1].flow != Flow::converge_open &&
         code[at - 1].flow != Flow::converge);
    if (starts) {
      if (!graph.blocks.empty()) {
        graph.blocks.back().end = at;
      }
      graph.blocks.push_back({at, code.size(), {}, {}});
    }
    graph.block_of[at] = graph.blocks.size() - 1;
  }
}

void add_edges(const DraftProgram& program, FlowGraph& graph) {
  std::vector<std::size_t> position_of(program.labels, program.code.size());
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].is_label()) {
      position_of[static_cast<std::size_t>(program.code[at].label)] = at;
    }
  }
  for (std::size_t number = 0; number < graph.blocks.size(); ++number) {
    BasicBlock& block = graph.blocks[number];
    const Draft& last = program.code[block.end - 1];
    std::vector<std::size_t>& next = block.successors;
    if (number + 1 < graph.blocks.size() && (last.is_label() || falls_through(last))) {
      next.push_back(number + 1);
    }
    if (!last.is_label()) {
      for (const LabelId label : targets(program, last)) {
        if (position_of[label] < program.code.size()) {
          next.push_back(graph.block_of[position_of[label]]);
        }
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    for (const std::size_t successor : next) {
      graph.blocks[successor].predecessors.push_back(number);
    }
  }
}

class PostorderRecorder : public boost::default_dfs_visitor {
 public:
  explicit PostorderRecorder(std::vector<std::size_t>& order) : order_(&order) {}
  template <class Vertex, class G>
  void finish_vertex(Vertex vertex, const G& /*graph*/) {
    order_->push_back(vertex);
  }

 private:
  std::vector<std::size_t>* order_;
};

// Reverse postorder from the entry: what data flow goes through fastest. Blocks that the search
// does not meet are left out.
void order_blocks(FlowGraph& graph) {
  if (graph.blocks.empty()) {
    return;
  }
  Graph edges(graph.blocks.size());
  for (std::size_t number = 0; number < graph.blocks.size(); ++number) {
    for (const std::size_t successor : graph.blocks[number].successors) {
      boost::add_edge(number, successor, edges);
    }
  }
  std::vector<boost::default_color_type> colors(graph.blocks.size());
  boost::depth_first_visit(
      edges, 0, PostorderRecorder(graph.order),
      boost::make_iterator_property_map(colors.begin(), boost::get(boost::vertex_index, edges)));
  std::reverse(graph.order.begin(), graph.order.end());
}

}  // namespace

FlowGraph build_flow_graph(const DraftProgram& program) {
  FlowGraph graph;
  split_blocks(program, graph);
  add_edges(program, graph);
  order_blocks(graph);
  return graph;
}

bool falls_through(const Draft& draft) {
  switch (draft.flow) {
    case Flow::jump:
    case Flow::branch_else:
    case Flow::task_back:
    case Flow::ret:
    case Flow::recorded:
    case Flow::exit:
      return false;
    default:
      return true;
  }
}

std::vector<LabelId> targets(const DraftProgram& program, const Draft& draft) {
  const Program& tables = program.tables;
  switch (draft.flow) {
    case Flow::jump:
    case Flow::call:
      return {draft.flow_operand};
    case Flow::route: {
      const std::uint32_t target = tables.routes[draft.flow_operand].target_pc;
      return target == kExitPc ? std::vector<LabelId>{} : std::vector<LabelId>{target};
    }
    case Flow::loop_enter:
      return {tables.loops[draft.flow_operand].end_pc};
    case Flow::loop_back:
      return {tables.loops[draft.flow_operand].begin_pc};
    case Flow::branch_if:
      return {tables.branches[draft.flow_operand].else_pc};
    case Flow::branch_else:
      return {tables.branches[draft.flow_operand].end_pc};
    case Flow::task_check:
      return {tables.task_loops[draft.flow_operand].end_pc};
    case Flow::task_back: {
      const TaskLoop& loop = tables.task_loops[draft.flow_operand];
      if (loop.batch > 1) {
        return {loop.fetch_pc, loop.body_pc};
      }
      return {loop.fetch_pc};
    }
    case Flow::spin_back:
      return {tables.spins[draft.flow_operand].poll_pc};
    default:
      return {};
  }
}

}  // namespace smsim::sass
