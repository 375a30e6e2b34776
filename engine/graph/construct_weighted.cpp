// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "graph/arc_buckets.hpp"
#include "graph/column_originals.hpp"
#include "graph/construct_steps.hpp"
#include "graph/original_arcs.hpp"
#include "graph/piece_list.hpp"
#include "graph/rounds.hpp"
#include "graph/weighted_leaves.hpp"
#include "graph/with_arc.hpp"

namespace isobath {
namespace {

/// Remembers whether any weight was not one.
class WeightCheck {
 public:
  void look_at(float weight) { is_bad_ |= !(weight >= 0 && std::isfinite(weight)); }
  void look_at(const WeightCheck& other) { is_bad_ |= other.is_bad_; }
  /// Collective.
  void require_all_good(const Communicator& world) const {
    if (!world.any(is_bad_)) return;
    throw UsageError("a weight is below zero or not finite; shortest paths need weights of zero or more");
  }

 private:
  bool is_bad_ = false;
};

/// -0 to +0: only then do weights sort like their bits.
float without_sign(float weight) { return weight + 0.0F; }

/// The least weight of a leaf's copies of its edge. Weights that are not negative compare like their bits.
void lower(float& least, float weight) {
  std::atomic_ref<float> place(least);
  float now = place.load(std::memory_order_relaxed);
  while (weight < now && !place.compare_exchange_weak(now, weight, std::memory_order_relaxed)) {
  }
}

/// One rank stores all arcs: they go from the edge list straight into the buckets, those of leaves into the
/// one weight that a leaf has.
void lay_rows_alone(Graph& graph, const WeightedEdgeStream& edges, WeightCheck& check,
                    PhaseObserver& observer) {
  observer.phase(Phase::deliver_arcs);
  const Numbering& numbering = graph.numbering;
  graph.leaves.weight = LargeArray<float>(numbering.leaves());
  std::fill(graph.leaves.weight.begin(), graph.leaves.weight.end(), std::numeric_limits<float>::infinity());
  WeightedArcBuckets buckets(numbering.degree.span());
  const std::uint32_t* const code = numbering.code.data();
#pragma omp parallel
  {
    WeightedArcBuckets::Writer writer(buckets);
    WeightCheck mine;
    const auto [begin, end] = static_share(edges.size(), thread_id(), num_threads());
    for_each_weighted_batch(
        edges, begin, end, [&](std::span<const Edge> batch, std::span<const float> weights) {
          for (const auto& [u, v] : batch) {  // the look-ups below wait for memory: ask for all of them first
            __builtin_prefetch(code + raw(u));
            __builtin_prefetch(code + raw(v));
          }
          for (std::size_t i = 0; i < batch.size(); ++i) {
            const auto& [u, v] = batch[i];
            const float weight = without_sign(weights[i]);
            mine.look_at(weight);
            const std::uint32_t a = code[raw(u)];
            const std::uint32_t b = code[raw(v)];
            if (u == v) continue;
            if (a == Numbering::leaf) lower(graph.leaves.weight[numbering.leaf_index(raw(u))], weight);
            if (b == Numbering::leaf) lower(graph.leaves.weight[numbering.leaf_index(raw(v))], weight);
            if (a >= Numbering::leaf || b >= Numbering::leaf) continue;
            writer.add(a, {b, weight});
            writer.add(b, {a, weight});
          }
        });
#pragma omp critical
    check.look_at(mine);
  }
  observer.phase(Phase::sort_rows);
  graph.weighted = buckets.into_rows(graph.layout.num_rows());
}

/// All arcs of this rank, in the order of their arrival. Their ends are positions of originals: the row in
/// the grid row, the neighbour in the grid column.
PieceList<RowArc> deliver_weighted_arcs(const WeightedEdgeStream& edges, const Communicator& world,
                                        const ArcRouter& router, WeightCheck& check) {
  PieceList<RowArc> arcs;
  const auto route = [&](const Edge& edge, float weight, auto&& send) {
    if (edge.u == edge.v) return;
    const auto one_way = [&](GlobalVertex source, GlobalVertex target) {
      const auto [rank, arc] = router.route(source, target);
      send(rank, RowArc{arc.target, {arc.source, without_sign(weight)}});
    };
    one_way(edge.u, edge.v);
    one_way(edge.v, edge.u);
  };
  exchange_weighted_rounds<RowArc>(edges, world, route, [&](std::span<const RowArc> arrived) {
    for (const RowArc& arc : arrived) check.look_at(arc.arc.weight);
    arcs.add(arrived);
  });
  return arcs;
}

/// Arcs between searched vertices, by places, at the front of each piece.
struct CodedArcs {
  PieceList<RowArc> list;
  std::vector<std::size_t> kept;  // of each piece
  std::vector<LeafArc> to_leaves;

