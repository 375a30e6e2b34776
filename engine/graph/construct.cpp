// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "graph/codes.hpp"
#include "graph/column_originals.hpp"
#include "graph/construct_steps.hpp"
#include "graph/deliver_arcs.hpp"
#include "graph/endpoints.hpp"
#include "graph/families.hpp"
#include "graph/graph.hpp"
#include "graph/original_arcs.hpp"
#include "graph/rows_by_source.hpp"
#include "graph/told_along_row.hpp"
#include "graph/with_arc.hpp"

namespace isobath {
namespace {

/// End points of the own vertices. Every rank of a grid row has a part of what meets them.
Endpoints own_endpoints(const OriginalArcs& arcs, const BlockPartition& blocks, const Communicator& world,
                        const Grid& grid) {
  std::atomic<bool> are_counted = true;
  LargeArray<Endpoint> own = told_along_row<Endpoint>(
      blocks, grid,
      [&](std::int64_t first, std::int64_t end) {
        bool part_is_counted = true;
        LargeArray<Endpoint> part = arcs.endpoints(first, end, part_is_counted);
        if (!part_is_counted) are_counted = false;
        return part;
      },
      [&](Endpoint& endpoint, const Endpoint& arrived) {
        if (!endpoint.merge(arrived)) are_counted = false;
      });
  require_counted(are_counted, world);
  return {std::move(own), arcs.self_loops_at()};
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

/// Rows and columns that are hypersparse become that, each by itself, where they are not yet.
void note_rows_with_arcs(Graph& graph) {
  const GridLayout& layout = graph.layout;
  const Hypersparse asked = layout.rows_are_complete() ? Hypersparse::never : graph.options.hypersparse;
  if (!graph.has_hypersparse_rows) {
    graph.has_arc = with_arc(graph.by_target);
    if (asked != Hypersparse::never &&
        is_hypersparse(asked, count_bits(graph.has_arc.span()), layout.searched_of_row())) {
      graph.has_hypersparse_rows = true;
      graph.hypersparse_by_target =
          HypersparseRows(std::move(graph.by_target), PlacedBits(std::move(graph.has_arc)));
    }
  }
  if (asked == Hypersparse::never || graph.has_hypersparse_cols) return;
  LargeArray<Word> cols_with_arc = with_arc(graph.by_source_stored);
  if (is_hypersparse(asked, count_bits(cols_with_arc.span()), layout.searched_of_col())) {
    graph.has_hypersparse_cols = true;
    graph.hypersparse_by_source =
        HypersparseRows(std::move(graph.by_source_stored), PlacedBits(std::move(cols_with_arc)));
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

/// The codes of a grid row and column: of what occurs in arcs here, where arcs were delivered and that is
/// little.
GridCodes codes_for(const Occurrence* occurrence, const Graph& graph, const Grid& grid) {
  const GridLayout& layout = graph.layout;
  const Hypersparse asked = graph.options.hypersparse;
  if (occurrence == nullptr || layout.rows_are_complete() || asked == Hypersparse::never) {
    return gather_codes(layout, graph.numbering, grid);
  }
  const auto cols = static_cast<std::size_t>(layout.col_span());
  const auto rows = static_cast<std::size_t>(layout.row_span());
  OccurringOriginals occurring;
  const std::size_t at_a_time = ends_at_a_time(occurrence->num_arcs);
  occurring.col = members_if_few(asked, cols, at_a_time, occurrence->sources);
  occurring.row = members_if_few(asked, rows, at_a_time, occurrence->targets);
  return gather_codes(layout, graph.numbering, grid, std::move(occurring));
}

Occurrence occurrence_in(const OriginalArcs& arcs) {
  const DealtArcs& dealt = arcs.dealt();
  return {
      .num_arcs = dealt.num_arcs(),
      .sources = [&](EndRange range, std::size_t enough) { return sources_with_arc(dealt, range, enough); },
      .targets = [&](EndRange range, std::size_t enough) { return targets_with_arc(dealt, range, enough); }};
}

std::size_t count_searched(const OriginalCodes& codes) {
  const std::span<const std::uint32_t> values = codes.by_place();
  std::size_t searched = 0;
#pragma omp parallel for schedule(static) reduction(+ : searched)
  for (std::size_t i = 0; i < values.size(); ++i) searched += values[i] < Numbering::leaf ? 1U : 0U;
  return searched;
}

/// Rows by target. Where few can have an arc the others never have a start. Uses arcs and codes up.
void lay_by_target(Graph& graph, OriginalArcs& arcs, GridCodes& codes) {
  const GridLayout& layout = graph.layout;
  const HeavyFirst order = graph.column_order();
  PlacedBits candidates;
  graph.has_hypersparse_rows =
      searched_are_few(codes.row, graph.options.hypersparse, layout.searched_of_row());
  if (graph.has_hypersparse_rows) candidates = PlacedBits(searched_bits(codes.row, layout.num_rows()));
  turn_into_keys(codes.col.stored(), order);
  const OriginalArcs::RowNumbers numbers{.row = &codes.row,
                                         .key = &codes.col,
                                         .length = layout.rows_are_complete()
                                                       ? std::as_const(graph.numbering.degree).span()
                                                       : std::span<const std::uint32_t>(),
                                         .num_rows = layout.num_rows(),
                                         .candidates = graph.has_hypersparse_rows ? &candidates : nullptr,
                                         .order = &order};
  const auto laid = [&](auto rows) {
    codes.col = {};
    arcs.lay_rows(numbers, rows);
    codes.row = {};
    return rows;
  };
  const bool keep_duplicates = graph.options.keep_duplicates;
  if (graph.has_hypersparse_rows) {
    graph.hypersparse_by_target =
        HypersparseRows::with_neighbour(candidates, laid(arcs.sort_candidates(numbers, keep_duplicates)));
  } else {
    graph.by_target = laid(arcs.sort_rows(numbers, keep_duplicates));
  }
}

}  // namespace

bool searched_are_few(const OriginalCodes& codes, Hypersparse asked, std::size_t all) {
  return !codes.are_of_all() && is_hypersparse(asked, count_searched(codes), all);
}

LargeArray<Word> searched_bits(const OriginalCodes& codes, std::size_t all) {
  LargeArray<Word> bits(words_for(all));
  const std::span<const std::uint32_t> values = codes.by_place();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < Numbering::leaf) claim_bit(bits.span(), values[i]);
  }
  return bits;
}

NumberedGraph number_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                           PhaseObserver& observer, const GraphOptions& options, const OriginalArcs* arcs,
                           const Occurrence* occurrence) {
  ISOBATH_EXPECTS(!(options.keep_duplicates && options.families));  // a member would be met twice by its head
  NumberedGraph numbered;
  Graph& graph = numbered.graph;
  graph.options = options;
  const BlockPartition blocks(edges.num_vertices(), world.size());
  graph.positions = PositionForm(blocks, grid.shape, options.position_bits);
  graph.num_edges = world.sum(edges.size());

  observer.phase(Phase::count_degrees);
  Endpoints endpoints =
      arcs != nullptr ? own_endpoints(*arcs, blocks, world, grid) : count_endpoints(edges, blocks, world);
  graph.self_loops = world.sum(static_cast<std::int64_t>(endpoints.self_loops_at.size()));

  observer.phase(Phase::number_vertices);
  graph.numbering = number_vertices(endpoints, options.numbering);
  HeavyFamilies by_heavy;
  if (arcs != nullptr && grid.shape.cols == 1 && options.families) {
    by_heavy = number_by_first_heavy(graph.numbering, *arcs, endpoints, blocks, grid);
    graph.families = std::move(by_heavy.families);
  }
  if (arcs != nullptr && grid.shape.cols > 1 && options.hubs) {
    NamedHubs& named = numbered.named_hubs;
    named = name_hubs(graph.numbering, blocks, world, grid.shape, options.few_hubs, options.families);
    if (options.families && !named.empty()) {
      named.families = number_by_first_hub(graph.numbering, *arcs, endpoints, blocks, grid, named);
    }
  }
  graph.layout =
      GridLayout::make(grid.shape, world.rank(), blocks, world.allgather(graph.numbering.searched()));
  graph.layout.heavy_of_piece = std::move(by_heavy.heavy_of_piece);
  check_keys(graph.column_order());
  graph.families.find_columns(graph.layout);
  const Occurrence in_arcs = arcs != nullptr ? occurrence_in(*arcs) : Occurrence{};
  numbered.codes = codes_for(arcs != nullptr ? &in_arcs : occurrence, graph, grid);
  graph.had_few_codes = !numbered.codes.col.are_of_all() || !numbered.codes.row.are_of_all();
  build_leaves(graph, endpoints, numbered.codes);
  graph.self_loops_at = std::move(endpoints.self_loops_at);
  return numbered;
}

Graph construct_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                      PhaseObserver& observer, const GraphOptions& options) {
  observer.phase(Phase::deliver_arcs);
  const BlockPartition blocks(edges.num_vertices(), world.size());
  const PositionForm positions(blocks, grid.shape, options.position_bits);
  const bool is_alone = world.size() == 1;
  OriginalArcs arcs =
      is_alone ? OriginalArcs(edges) : deliver_arcs(edges, world, grid.shape, blocks, positions);
  NumberedGraph numbered = number_graph(edges, world, grid, observer, options, &arcs);
  Graph& graph = numbered.graph;
  observer.phase(Phase::sort_rows);
  graph.has_hypersparse_cols =
      searched_are_few(numbered.codes.col, options.hypersparse, graph.layout.searched_of_col());
  lay_by_target(graph, arcs, numbered.codes);
  if (!is_alone) build_rows_by_source(graph, grid, arcs.take_room());
  graph.families.find_members(graph.by_source());

  observer.phase(Phase::build_streams);
  note_rows_with_arcs(graph);
  build_column_originals(graph, grid);
  build_planes(graph);
  if (!numbered.named_hubs.empty()) graph.hubs = keep_hubs(graph, grid, std::move(numbered.named_hubs));
  return std::move(numbered.graph);
}

Location location_at_owner(const Graph& graph, GlobalVertex v) {
  Location location;
  location.owner = graph.layout.blocks.block_of(v);
  if (graph.layout.rank != location.owner) return location;
  const std::int64_t local = graph.layout.blocks.to_local(v);
  const std::uint32_t code = graph.numbering.code[static_cast<std::size_t>(local)];
  if (code == Numbering::leaf) {
    location.kind = Location::Kind::leaf;
    location.working = graph.numbering.leaf_index(local);
    location.neighbour = graph.leaves.neighbour[static_cast<std::size_t>(location.working)];
  } else if (!graph.numbering.is_isolated(local)) {
    location.kind = Location::Kind::searched;
    location.working = code;
    location.degree = graph.numbering.degree[code];
  }
  return location;
}

Location locate(const Graph& graph, const Communicator& world, GlobalVertex v) {
  const Location location = location_at_owner(graph, v);
  return world.size() == 1 ? location : world.broadcast(location, static_cast<int>(location.owner));
}

}  // namespace isobath
