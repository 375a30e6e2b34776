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
void construct_alone(Graph& graph, const WeightedEdgeStream& edges, WeightCheck& check,
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

struct RoutedWeightedArc {
  RoutedArc arc;
  float weight;
};

/// Arcs that belong to this rank of the grid.
struct DeliveredArcs {
  PieceList<RowArc> searched;  // between searched vertices
  std::vector<LeafArc> to_leaves;
};

DeliveredArcs deliver_weighted_arcs(const WeightedEdgeStream& edges, const Communicator& world,
                                    const GridLayout& layout, const GridCodes& codes, WeightCheck& check) {
  DeliveredArcs arcs;
  const ArcRouter router(layout);
  const std::span<const std::uint32_t> row_of = codes.row.of_all();
  const std::span<const std::uint32_t> col_of = codes.col.of_all();
  const auto route = [&](const Edge& edge, float weight, auto&& send) {
    if (edge.u == edge.v) return;
    const auto [to_v, arc_to_v] = router.route(edge.u, edge.v);
    send(to_v, RoutedWeightedArc{arc_to_v, weight});
    const auto [to_u, arc_to_u] = router.route(edge.v, edge.u);
    send(to_u, RoutedWeightedArc{arc_to_u, weight});
  };
  exchange_weighted_rounds<RoutedWeightedArc>(
      edges, world, route, [&](std::span<const RoutedWeightedArc> arrived) {
        for (const auto& [arc, weight] : arrived) {
          check.look_at(weight);
          const std::uint32_t row = row_of[arc.target];
          const std::uint32_t col = col_of[arc.source];
          if (row >= Numbering::leaf) {
            const bool has_column = col < Numbering::leaf;
            arcs.to_leaves.push_back(
                {arc.target, has_column ? col : layout.missing_col(), without_sign(weight)});
          } else if (col < Numbering::leaf) {
            arcs.searched.add({row, {col, without_sign(weight)}});
          }
        }
      });
  return arcs;
}

/// Arcs that arrived, into their rows. Pieces of the list go back to the system on the way.
WeightSortedRows rows_of_arcs(PieceList<RowArc> arcs, const GridLayout& layout) {
  LargeArray<std::uint32_t> length(layout.num_rows());
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t k = 0; k < arcs.num_pieces(); ++k) {
    for (const auto& arc : arcs.piece(k)) {
      std::atomic_ref(length[arc.row]).fetch_add(1, std::memory_order_relaxed);
    }
  }
  WeightedArcBuckets buckets(length.span());
#pragma omp parallel
  {
    WeightedArcBuckets::Writer writer(buckets);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t k = 0; k < arcs.num_pieces(); ++k) {
      for (const auto& arc : arcs.piece(k)) writer.add(arc.row, arc.arc);
      arcs.release(k);
    }
  }
  return buckets.into_rows(layout.num_cols());
}

}  // namespace

Graph construct_weighted_graph(const WeightedEdgeStream& edges, const Communicator& world, const Grid& grid,
                               PhaseObserver& observer) {
  const GraphOptions options{
      .numbering = {.relabel = true, .leaves_out = true}, .keep_duplicates = false, .streams = false};
  std::optional<OriginalArcs> dealt;  // only to be counted: without messages, and in cache
  if (world.size() == 1) {
    observer.phase(Phase::count_degrees);
    dealt.emplace(edges);
  }
  NumberedGraph numbered = number_graph(edges, world, grid, observer, options, dealt ? &*dealt : nullptr);
  dealt.reset();
  Graph& graph = numbered.graph;
  build_column_originals(graph, grid);
  WeightCheck check;
  if (world.size() == 1) {
    construct_alone(graph, edges, check, observer);
  } else {
    observer.phase(Phase::deliver_arcs);
    DeliveredArcs arcs = deliver_weighted_arcs(edges, world, graph.layout, numbered.codes, check);
    numbered.codes = {};
    check.require_all_good(world);
    observer.phase(Phase::sort_rows);
    weigh_leaves(graph, std::move(arcs.to_leaves), grid);
    graph.weighted = rows_of_arcs(std::move(arcs.searched), graph.layout);
    return std::move(numbered.graph);
  }
  check.require_all_good(world);
  return std::move(numbered.graph);
}

}  // namespace isobath