  std::size_t num_pieces() const { return kept.size(); }
  std::span<const RowArc> piece(std::size_t k) const { return list.piece(k).first(kept[k]); }
};

/// Codes wait for memory: asks for those of arcs that come soon, in three steps.
template <class RowCodes, class ColCodes>
void prefetch_codes(std::span<const RowArc> arcs, std::size_t now, const RowCodes& row_of,
                    const ColCodes& col_of) {
  constexpr std::size_t step = 8;
  if (now + 3 * step < arcs.size()) {
    row_of.prefetch_block(arcs[now + 3 * step].row);
    col_of.prefetch_block(arcs[now + 3 * step].arc.to);
  }
  if (now + 2 * step < arcs.size()) {
    row_of.prefetch_place(arcs[now + 2 * step].row);
    col_of.prefetch_place(arcs[now + 2 * step].arc.to);
  }
  if (now + step < arcs.size()) {
    row_of.prefetch(arcs[now + step].row);
    col_of.prefetch(arcs[now + step].arc.to);
  }
}

/// Gives the arcs of a piece their codes; moves those between searched vertices to its front.
/// @returns how many these are
template <class RowCodes, class ColCodes>
std::size_t code_piece(std::span<RowArc> arcs, const RowCodes& row_of, const ColCodes& col_of,
                       std::uint32_t missing_col, std::vector<LeafArc>& to_leaves) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    prefetch_codes<RowCodes, ColCodes>(arcs, i, row_of, col_of);
    const auto [target, arc] = arcs[i];
    const std::uint32_t row = row_of.of(target);
    const std::uint32_t col = col_of.of(arc.to);
    if (row >= Numbering::leaf) {
      to_leaves.push_back({target, col < Numbering::leaf ? col : missing_col, arc.weight});
    } else if (col < Numbering::leaf) {
      arcs[kept++] = {row, {col, arc.weight}};
    }
  }
  return kept;
}

CodedArcs code_arcs(PieceList<RowArc> list, const GridCodes& codes, std::uint32_t missing_col) {
  CodedArcs coded{.list = std::move(list), .kept = {}, .to_leaves = {}};
  coded.kept.resize(coded.list.num_pieces());
#pragma omp parallel
  {
    std::vector<LeafArc> mine;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t k = 0; k < coded.num_pieces(); ++k) {
      coded.kept[k] = codes.row.visit([&](const auto& row_of) {
        return codes.col.visit([&](const auto& col_of) {
          return code_piece(coded.list.piece(k), row_of, col_of, missing_col, mine);
        });
      });
    }
#pragma omp critical
    coded.to_leaves.insert(coded.to_leaves.end(), mine.begin(), mine.end());
  }
  return coded;
}

/// Into their rows. Pieces of the list go back to the system on the way.
void rows_of_arcs(CodedArcs arcs, Graph& graph) {
  LargeArray<std::uint32_t> length(graph.weighted_rows.count());
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t k = 0; k < arcs.num_pieces(); ++k) {
    for (const auto& arc : arcs.piece(k)) {
      std::atomic_ref(length[arc.row]).fetch_add(1, std::memory_order_relaxed);
    }
  }
  WeightedArcBuckets buckets(length.span());
  length = {};
#pragma omp parallel
  {
    WeightedArcBuckets::Writer writer(buckets);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t k = 0; k < arcs.num_pieces(); ++k) {
      for (const auto& arc : arcs.piece(k)) writer.add(arc.row, arc.arc);
      arcs.list.release(k);
    }
  }
  const std::uint32_t num_cols = graph.weighted_cols.count();
  if (graph.weighted_rows.are_all()) {
    graph.weighted = buckets.into_rows(num_cols);
  } else {
    graph.compact_weighted = buckets.into_compact_rows(num_cols);
  }
}

