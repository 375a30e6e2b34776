// SPDX-License-Identifier: Apache-2.0
#include "bfs/constructed_graph.hpp"

#include <algorithm>

namespace isobath {

ConstructedGraph::ConstructedGraph(const Communicator& world, GridShape shape,
                                   const std::function<Graph(const Grid&)>& construct)
    : world_(world), grid_(Grid::arrange(world, shape)), graph_(construct(grid_)) {
  const Numbering& numbering = graph_.numbering;
  const auto own_arcs = static_cast<std::int64_t>(graph_.num_arcs());
  std::int64_t sums[] = {numbering.searched(), numbering.leaves(), numbering.isolated_vertices(),
                         numbering.hubs(),     own_arcs,           std::ssize(graph_.families.head)};
  world.sum(std::span<std::int64_t>(sums));
  facts_.num_vertices = graph_.layout.blocks.num_vertices();
  facts_.num_edges = graph_.num_edges;
  facts_.self_loops = graph_.self_loops;
  facts_.searched_vertices = sums[0];
  facts_.leaves = sums[1];
  facts_.isolated_vertices = sums[2];
  facts_.hubs = sums[3];
  facts_.stored_arcs = sums[4];
  facts_.prepared = {.by_degree = graph_.options.numbering.relabel,
                     .families = sums[5],
                     .told_hubs = graph_.hubs.count,
                     .first_neighbours = graph_.options.streams,
                     .by_weight = graph_.is_weighted()};
  facts_.keeps_duplicates = graph_.options.keep_duplicates;
  facts_.max_stored_arcs_per_rank = world.max(own_arcs);
}

void ConstructedGraph::label_components(
    PhaseObserver& observer,
    const std::function<std::span<const Word>(const Location& start)>& reached_from) {
  observer.phase(Phase::components);
  // The vertex of highest degree, the lowest original number among equals.
  const Numbering& numbering = graph_.numbering;
  std::uint32_t top = 0;
  for (std::uint32_t t = 1; t < numbering.searched(); ++t) {
    if (numbering.degree[t] > numbering.degree[top]) top = t;
  }
  const std::int64_t degree = numbering.searched() > 0 ? numbering.degree[top] : 0;
  const std::int64_t most = world_.max(degree);
  for (std::uint32_t leaf = 0; leaf < numbering.leaves(); ++leaf) {
    facts_.max_degree_with_duplicates =
        std::max<std::int64_t>(facts_.max_degree_with_duplicates, graph_.leaves.endpoints[leaf]);
  }
  facts_.max_degree_with_duplicates = std::max(most, world_.max(facts_.max_degree_with_duplicates));
  const std::vector<Word> nothing(graph_.layout.own_words() + piece_bits / word_bits, 0);
  std::span<const Word> in_main = nothing;
  if (most > 0) {
    const bool has_top = degree == most;
    const std::int64_t original =
        has_top ? raw(graph_.layout.blocks.to_global(world_.rank(), numbering.original[top]))
                : facts_.num_vertices;
    in_main = reached_from(locate(graph_, world_, GlobalVertex{world_.min(original)}));
  }
  components_ = Components(graph_, world_, grid_, in_main);
  facts_.components = components_.count();
  facts_.largest_component_vertices = components_.largest_vertices();
  facts_.largest_component_edges = components_.largest_edges();
  if (!facts_.keeps_duplicates) {
    facts_.distinct_edges =
        facts_.stored_arcs / 2 + facts_.leaves - world_.sum(components_.leaves_in_pairs()) / 2;
  }
}

TraversedEdges ConstructedGraph::edges_of_component(GlobalVertex root) const {
  return components_.edges_of(world_, components_.label_of(world_, locate(graph_, world_, root)));
}

std::vector<char> ConstructedGraph::are_connected(std::span<const GlobalVertex> candidates) const {
  const BlockPartition& blocks = graph_.layout.blocks;
  std::vector<std::int64_t> has(candidates.size(), 0);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (blocks.block_of(candidates[i]) != world_.rank()) continue;
    has[i] = graph_.numbering.is_isolated(blocks.to_local(candidates[i])) ? 0 : 1;
  }
  world_.sum(std::span<std::int64_t>(has));
  std::vector<char> result(candidates.size());
  for (std::size_t i = 0; i < has.size(); ++i) result[i] = has[i] != 0;
  return result;
}

Traffic ConstructedGraph::sent() const {
  Traffic sum = world_.traffic();
  sum += grid_.row_comm.traffic();
  sum += grid_.col_comm.traffic();
  return sum;
}

}  // namespace isobath
