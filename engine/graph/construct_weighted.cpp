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
/// @tparam Ends  RoutedArc, or WideArc where positions are wide
template <class Ends>
PieceList<Weighted<Ends>> deliver_weighted_arcs(const WeightedEdgeStream& edges, const Communicator& world,
                                                const ArcRouter& router, WeightCheck& check) {
  using Arc = Weighted<Ends>;
  PieceList<Arc> arcs;
  const auto route = [&](const Edge& edge, float weight, auto&& send) {
    if (edge.u == edge.v) return;
    const auto one_way = [&](GlobalVertex source, GlobalVertex target) {
      const auto [rank, ends] = router.route<Ends>(source, target);
      send(rank, weighted(ends, without_sign(weight)));
    };
    one_way(edge.u, edge.v);
    one_way(edge.v, edge.u);
  };
  exchange_weighted_rounds<Arc>(edges, world, route, [&](std::span<const Arc> arrived) {
    for (const Arc& arc : arrived) check.look_at(weight_of(arc));
    arcs.add(arrived);
  });
  return arcs;
}

template <class Arc>
using TargetOf = decltype(target_of(Arc{}));

/// Arcs between searched vertices, by places, at the front of pieces of lists.
/// @tparam Position  of a leaf among the originals of the grid row
template <class Position>
struct CodedArcs {
  struct Piece {
    std::size_t list;
    std::size_t at;
    std::size_t kept;
  };
  std::vector<PieceList<RowArc>> lists;
  std::vector<Piece> pieces;
  std::vector<LeafArc<Position>> to_leaves;

  std::size_t num_pieces() const { return pieces.size(); }
  std::span<const RowArc> piece(std::size_t k) const {
    const auto& [list, at, kept] = pieces[k];
    return lists[list].piece(at).first(kept);
  }
  void release(std::size_t k) { lists[pieces[k].list].release(pieces[k].at); }
};

/// Codes wait for memory: asks for those of arcs that come soon, in three steps.
template <class Arc, class RowCodes, class ColCodes>
void prefetch_codes(std::span<const Arc> arcs, std::size_t now, const RowCodes& row_of,
                    const ColCodes& col_of) {
  constexpr std::size_t step = 8;
  if (now + 3 * step < arcs.size()) {
    row_of.prefetch_block(target_of(arcs[now + 3 * step]));
    col_of.prefetch_block(source_of(arcs[now + 3 * step]));
  }
  if (now + 2 * step < arcs.size()) {
    row_of.prefetch_place(target_of(arcs[now + 2 * step]));
    col_of.prefetch_place(source_of(arcs[now + 2 * step]));
  }
  if (now + step < arcs.size()) {
    row_of.prefetch(target_of(arcs[now + step]));
    col_of.prefetch(source_of(arcs[now + step]));
  }
}

/// Gives the arcs of a piece their codes, and calls keep(arc) for those between searched vertices: the k-th
/// may take the place of the k-th of the piece.
template <class Arc, class RowCodes, class ColCodes, class Keep>
void code_piece(std::span<const Arc> arcs, const RowCodes& row_of, const ColCodes& col_of,
                std::uint32_t missing_col, std::vector<LeafArc<TargetOf<Arc>>>& to_leaves, Keep&& keep) {
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    prefetch_codes(arcs, i, row_of, col_of);
    const Arc arc = arcs[i];
    const std::uint32_t row = row_of.of(target_of(arc));
    const std::uint32_t col = col_of.of(source_of(arc));
    if (row >= Numbering::leaf) {
      to_leaves.push_back({target_of(arc), col < Numbering::leaf ? col : missing_col, weight_of(arc)});
    } else if (col < Numbering::leaf) {
      keep(RowArc{row, {col, weight_of(arc)}});
    }
  }
}

/// visit(row_of, col_of), in the forms that codes have here.
template <class Visit>
void with_codes(const GridCodes& codes, Visit&& visit) {
  codes.row.visit(
      [&](const auto& row_of) { codes.col.visit([&](const auto& col_of) { visit(row_of, col_of); }); });
}

