// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/threads.hpp"
#include "graph/codes.hpp"
#include "graph/construct_steps.hpp"
#include "graph/deliver_arcs.hpp"
#include "graph/endpoints.hpp"
#include "graph/graph.hpp"
#include "graph/heavy_sources.hpp"
#include "graph/original_arcs.hpp"
#include "graph/rows_by_source.hpp"
#include "graph/with_arc.hpp"

namespace isobath {
namespace {

/// End points of the own vertices. Every rank of a grid row has a part of what meets them: one after the
/// other it tells the others theirs.
Endpoints own_endpoints(const OriginalArcs& arcs, const BlockPartition& blocks, const Communicator& world,
                        const Grid& grid) {
  const GridShape shape = grid.shape;
  bool are_counted = true;
  std::vector<std::int64_t> first = {0};  // target of every block of the grid row, and the end
  for (int col = 0; col < shape.cols; ++col)
    first.push_back(first.back() + blocks.size(shape.rank_at(grid.row, col)));
  const auto part_of = [&](int col) {
    return arcs.endpoints(first[static_cast<std::size_t>(col)], first[static_cast<std::size_t>(col) + 1],
                          are_counted);
  };
  Endpoints result{part_of(grid.col), arcs.self_loops_at()};
  LargeArray<Endpoint> arrived(shape.cols > 1 ? result.of.size() : 0);
  for (int step = 1; step < shape.cols; ++step) {
    const int to = (grid.col + step) % shape.cols;
    const int from = (grid.col + shape.cols - step) % shape.cols;
    const LargeArray<Endpoint> part = part_of(to);
    grid.row_comm.send_receive<Endpoint>(part.span(), to, arrived.span(), from);
    for (std::size_t v = 0; v < arrived.size(); ++v) are_counted &= result.of[v].merge(arrived[v]);
  }
  require_counted(are_counted, world);
  return result;
}

/// From now on a source is known by its key.
void turn_into_keys(std::span<std::uint32_t> cols, const HeavyFirst& order) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < cols.size(); ++i) {
    if (cols[i] < Numbering::leaf) cols[i] = order.key_of(cols[i]);
  }
}

/// A bit for each that has an arc here; the rows are padded to whole words.
LargeArray<Word> with_arc(const Rows& rows) {
  LargeArray<Word> bits(rows.num_rows() / word_bits);
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::size_t bit = 0; bit < word_bits; ++bit) {
      if (rows.length(w * word_bits + bit) != 0) bits[w] |= Word{1} << bit;
    }
  }
  return bits;
}

/// Of the columns that exist.
LargeArray<std::uint32_t> existing_originals(const PlacedBits& existing,
                                             std::span<const std::uint32_t> of_column) {
  LargeArray<std::uint32_t> originals(existing.count());
  const std::span<const Word> words = existing.bits();
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::size_t place = existing.place_of(w * word_bits);
    for_each_bit(words.subspan(w, 1),
                 [&](std::size_t bit) { originals[place++] = of_column[w * word_bits + bit]; });
  }
  return originals;
}

/// Rows and columns that are hypersparse become that, each by itself.
void note_rows_with_arcs(Graph& graph) {
  const GridLayout& layout = graph.layout;
  graph.has_arc = with_arc(graph.by_target);
  if (layout.rows_are_complete() || graph.options.hypersparse == Hypersparse::never) return;
  std::size_t rows = 0;
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    rows += layout.searched[static_cast<std::size_t>(layout.block_of_row_piece(piece))];
  }
  if (is_hypersparse(graph.options.hypersparse, count_bits(graph.has_arc.span()), rows)) {
    graph.has_hypersparse_rows = true;
    graph.hypersparse_by_target =
        HypersparseRows(std::move(graph.by_target), PlacedBits(std::move(graph.has_arc)));
  }
  std::size_t cols = 0;
  for (int piece = 0; piece < layout.shape.rows; ++piece) {
    cols += layout.searched[static_cast<std::size_t>(layout.block_of_col_piece(piece))];
  }
  LargeArray<Word> cols_with_arc = with_arc(graph.by_source_stored);
  if (is_hypersparse(graph.options.hypersparse, count_bits(cols_with_arc.span()), cols)) {
    graph.has_hypersparse_cols = true;
    graph.hypersparse_by_source =
        HypersparseRows(std::move(graph.by_source_stored), PlacedBits(std::move(cols_with_arc)));
    graph.column_original =
        existing_originals(graph.hypersparse_by_source.existing(), graph.column_original.span());
  }
}

void build_planes(Graph& graph) {
  if (!graph.has_planes()) return;
  const Rows& rows = graph.by_target;
  const std::size_t words = graph.layout.row_words();
  for (auto& plane : graph.plane) plane = LargeArray<std::uint32_t>(words * word_bits);
  graph.has_more = LargeArray<Word>(words);
  const std::uint32_t missing = graph.layout.missing_col();
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t bit = 0; bit < word_bits; ++bit) {
      const auto row = static_cast<std::uint32_t>(w * word_bits + bit);
      const std::span<const std::uint32_t> neighbours = rows.of(row);
      for (std::size_t k = 0; k < num_planes; ++k) {
        graph.plane[k][row] = k < neighbours.size() ? neighbours[k] : missing;
      }
      if (neighbours.size() > num_planes) graph.has_more[w] |= Word{1} << bit;
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
  const std::span<const std::uint32_t> col_of =
      complete ? codes.col.of_all() : std::span<const std::uint32_t>();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    const Endpoint& endpoint = endpoints.of[graph.numbering.leaf_original[i]];
    const std::int64_t neighbour = endpoint.only_neighbour();
    leaves.neighbour[i] = neighbour;
    leaves.endpoints[i] = static_cast<std::uint32_t>(endpoint.count());
    if (!complete) continue;
    const auto offset = static_cast<std::uint32_t>(neighbour - layout.first_col_original());
    const std::uint32_t col = col_of[offset];
    leaves.neighbour_offset[i] = offset;
    leaves.neighbour_col[i] = col < Numbering::leaf ? col : layout.missing_col();
  }
}

