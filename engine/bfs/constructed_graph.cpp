// SPDX-License-Identifier: Apache-2.0
#include "bfs/constructed_graph.hpp"

#include <algorithm>

#include "graph/check_arcs.hpp"

namespace isobath {
namespace {

std::int64_t sum_of_degrees(std::span<const std::uint32_t> degrees) {
  std::int64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::size_t t = 0; t < degrees.size(); ++t) sum += degrees[t];
  return sum;
}

}  // namespace

GraphOptions graph_options(const PlanOptions& options) {
  const Switches& switches = options.switches;
  return {.numbering = {.relabel = switches.relabel, .leaves_out = switches.leaves_out},
          .keep_duplicates = switches.keep_duplicates,
          .streams = switches.streams,
          .families = switches.families && switches.streams,
          .hubs = switches.hub_pass,
          .few_hubs = switches.few_hubs,
          .hypersparse = options.hypersparse,
          .position_bits = options.position_bits};
}

ConstructedGraph::ConstructedGraph(const EdgeStream& edges, const Communicator& all_ranks,
                                   const PlanOptions& options, PhaseObserver& observer)
    : ConstructedGraph(all_ranks, options.shape, [&](const Grid& on) {
        return construct_graph(edges, all_ranks, on, observer, graph_options(options));
      }) {}

ConstructedGraph::ConstructedGraph(const Communicator& all_ranks, GridShape shape,
                                   const std::function<Graph(const Grid&)>& construct)
    : world(all_ranks), grid(Grid::arrange(world, shape)), graph(construct(grid)) {
  const Numbering& numbering = graph.numbering;
  const auto own_arcs = static_cast<std::int64_t>(graph.num_arcs());
  std::int64_t sums[] = {numbering.searched(),
                         numbering.leaves(),
                         numbering.isolated_vertices(),
                         numbering.num_heavy(),
                         own_arcs,
                         std::ssize(graph.families.head) + std::ssize(graph.hubs.families.head),
                         graph.has_planes() ? 1 : 0,
                         sum_of_degrees(numbering.degree.span())};
  world.sum(std::span<std::int64_t>(sums));
  facts.num_vertices = graph.layout.blocks.num_vertices();
  facts.num_edges = graph.num_edges;
  facts.self_loops = graph.self_loops;
  facts.searched_vertices = sums[0];
  facts.leaves = sums[1];
  facts.isolated_vertices = sums[2];
  facts.num_heavy = sums[3];
  facts.stored_arcs = sums[4];
  facts.searched_endpoints = sums[7];
  const auto ranks_with_planes = static_cast<int>(sums[6]);
  facts.prepared = {
      .by_degree = graph.options.numbering.relabel,
      .families = sums[5],
      .told_hubs = graph.hubs.count,
      .first_neighbours = ranks_with_planes > 0,
      .ranks_without_first_neighbours = ranks_with_planes > 0 ? world.size() - ranks_with_planes : 0,
      .by_weight = graph.is_weighted()};
  facts.keeps_duplicates = graph.options.keep_duplicates;
  facts.max_stored_arcs_per_rank = world.max(own_arcs);
}

void ConstructedGraph::label_components(
    PhaseObserver& observer,
    const std::function<std::span<const Word>(const Location& start)>& reached_from) {
  observer.phase(Phase::components);
  // The vertex of highest degree, the lowest original number among equals.
  const Numbering& numbering = graph.numbering;
  std::uint32_t top = 0;
  for (std::uint32_t t = 1; t < numbering.searched(); ++t) {
    if (numbering.degree[t] > numbering.degree[top]) top = t;
  }
  const std::int64_t degree = numbering.searched() > 0 ? numbering.degree[top] : 0;
  const std::int64_t most = world.max(degree);
  for (std::uint32_t leaf = 0; leaf < numbering.leaves(); ++leaf) {
    facts.max_degree_with_duplicates =
        std::max<std::int64_t>(facts.max_degree_with_duplicates, graph.leaves.endpoints[leaf]);
  }
  facts.max_degree_with_duplicates = std::max(most, world.max(facts.max_degree_with_duplicates));
  const std::vector<Word> nothing(graph.layout.own_words() + piece_bits / word_bits, 0);
  std::span<const Word> in_main = nothing;
  if (most > 0) {
    const bool has_top = degree == most;
    const std::int64_t original =
        has_top ? raw(graph.layout.blocks.to_global(world.rank(), numbering.original[top]))
                : facts.num_vertices;
    in_main = reached_from(locate(graph, world, GlobalVertex{world.min(original)}));
  }
  components = Components(graph, world, grid, in_main);
  facts.components = components.count();
  facts.largest_component_vertices = components.largest_vertices();
  facts.largest_component_edges = components.largest_edges();
  if (!facts.keeps_duplicates) {
    facts.distinct_edges = facts.stored_arcs / 2 + facts.leaves - world.sum(components.leaves_in_pairs()) / 2;
  }
}

TraversedEdges ConstructedGraph::edges_of_component(GlobalVertex root) const {
  return components.edges_of(world, components.label_of(world, locate(graph, world, root)));
}

std::vector<char> ConstructedGraph::are_connected(std::span<const GlobalVertex> candidates) const {
  const BlockPartition& blocks = graph.layout.blocks;
  std::vector<std::int64_t> has(candidates.size(), 0);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (blocks.block_of(candidates[i]) != world.rank()) continue;
    has[i] = graph.numbering.is_isolated(blocks.to_local(candidates[i])) ? 0 : 1;
  }
  world.sum(std::span<std::int64_t>(has));
  std::vector<char> result(candidates.size());
  for (std::size_t i = 0; i < has.size(); ++i) result[i] = has[i] != 0;
  return result;
}

SearchPlan::ConstructionCheck ConstructedGraph::check(const EdgeStream& edges) const {
  const ArcCheck found = check_arcs(graph, components.leaves_in_pairs(), edges, world, grid);
  return {found.missing_arcs, found.stored_arcs, found.met_arcs, found.first_missing};
}

std::vector<int> ConstructedGraph::row_nodes(const PlanOptions& options) const {
  std::vector<int> nodes;
  for (const int rank : grid.row_comm.world_ranks()) {
    nodes.push_back(options.node_of_rank.empty() ? 0
                                                 : options.node_of_rank.at(static_cast<std::size_t>(rank)));
  }
  return nodes;
}

Traffic ConstructedGraph::sent() const {
  Traffic sum = world.traffic();
  sum += grid.row_comm.traffic();
  sum += grid.col_comm.traffic();
  return sum;
}

}  // namespace isobath