/// Narrow arcs get their codes where they stand.
CodedArcs<std::uint32_t> code_arcs(PieceList<RowArc> list, const GridCodes& codes,
                                   std::uint32_t missing_col) {
  CodedArcs<std::uint32_t> coded;
  coded.lists.push_back(std::move(list));
  for (std::size_t k = 0; k < coded.lists[0].num_pieces(); ++k) coded.pieces.push_back({0, k, 0});
#pragma omp parallel
  {
    std::vector<LeafArc<std::uint32_t>> mine;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t k = 0; k < coded.num_pieces(); ++k) {
      const std::span<RowArc> arcs = coded.lists[0].piece(k);
      std::size_t kept = 0;
      with_codes(codes, [&](const auto& row_of, const auto& col_of) {
        code_piece(std::span<const RowArc>(arcs), row_of, col_of, missing_col, mine,
                   [&](const RowArc& arc) { arcs[kept++] = arc; });
      });
      coded.pieces[k].kept = kept;
    }
#pragma omp critical
    coded.to_leaves.insert(coded.to_leaves.end(), mine.begin(), mine.end());
  }
  return coded;
}

/// Wide arcs get narrower: they move to a list of each thread, and their pieces go back to the system on the
/// way.
CodedArcs<std::uint64_t> code_arcs(PieceList<WideRowArc> list, const GridCodes& codes,
                                   std::uint32_t missing_col) {
  CodedArcs<std::uint64_t> coded;
#pragma omp parallel
  {
    PieceList<RowArc> kept;
    std::vector<LeafArc<std::uint64_t>> mine;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t k = 0; k < list.num_pieces(); ++k) {
      with_codes(codes, [&](const auto& row_of, const auto& col_of) {
        code_piece(std::as_const(list).piece(k), row_of, col_of, missing_col, mine,
                   [&](const RowArc& arc) { kept.add(arc); });
      });
      list.release(k);
    }
#pragma omp critical
    {
      for (std::size_t k = 0; k < kept.num_pieces(); ++k) {
        coded.pieces.push_back({coded.lists.size(), k, std::as_const(kept).piece(k).size()});
      }
      coded.lists.push_back(std::move(kept));
      coded.to_leaves.insert(coded.to_leaves.end(), mine.begin(), mine.end());
    }
  }
  return coded;
}

/// Into their rows. Pieces of the list go back to the system on the way.
template <class Position>
void rows_of_arcs(CodedArcs<Position> arcs, Graph& graph) {
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
      arcs.release(k);
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
          .hypersparse = options.hypersparse,
          .position_bits = options.position_bits};
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

/// @tparam Ends  RoutedArc, or WideArc where positions are wide
template <class Ends>
Graph construct_together(const WeightedEdgeStream& edges, const Communicator& world, const Grid& grid,
                         PhaseObserver& observer, const WeightedGraphOptions& options) {
  WeightCheck check;
  const BlockPartition blocks(edges.num_vertices(), world.size());
  auto arcs = deliver_weighted_arcs<Ends>(edges, world, ArcRouter(grid.shape, blocks), check);
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
  auto coded = code_arcs(std::move(arcs), numbered.codes, graph.weighted_cols.count());
  numbered.codes = {};
  weigh_leaves(graph, std::move(coded.to_leaves), grid);
  rows_of_arcs(std::move(coded), graph);
  build_column_originals(graph, grid);
  return std::move(numbered.graph);
}

}  // namespace

Graph construct_weighted_graph(const WeightedEdgeStream& edges, const Communicator& world, const Grid& grid,
                               PhaseObserver& observer, const WeightedGraphOptions& options) {
  if (world.size() == 1) return construct_alone(edges, world, grid, observer, options);
  observer.phase(Phase::deliver_arcs);
  const PositionForm form(BlockPartition(edges.num_vertices(), world.size()), grid.shape,
                          options.position_bits);
  return form.is_wide() ? construct_together<WideArc>(edges, world, grid, observer, options)
                        : construct_together<RoutedArc>(edges, world, grid, observer, options);
}

}  // namespace isobath