/// On one grid column, where every rank has all arcs of its vertices: those of the same first heavy neighbour
/// together. Nothing is numbered anew where no rank has a heavy vertex.
/// @return heavy vertices of every piece of the grid column, or nothing
std::vector<std::uint32_t> number_by_family(Graph& graph, const OriginalArcs& arcs,
                                            const Endpoints& endpoints, const BlockPartition& blocks,
                                            const Grid& grid) {
  const HeavySources heavy = HeavySources::told(graph.numbering, blocks, grid);
  if (heavy.count() == 0) return {};
  arcs.find_first_heavy(graph.numbering, heavy);
  graph.families = number_families(graph.numbering, endpoints, heavy.count());
  return heavy.counts();
}

/// The codes of a grid row and column: of what occurs in arcs here, where arcs were delivered and that is
/// little.
GridCodes codes_for(const OriginalArcs* arcs, const Graph& graph, const Grid& grid) {
  const GridLayout& layout = graph.layout;
  const Hypersparse asked = graph.options.hypersparse;
  if (arcs == nullptr || layout.rows_are_complete() || asked == Hypersparse::never) {
    return gather_codes(layout, graph.numbering, grid);
  }
  const auto cols = static_cast<std::size_t>(layout.col_span());
  const auto rows = static_cast<std::size_t>(layout.row_span());
  OccurringOriginals occurring;
  occurring.col = placed_if_hypersparse(
      asked, sources_with_arc(arcs->dealt(), cols, enough_to_be_all(asked, cols)), cols);
  occurring.row = placed_if_hypersparse(
      asked, targets_with_arc(arcs->dealt(), rows, enough_to_be_all(asked, rows)), rows);
  return gather_codes(layout, graph.numbering, grid, std::move(occurring));
}

}  // namespace

NumberedGraph number_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                           PhaseObserver& observer, const GraphOptions& options, const OriginalArcs* arcs) {
  NumberedGraph numbered;
  Graph& graph = numbered.graph;
  graph.options = options;
  const BlockPartition blocks(edges.num_vertices(), world.size());
  check_id_widths(blocks, grid.shape);
  graph.num_edges = world.sum(edges.size());

  observer.phase(Phase::count_degrees);
  Endpoints endpoints =
      arcs != nullptr ? own_endpoints(*arcs, blocks, world, grid) : count_endpoints(edges, blocks, world);
  graph.self_loops = world.sum(static_cast<std::int64_t>(endpoints.self_loops_at.size()));

  observer.phase(Phase::number_vertices);
  graph.numbering = number_vertices(endpoints, options.numbering);
  std::vector<std::uint32_t> heavy_of_piece;
  if (arcs != nullptr && grid.shape.cols == 1 && options.families) {
    heavy_of_piece = number_by_family(graph, *arcs, endpoints, blocks, grid);
  }
  graph.layout =
      GridLayout::make(grid.shape, world.rank(), blocks, world.allgather(graph.numbering.searched()));
  graph.layout.heavy_of_piece = std::move(heavy_of_piece);
  check_keys(graph.column_order());
  graph.families.find_columns(graph.layout);
  numbered.codes = codes_for(arcs, graph, grid);
  build_column_originals(graph, grid);
  build_leaves(graph, endpoints, numbered.codes);
  graph.self_loops_at = std::move(endpoints.self_loops_at);
  return numbered;
}

Graph construct_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                      PhaseObserver& observer, const GraphOptions& options) {
  observer.phase(Phase::deliver_arcs);
  const BlockPartition blocks(edges.num_vertices(), world.size());
  check_id_widths(blocks, grid.shape);
  const bool is_alone = world.size() == 1;
  OriginalArcs arcs = is_alone ? OriginalArcs(edges) : deliver_arcs(edges, world, grid.shape, blocks);
  NumberedGraph numbered = number_graph(edges, world, grid, observer, options, &arcs);
  Graph& graph = numbered.graph;
  const GridLayout& layout = graph.layout;
  observer.phase(Phase::sort_rows);
  const HeavyFirst order = graph.column_order();
  turn_into_keys(numbered.codes.col.stored(), order);
  graph.by_target =
      arcs.sort_rows({.row = &numbered.codes.row,
                      .key = &numbered.codes.col,
                      .length = layout.rows_are_complete() ? std::as_const(graph.numbering.degree).span()
                                                           : std::span<const std::uint32_t>(),
                      .num_rows = layout.num_rows(),
                      .order = &order},
                     options.keep_duplicates);
  numbered.codes.col = {};
  arcs.lay_rows(numbered.codes.row, graph.by_target);
  numbered.codes = {};
  if (!is_alone) {
    graph.by_source_stored = rows_by_source(graph.by_target, layout, grid, arcs.take_room());
  }
  graph.families.find_members(graph.by_source());

  observer.phase(Phase::build_streams);
  note_rows_with_arcs(graph);
  build_planes(graph);
  if (options.hubs && !layout.rows_are_complete()) {
    graph.hubs = find_hubs(graph, world, grid, options.few_hubs);
  }
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
