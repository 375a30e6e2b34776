// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/phase.hpp"
#include "comm/communicator.hpp"
#include "comm/grid.hpp"
#include "graph/column_originals.hpp"
#include "graph/families.hpp"
#include "graph/hubs.hpp"
#include "graph/hypersparse.hpp"
#include "graph/hypersparse_rows.hpp"
#include "graph/layout.hpp"
#include "graph/numbering.hpp"
#include "graph/positions.hpp"
#include "graph/present_indices.hpp"
#include "graph/rows.hpp"
#include "graph/weighted_leaves.hpp"
#include "graph/weighted_options.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// First neighbours of every row, transposed: plane k holds the k-th neighbour of every row, so that
/// bottom-up tests 16 rows at a time. Rows with fewer neighbours point to the column whose bit is never set.
inline constexpr std::size_t num_planes = 4;

/// Leaves of the own block, in original order: vertices of one distinct neighbour, which is their parent in
/// any tree that reaches them by it.
struct Leaves {
  LargeArray<std::int64_t> neighbour;   // its original number
  LargeArray<std::uint32_t> endpoints;  // duplicates counted
  LargeArray<std::uint32_t>
      neighbour_col;  // only where rows are complete: its column, or missing_col for a pair
  LargeArray<std::uint32_t>
      neighbour_offset;      // only where rows are complete: its original number in the column span
  LargeArray<float> weight;  // only in a weighted graph: least of the copies
};

/// What construction does to the graph besides distributing it. The published partitionings do none of it.
struct GraphOptions {
  NumberingOptions numbering = {};
  bool keep_duplicates = false;
  bool streams = true;  // planes of first neighbours
  /// Rows of the same first heavy neighbour together, where it is relabelled: on several grid columns those
  /// of the same first hub, if there are hubs.
  bool families = false;
  /// Hubs on every rank, where rows are not complete (several grid columns).
  bool hubs = false;
  /// Of them so few as a hundred thousand ranks have.
  bool few_hubs = false;
  /// Where rows are not complete; only hybrid can search such a graph.
  Hypersparse hypersparse = Hypersparse::never;
  /// Low bits of wide positions (PositionForm); 0: a graph that needs these is refused.
  int position_bits = 0;
};

/// The searched graph: what one rank of the grid stores of it. See docs/explanation/bfs.md.
struct Graph {
  GridLayout layout;
  Numbering numbering;
  Rows by_target;             // row -> columns of its neighbours here
  Rows by_source_stored;      // column -> rows; empty on 1 x 1, where both are the same
  WeightSortedRows weighted;  // row -> columns, both by place; of a weighted graph, which has neither of the
                              // two above
  CompactWeightedRows compact_weighted;  // in its place where not all rows are present
  PresentIndices weighted_rows;          // those of it
  PresentIndices weighted_cols;          // likewise
  std::uint32_t weighted_window = 0;     // vertices of every owner told and offered at once, whole pieces
  PositionForm positions;                // of originals of this grid row and column
  ColumnOriginals column_original;       // column (entry_of by source, on several grid columns; its place in
                                         // a weighted graph) -> original number, counted from the first of
                                         // the grid column
  std::array<LargeArray<std::uint32_t>, num_planes> plane;  // see has_planes()
  Families families;                                        // none where they are not asked for
  Hubs hubs;                                                // none where they are not asked for
  LargeArray<Word> has_arc;               // rows with any neighbour here; see rows_with_arc()
  LargeArray<Word> has_more;              // rows with more neighbours than planes
  bool has_hypersparse_rows = false;      // GraphOptions::hypersparse, of the rows here
  bool has_hypersparse_cols = false;      // the same of the columns
  bool had_few_codes = false;             // construction had codes of the originals that occur here alone
  HypersparseRows hypersparse_by_target;  // in the place of by_target and has_arc
  HypersparseRows hypersparse_by_source;  // in the place of by_source_stored
  Leaves leaves;
  ToldLeaves told_leaves;                    // of a weighted graph on several grid columns
  std::vector<std::uint32_t> self_loops_at;  // own original of each self-loop
  std::int64_t num_edges = 0;                // of all ranks
  std::int64_t self_loops = 0;               // of all ranks
  GraphOptions options;

