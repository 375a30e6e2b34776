// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/vertex.hpp"
#include "bfs/component_labels.hpp"
#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "graph/endpoints.hpp"
#include "sssp/landmark_start.hpp"
#include "sssp/own_vertices.hpp"
#include "sssp/path_steps.hpp"
#include "sssp/plan.hpp"
#include "sssp/upper_graph.hpp"
#include "sssp/upper_search.hpp"

namespace isobath {

/// Components of the graph and their edges. Leaving out edges that lie on no shortest path does not divide a
/// component, and every vertex hangs from an upper one, so the upper graph tells them apart.
class UpperComponents {
 public:
  UpperComponents() = default;
  /// Collective.
  UpperComponents(const UpperGraph& upper, const OwnVertices& own, const Endpoints& endpoints,
                  const Communicator& world);

  /// Of own vertex `v`, not isolated.
  std::uint32_t label_at_owner(const OwnVertices& own, std::size_t v) const;
  const TraversedEdges& edges_of(std::uint32_t label) const { return edges_[label]; }
  std::int64_t count() const { return static_cast<std::int64_t>(edges_.size()); }
  std::int64_t largest_vertices() const { return largest_.vertices(); }
  std::int64_t largest_edges() const { return largest_.edges(); }

 private:
  std::vector<std::uint32_t> label_;   // by upper number
  std::vector<TraversedEdges> edges_;  // by label
  LargestComponent largest_;
};

/// The plan `landmark`: edges that lie on no shortest path are left out, vertices that lie inside none are
/// peeled, and what remains, the path core, is small. A search climbs from its root to the path core, settles
/// it, and descends to all vertices in one pass (docs/explanation/sssp.md).
///
/// Every rank owns a block of vertices and holds the upper graph whole, so a search sends nothing but where
/// its root stands; the shape of the grid does not matter.
class LandmarkPlan final : public SearchPlan {
 public:
  /// Collective. Kernel 1. @param world  outlives the plan
  /// @throws RefusedError for more than 2^31 vertices
  LandmarkPlan(const WeightedEdgeStream& edges, const Communicator& world, const PathOptions& options,
               PhaseObserver& observer);
  /// Collective. The same, where a part of it is done.
  LandmarkPlan(const WeightedEdgeStream& edges, const Communicator& world, LandmarkStart start,
               PhaseObserver& observer);

  std::string_view name() const override { return "landmark"; }
  const BlockPartition& partition() const override { return blocks_; }
  const GraphFacts& facts() const override { return facts_; }
  FoundTree search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override;
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override;
  Traffic traffic() const override { return world_.traffic(); }
  bool is_pruned() const override { return true; }

  /// What construction left, for documentation and tests.
  struct Yield {
    std::int64_t kept_arcs = 0;  // of all ranks, both directions of an edge
    std::int64_t upper_vertices = 0;
    std::int64_t core_vertices = 0;
    std::int64_t core_arcs = 0;
    int rounds = 0;
  };
  const Yield& yield() const { return yield_; }

 private:
  bool owns(GlobalVertex v) const { return blocks_.block_of(v) == world_.rank(); }
  std::size_t own_index(GlobalVertex v) const { return static_cast<std::size_t>(raw(v) - own_first_); }
  void allocate();
  std::vector<Offer> locate_root(GlobalVertex root);
  void seed_core(const std::vector<Offer>& climbed);
  void descend_all(const std::vector<Offer>& climbed);
  void adopt_climbed(const std::vector<Offer>& climbed, const UpperGraph::Round& round);
  void descend_below();
  void emit(GlobalVertex root);

  const Communicator& world_;
  BlockPartition blocks_;
  std::int64_t own_first_;
  UpperGraph upper_;
  OwnVertices own_;
  UpperComponents components_;
  GraphFacts facts_;
  Yield yield_;

  // State of a search; allocated in construction.
  UpperPaths paths_;          // and own vertices below that hang on several arcs
  LargeArray<Word> changed_;  // path core
  /// Parents of peeled vertices with one arc are written in construction, because that arc leads to their
  /// parent in every search, but for one whose root hangs from them: the search climbs through them and turns
  /// their parents around. The parents from construction stand here meanwhile, and go back for the next
  /// search.
  std::vector<Offer> usual_;
  LargeArray<GlobalVertex> parents_;  // the result
  LargeArray<float> distances_;
};

}  // namespace isobath
