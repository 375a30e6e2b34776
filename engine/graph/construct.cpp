// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <optional>
#include <utility>

#include "base/threads.hpp"
#include "graph/arc_buckets.hpp"
#include "graph/arc_list.hpp"
#include "graph/codes.hpp"
#include "graph/construct_steps.hpp"
#include "graph/endpoints.hpp"
#include "graph/graph.hpp"
#include "graph/original_arcs.hpp"
#include "graph/rounds.hpp"

namespace isobath {
namespace {

/// Arcs that arrived, into rows. Pieces of the list go back to the system on the way.
Rows rows_of_arcs(ArcList arcs, std::size_t num_rows, const HubFirst& order, bool keep_duplicates) {
  LargeArray<std::uint32_t> length(num_rows);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t k = 0; k < arcs.num_pieces(); ++k) {
    for (const auto& arc : arcs.piece(k)) {
      std::atomic_ref(length[arc.row]).fetch_add(1, std::memory_order_relaxed);
    }
  }
  ArcBuckets buckets(length.span());
#pragma omp parallel
  {
    ArcBuckets::Writer writer(buckets);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t k = 0; k < arcs.num_pieces(); ++k) {
      for (const auto& arc : arcs.piece(k)) writer.add(arc.row, order.key_of(arc.key));
      arcs.release(k);
    }
  }
  return buckets.into_rows(order, keep_duplicates);
}

/// The same arcs by source. Made from rows, not from what arrived: unwanted duplicates are gone already.
Rows transposed(const Rows& rows, std::size_t num_cols, const HubFirst& order, bool keep_duplicates) {
  LargeArray<std::uint32_t> length(num_cols);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows.neighbour.size(); ++i) {
    std::atomic_ref(length[rows.neighbour[i]]).fetch_add(1, std::memory_order_relaxed);
  }
  ArcBuckets buckets(length.span());
#pragma omp parallel
  {
    ArcBuckets::Writer writer(buckets);
#pragma omp for schedule(dynamic, 256)
    for (std::size_t row = 0; row < rows.num_rows(); ++row) {
      const auto target = static_cast<std::uint32_t>(row);
      const std::uint32_t key = order.key_of(target);
      for (const std::uint32_t col : rows.of(target)) writer.add(col, key);
    }
  }
  return buckets.into_rows(order, keep_duplicates);
}

/// Arcs (row, column) that belong to this rank of the grid; arcs of leaves stay out.
ArcList deliver_arcs(const EdgeStream& edges, const Communicator& world, const GridLayout& layout,
                     const GridCodes& codes) {
  ArcList arcs;
  const ArcRouter router(layout);
  const auto route = [&](const Edge& edge, auto&& send) {
    if (edge.u == edge.v) return;
    const auto [to_v, arc_to_v] = router.route(edge.u, edge.v);
    send(to_v, arc_to_v);
    const auto [to_u, arc_to_u] = router.route(edge.v, edge.u);
    send(to_u, arc_to_u);
  };
  exchange_rounds<RoutedArc>(edges, world, route, [&](std::span<const RoutedArc> arrived) {
    for (const RoutedArc& arc : arrived) {
      const std::uint32_t row = codes.row[arc.target];
      const std::uint32_t col = codes.col[arc.source];
      if (row < Numbering::leaf && col < Numbering::leaf) arcs.add({row, col});
    }
  });
  return arcs;
}

void build_planes(Graph& graph) {
  const Rows& rows = graph.by_target;
  const std::size_t words = graph.layout.row_words();
  const bool streams = graph.options.streams;
  if (streams) {
    for (auto& plane : graph.plane) plane = LargeArray<std::uint32_t>(words * word_bits);
  }
  graph.has_arc = LargeArray<Word>(words);
  graph.has_more = LargeArray<Word>(words);
  const std::uint32_t missing = graph.layout.missing_col();
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t bit = 0; bit < word_bits; ++bit) {
      const auto row = static_cast<std::uint32_t>(w * word_bits + bit);
      const std::span<const std::uint32_t> neighbours = rows.of(row);
      for (std::size_t k = 0; streams && k < num_planes; ++k) {
        graph.plane[k][row] = k < neighbours.size() ? neighbours[k] : missing;
      }
      if (neighbours.empty()) continue;
      graph.has_arc[w] |= Word{1} << bit;
      if (streams && neighbours.size() > num_planes) graph.has_more[w] |= Word{1} << bit;
    }
  }
}

void build_column_originals(Graph& graph, const Grid& grid) {
  const GridLayout& layout = graph.layout;
  graph.column_original = LargeArray<std::uint32_t>(layout.num_cols() + piece_bits);
  const std::int64_t shift = layout.blocks.first(layout.rank) - layout.first_col_original();
  const std::size_t own = layout.own_col();
  for (std::size_t i = 0; i < layout.own_searched(); ++i) {
    graph.column_original[own + i] =
        static_cast<std::uint32_t>(shift + static_cast<std::int64_t>(graph.numbering.original[i]));
  }
  if (layout.shape.rows == 1) return;
  std::vector<std::int64_t> counts;
  for (int piece = 0; piece < layout.shape.rows; ++piece) {
    const auto k = static_cast<std::size_t>(piece);
    counts.push_back(layout.col_offset[k + 1] - layout.col_offset[k]);
  }
  const std::span<std::uint32_t> all = graph.column_original.span().first(layout.num_cols());
  const std::span<const std::uint32_t> mine =
      all.subspan(own, static_cast<std::size_t>(counts[static_cast<std::size_t>(layout.grid_row())]));
  grid.col_comm.allgatherv<std::uint32_t>(mine, counts, all);
}

