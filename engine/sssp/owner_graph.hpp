// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/message_lists.hpp"
#include "graph/rows.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// The simplest distributed weighted graph: every vertex's arcs at its owner, in original numbering,
/// duplicates kept, self-loops only counted; the component of each vertex and its edges.
struct OwnerGraph {
  using Arc = WeightedArcTo<GlobalVertex>;
  /// Collective. @throws EnvironmentError when edges cannot be read
  OwnerGraph(const WeightedEdgeStream& edges, const Communicator& world, PhaseObserver& observer);

  bool owns(GlobalVertex v) const { return blocks.block_of(v) == rank; }
  std::size_t local(GlobalVertex v) const { return static_cast<std::size_t>(raw(v) - first); }
  std::span<const Arc> arcs_of(std::size_t own) const {
    return std::span(arcs).subspan(row_starts[own], row_starts[own + 1] - row_starts[own]);
  }
  /// Collective.
  TraversedEdges edges_of_component(const Communicator& world, GlobalVertex root) const;

  BlockPartition blocks;
  int rank;
  std::int64_t first;                   // own vertices
  std::vector<std::size_t> row_starts;  // of each own vertex; one more
  std::vector<Arc> arcs;
  std::vector<std::int64_t> self_loops;  // of each own vertex
  std::vector<std::int64_t> labels;      // of each own vertex: lowest vertex of its component
  GraphFacts facts;

 private:
  void deliver(const WeightedEdgeStream& edges, const Communicator& world);
  void label_components(const Communicator& world);
  void count(const WeightedEdgeStream& edges, const Communicator& world);
};

/// Collective. Sends items to owners, a bounded number at a time: next(lists) adds some, about
/// exchange_piece, and says whether there are more; take(items) gets what arrives.
template <class Item, class Next, class Take>
void exchange_in_pieces(const Communicator& world, Next&& next, Take&& take) {
  MessageLists<Item> lists(world);
  for (bool more = true; world.any(more);) {
    if (more) more = next(lists);
    take(std::span<const Item>(lists.send()));
  }
}
/// Items that one call of `next` should make, about.
inline constexpr std::size_t exchange_piece = std::size_t{1} << 18;

}  // namespace isobath