  /// In which the neighbours of a row stand.
  HeavyFirst column_order() const { return HeavyFirst(layout.col_offset, layout.heavy_of_piece); }
  const Rows& by_source() const { return layout.shape.size() == 1 ? by_target : by_source_stored; }
  bool is_weighted() const { return weighted.start.size() != 0 || compact_weighted.start.size() != 0; }
  std::span<const Word> rows_with_arc() const {
    return has_hypersparse_rows ? hypersparse_by_target.existing().bits() : has_arc.span();
  }
  /// Of hypersparse rows there are none: most of their entries would say that a row has no neighbour. Such
  /// rows are asked one after the other.
  bool has_planes() const { return options.streams && !has_hypersparse_rows; }
  /// visit(rows): what a row or a column has, whichever form it has here. Code that is called often asks
  /// once, and is compiled for both.
  template <class Visit>
  decltype(auto) with_rows_by_target(Visit&& visit) const {
    return has_hypersparse_rows ? visit(hypersparse_by_target) : visit(by_target);
  }
  template <class Visit>
  decltype(auto) with_rows_by_source(Visit&& visit) const {
    return has_hypersparse_cols ? visit(hypersparse_by_source) : visit(by_source());
  }
  /// The same of a weighted graph, whose rows are by place.
  template <class Visit>
  decltype(auto) with_weighted_rows(Visit&& visit) const {
    return weighted_rows.are_all() ? visit(weighted) : visit(compact_weighted);
  }
  /// How a proposal names its source, given the entry of its column: by its original number, counted from the
  /// first of the grid column; or, where these are wide, by the entry, and original_of_source() is looked up
  /// by whoever packs or adopts the proposal.
  std::uint32_t source_at(std::size_t entry) const {
    return column_original.are_wide() ? static_cast<std::uint32_t>(entry)
                                      : static_cast<std::uint32_t>(column_original[entry]);
  }
  std::int64_t original_of_source(std::uint32_t source) const {
    return column_original.are_wide() ? column_original[source] : std::int64_t{source};
  }
  std::uint64_t num_arcs() const {
    const auto arcs_of = [](const auto& rows) { return rows.num_arcs(); };
    return is_weighted() ? with_weighted_rows(arcs_of) : with_rows_by_target(arcs_of);
  }
  /// Calls visit(row) for every neighbour of a column here; of a weighted graph, whose arcs stand by row,
  /// visit(column) for every neighbour of a row. Edges go both ways, so either is all that a rank knows of a
  /// vertex.
  template <class Visit>
  void for_each_neighbour(std::uint32_t vertex, Visit&& visit) const {
    if (is_weighted()) {
      if (!weighted_rows.contains(vertex)) return;
      with_weighted_rows([&](const auto& rows) {
        for (const WeightedArc& arc : rows.of(weighted_rows.place_of(vertex))) {
          visit(weighted_cols.index_at(arc.to));
        }
      });
    } else {
      with_rows_by_source([&](const auto& columns) {
        for (const std::uint32_t row : columns.of(vertex)) visit(row);
      });
    }
  }
};

/// Collective. Construction (kernel 1) up to the searchable graph; component labels come after it.
///
/// @param grid  arrangement of `world`; its shape says which arcs this rank stores
/// @throws RefusedError when a grid row or column has more originals than positions name (PositionForm)
Graph construct_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                      PhaseObserver& observer, const GraphOptions& options = {});

/// Collective. The same with weights: one set of rows, by target, and no planes, which only bottom-up reads.
/// Leaves are taken out.
/// @throws RefusedError when a grid row or column has more originals than positions name (PositionForm),
///         UsageError, on all ranks, when a weight is not finite or below zero
Graph construct_weighted_graph(const WeightedEdgeStream& edges, const Communicator& world, const Grid& grid,
                               PhaseObserver& observer, const WeightedGraphOptions& options = {});

/// Where an original vertex stands, told to every rank. Collective.
struct Location {
  enum class Kind : std::int64_t { isolated, searched, leaf } kind = Kind::isolated;
  std::int64_t owner = 0;
  std::int64_t working = 0;     // at its owner: working number, or position among the leaves
  std::int64_t neighbour = -1;  // of a leaf, original
  std::int64_t degree = 0;      // of a searched vertex
};
/// What its owner knows; of other vertices a rank knows only who owns them.
Location location_at_owner(const Graph& graph, GlobalVertex v);
Location locate(const Graph& graph, const Communicator& world, GlobalVertex v);

}  // namespace isobath
