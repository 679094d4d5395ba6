#include "sim/import/dominators.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>

namespace smsim {

std::vector<std::size_t> immediate_dominators(std::size_t count, const std::vector<Edge>& edges,
                                              std::size_t entry) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  using Vertex = boost::graph_traits<Graph>::vertex_descriptor;
  Graph graph(count);
  for (const Edge& edge : edges) boost::add_edge(edge.from, edge.to, graph);
  std::vector<Vertex> dominator(count, boost::graph_traits<Graph>::null_vertex());
  boost::lengauer_tarjan_dominator_tree(
      graph, entry,
      boost::make_iterator_property_map(dominator.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::size_t> result;
  result.reserve(count);
  for (const Vertex vertex : dominator) {
    result.push_back(vertex == boost::graph_traits<Graph>::null_vertex() ? count : vertex);
  }
  return result;
}

bool dominates(const std::vector<std::size_t>& dominator, std::size_t above, std::size_t below) {
  const std::size_t none = dominator.size();
  while (below != above && below < none) below = dominator[below];
  return below == above;
}

}  // namespace smsim
