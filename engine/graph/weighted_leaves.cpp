// SPDX-License-Identifier: Apache-2.0
#include "graph/weighted_leaves.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "graph/graph.hpp"

namespace isobath {
namespace {

/// To the owner of a leaf.
struct WeightOfLeaf {
  std::uint32_t original;  // own
  float weight;
};

/// By leaf; of the copies of an arc the lightest remains.
template <class Position>
void sort_leaf_arcs(std::vector<LeafArc<Position>>& arcs) {
  using Arc = LeafArc<Position>;
  std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return a.target != b.target ? a.target < b.target : a.weight < b.weight;
  });
  const auto same_leaf = [](const Arc& a, const Arc& b) { return a.target == b.target; };
  arcs.erase(std::unique(arcs.begin(), arcs.end(), same_leaf), arcs.end());
}

}  // namespace

template <class Position>
void weigh_leaves(Graph& graph, std::vector<LeafArc<Position>> arcs, const Grid& grid) {
  const GridLayout& layout = graph.layout;
  sort_leaf_arcs(arcs);
  std::vector<WeightOfLeaf> weights;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(layout.shape.cols), 0);
  std::int64_t before = 0;
  std::size_t at = 0;
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    const std::int64_t end = before + layout.blocks.size(layout.block_of_row_piece(piece));
    for (; at < arcs.size() && std::cmp_less(arcs[at].target, end); ++at) {
      const auto original = static_cast<std::int64_t>(arcs[at].target) - before;
      weights.push_back({static_cast<std::uint32_t>(original), arcs[at].weight});
      ++counts[static_cast<std::size_t>(piece)];
    }
    before = end;
  }
  ToldLeaves& told = graph.told_leaves;
  told.counts = grid.row_comm.exchange_counts(counts);
  std::vector<WeightOfLeaf> arrived(static_cast<std::size_t>(told.counts.receive_total));
  grid.row_comm.alltoallv<WeightOfLeaf>(weights, told.counts, arrived);

  graph.leaves.weight = LargeArray<float>(graph.numbering.leaves());
  told.leaf = LargeArray<std::uint32_t>(arrived.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < arrived.size(); ++i) {
    told.leaf[i] = graph.numbering.leaf_index(arrived[i].original);
    graph.leaves.weight[told.leaf[i]] = arrived[i].weight;
  }
  if (layout.rows_are_complete()) {  // whoever has a leaf has its neighbour among its columns
    told = {};
    return;
  }
  told.col = LargeArray<std::uint32_t>(arcs.size());
  told.weight = LargeArray<float>(arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    told.col[i] = arcs[i].col;
    told.weight[i] = arcs[i].weight;
  }
}

template void weigh_leaves(Graph& graph, std::vector<LeafArc<std::uint32_t>> arcs, const Grid& grid);
template void weigh_leaves(Graph& graph, std::vector<LeafArc<std::uint64_t>> arcs, const Grid& grid);

}  // namespace isobath
