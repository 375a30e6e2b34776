// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sssp/owner_graph.hpp"
#include "sssp/plan.hpp"

namespace isobath {

/// The plan `bellman-ford` (Bellman 1958, Ford 1956), as simple as a distributed one can be: in each round
/// every vertex whose distance changed offers what it gives its neighbours to their owners, who take what is
/// less, until nothing changes. No edge is left out, nothing is relabelled, one thread. The baseline, and the
/// parallel twin of the other plans.
///
/// Parents make no circle, whatever the weights: who takes an offer has a larger distance than it, hence
/// than the sender, and distances only fall (Cormen et al., "Introduction to Algorithms", lemma 24.16; sums
/// in float32 never fall below their terms).
class BellmanFord final : public SearchPlan {
 public:
  /// Collective. Kernel 1. @param world  outlives the plan
  BellmanFord(const WeightedEdgeStream& edges, const Communicator& world, const PathOptions& options,
              PhaseObserver& observer);

  std::string_view name() const override { return "bellman-ford"; }
  const BlockPartition& partition() const override { return graph_.blocks; }
  const GraphFacts& facts() const override { return graph_.facts; }
  FoundTree search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override {
    return graph_.edges_of_component(world_, root);
  }
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override;
  Traffic traffic() const override { return world_.traffic(); }

 private:
  std::int64_t relax_round(SearchObserver& observer);

  const Communicator& world_;
  OwnerGraph graph_;
  std::vector<GlobalVertex> parents_;  // of own vertices
  std::vector<float> distances_;
  std::vector<std::size_t> changed_;  // own vertices, in the last round
  std::vector<char> is_changed_;      // own vertices, in this round
};

}  // namespace isobath