void build_leaves(Graph& graph, const Endpoints& endpoints, const GridCodes& codes) {
  const GridLayout& layout = graph.layout;
  const std::size_t count = graph.numbering.leaves();
  Leaves& leaves = graph.leaves;
  leaves.neighbour = LargeArray<std::int64_t>(count);
  leaves.endpoints = LargeArray<std::uint32_t>(count);
  const bool complete = layout.rows_are_complete();
  if (complete) {
    leaves.neighbour_col = LargeArray<std::uint32_t>(count);
    leaves.neighbour_offset = LargeArray<std::uint32_t>(count);
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    const Endpoint& endpoint = endpoints.of[graph.numbering.leaf_original[i]];
    const std::int64_t neighbour = endpoint.only_neighbour();
    leaves.neighbour[i] = neighbour;
    leaves.endpoints[i] = static_cast<std::uint32_t>(endpoint.count());
    if (!complete) continue;
    const auto offset = static_cast<std::uint32_t>(neighbour - layout.first_col_original());
    const std::uint32_t col = codes.col[offset];
    leaves.neighbour_offset[i] = offset;
    leaves.neighbour_col[i] = col < Numbering::leaf ? col : layout.missing_col();
  }
}

}  // namespace

NumberedGraph number_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                           PhaseObserver& observer, const GraphOptions& options, OriginalArcs* dealt) {
  NumberedGraph numbered;
  Graph& graph = numbered.graph;
  graph.options = options;
  const BlockPartition blocks(edges.num_vertices(), world.size());
  check_id_widths(blocks, grid.shape);
  graph.num_edges = world.sum(edges.size());

  observer.phase(Phase::count_degrees);
  Endpoints endpoints = dealt != nullptr ? dealt->endpoints() : count_endpoints(edges, blocks, world);
  graph.self_loops = world.sum(static_cast<std::int64_t>(endpoints.self_loops_at.size()));

  observer.phase(Phase::number_vertices);
  graph.numbering = number_vertices(endpoints, options.numbering);
  if (dealt != nullptr && options.families && graph.numbering.num_heavy() > 0) {
    dealt->find_first_heavy(graph.numbering);
    graph.families = number_families(graph.numbering, endpoints);
  }
  graph.layout =
      GridLayout::make(grid.shape, world.rank(), blocks, world.allgather(graph.numbering.searched()));
  numbered.codes = gather_codes(graph.layout, graph.numbering, grid);
  build_column_originals(graph, grid);
  build_leaves(graph, endpoints, numbered.codes);
  graph.self_loops_at = std::move(endpoints.self_loops_at);
  return numbered;
}

Graph construct_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                      PhaseObserver& observer, const GraphOptions& options) {
  std::optional<OriginalArcs> alone;  // one rank deals the arcs first and counts what it dealt
  if (world.size() == 1) {
    observer.phase(Phase::deliver_arcs);
    alone.emplace(edges);
  }
  NumberedGraph numbered = number_graph(edges, world, grid, observer, options, alone ? &*alone : nullptr);
  Graph& graph = numbered.graph;
  const GridLayout& layout = graph.layout;
  const HubFirst by_column(layout.col_offset);
  if (alone) {
    observer.phase(Phase::sort_rows);
    graph.by_target = alone->into_rows(graph.numbering, options.keep_duplicates);
    alone.reset();
    find_members(graph.families, graph.by_target);
  } else {
    observer.phase(Phase::deliver_arcs);
    ArcList arcs = deliver_arcs(edges, world, layout, numbered.codes);
    numbered.codes = {};
    observer.phase(Phase::sort_rows);
    graph.by_target = rows_of_arcs(std::move(arcs), layout.num_rows(), by_column, options.keep_duplicates);
    graph.by_source_stored =
        transposed(graph.by_target, layout.num_cols(), HubFirst(layout.row_offset), options.keep_duplicates);
  }

  observer.phase(Phase::build_streams);
  build_planes(graph);
  if (options.hubs && !layout.rows_are_complete()) graph.hubs = find_hubs(graph, world, grid);
  return std::move(numbered.graph);
}

Location locate(const Graph& graph, const Communicator& world, GlobalVertex v) {
  Location location;
  location.owner = graph.layout.blocks.block_of(v);
  if (world.rank() == location.owner) {
    const std::int64_t local = graph.layout.blocks.to_local(v);
    const std::uint32_t code = graph.numbering.code[static_cast<std::size_t>(local)];
    if (code == Numbering::leaf) {
      location.kind = Location::Kind::leaf;
      location.working = graph.numbering.leaf_index(local);
      location.neighbour = graph.leaves.neighbour[static_cast<std::size_t>(location.working)];
    } else if (!graph.numbering.is_isolated(local)) {
      location.kind = Location::Kind::searched;
      location.working = code;
    }
  }
  return world.size() == 1 ? location : world.broadcast(location, static_cast<int>(location.owner));
}

}  // namespace isobath