/// Vertices of every owner of whom a rank hears at once: whole pieces of bits.
std::uint32_t window_of(const GridLayout& layout, std::size_t told_bytes) {
  const auto owners = static_cast<std::size_t>(std::max(layout.shape.rows, layout.shape.cols));
  const std::size_t pieces = told_bytes / sizeof(float) / owners / piece_bits;
  constexpr std::size_t most = std::size_t{1} << 22;  // pieces: more vertices than any owner has
  return static_cast<std::uint32_t>(std::clamp(pieces, std::size_t{1}, most) * piece_bits);
}

/// Which rows and columns are kept. Codes are places from now on.
void choose_present(Graph& graph, GridCodes& codes) {
  const GridLayout& layout = graph.layout;
  const Hypersparse asked = graph.options.hypersparse;
  graph.weighted_rows = present_of(codes.row, asked, layout.searched_of_row(), layout.row_offset,
                                   static_cast<std::size_t>(layout.grid_col()), graph.weighted_window);
  graph.weighted_cols = present_of(codes.col, asked, layout.searched_of_col(), layout.col_offset,
                                   static_cast<std::size_t>(layout.grid_row()), graph.weighted_window);
}

GraphOptions options_of(const WeightedGraphOptions& options) {
  return {.numbering = {.relabel = true, .leaves_out = true},
          .keep_duplicates = false,
          .streams = false,
          .hypersparse = options.hypersparse};
}

Graph construct_alone(const WeightedEdgeStream& edges, const Communicator& world, const Grid& grid,
                      PhaseObserver& observer, const WeightedGraphOptions& options) {
  observer.phase(Phase::count_degrees);
  std::optional<OriginalArcs> dealt(edges);  // only to be counted: without messages, and in cache
  Graph graph = number_graph(edges, world, grid, observer, options_of(options), &*dealt).graph;
  dealt.reset();
  graph.weighted_rows = PresentIndices(graph.layout.row_offset);
  graph.weighted_cols = PresentIndices(graph.layout.col_offset);
  graph.weighted_window = window_of(graph.layout, options.told_bytes);
  build_column_originals(graph, grid);
  WeightCheck check;
  lay_rows_alone(graph, edges, check, observer);
  check.require_all_good(world);
  return graph;
}

Graph construct_together(const WeightedEdgeStream& edges, const Communicator& world, const Grid& grid,
                         PhaseObserver& observer, const WeightedGraphOptions& options) {
  observer.phase(Phase::deliver_arcs);
  const BlockPartition blocks(edges.num_vertices(), world.size());
  require_narrow_positions(blocks, grid.shape);
  WeightCheck check;
  PieceList<RowArc> arcs = deliver_weighted_arcs(edges, world, ArcRouter(grid.shape, blocks), check);
  check.require_all_good(world);
  const Occurrence occurrence{
      .num_arcs = arcs.size(),
      .sources = [&](EndRange range, std::size_t enough) { return sources_with_arc(arcs, range, enough); },
      .targets = [&](EndRange range, std::size_t enough) { return targets_with_arc(arcs, range, enough); }};
  NumberedGraph numbered =
      number_graph(edges, world, grid, observer, options_of(options), nullptr, &occurrence);
  Graph& graph = numbered.graph;
  observer.phase(Phase::sort_rows);
  graph.weighted_window = window_of(graph.layout, options.told_bytes);
  choose_present(graph, numbered.codes);
  CodedArcs coded = code_arcs(std::move(arcs), numbered.codes, graph.weighted_cols.count());
  numbered.codes = {};
  weigh_leaves(graph, std::move(coded.to_leaves), grid);
  rows_of_arcs(std::move(coded), graph);
  build_column_originals(graph, grid);
  return std::move(numbered.graph);
}

}  // namespace

Graph construct_weighted_graph(const WeightedEdgeStream& edges, const Communicator& world, const Grid& grid,
                               PhaseObserver& observer, const WeightedGraphOptions& options) {
  return world.size() == 1 ? construct_alone(edges, world, grid, observer, options)
                           : construct_together(edges, world, grid, observer, options);
}

}  // namespace isobath
