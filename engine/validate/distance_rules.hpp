// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "validate/gathered_vertices.hpp"
#include "validate/owner_exchange.hpp"
#include "validate/sssp_rules.hpp"
#include "validate/tree_edge_marks.hpp"
#include "validate/tree_levels.hpp"

namespace isobath {

/// Rules 3 to 6 for shortest paths: every distance by itself, every input edge against the distances of its
/// ends, every tree edge against the input.
///
/// As in EdgeRules a rank goes through its own share of the edges and needs one value of each end, here the
/// distance: from the array where there is one rank or distances are gathered, asked of the owners a chunk of
/// edges at a time where not. Edges whose sum is exact may be tree edges and are held against its parent.
/// They are few: two sums of random weights are hardly ever equal.
class DistanceRules {
 public:
  DistanceRules(const Communicator& world, const BlockPartition& partition, const WeightedEdgeStream& edges,
                OwnerExchange& exchange, GatheredVertices& gathered);

  /// Of this rank.
  struct Facts {
    TreeEdgeCounts edges;     // of its share
    double distance_sum = 0;  // over own vertices of the tree with a usable distance
    double distance_max = 0;
  };
  /// Collective. `parents` and `distances` are this rank's.
  /// @throws EnvironmentError when edges cannot be read, name a vertex that does not exist, or have a weight
  /// that is negative or not finite
  Facts check(GlobalVertex root, std::span<const GlobalVertex> parents, std::span<const float> distances,
              const TreeLevels& levels, RuleTally<SsspRule>& tally);

 private:
  struct Tallies {  // of one thread
    TreeEdgeCounts counts;
    RuleTally<SsspRule> rules;
    void merge(const Tallies& other);
  };
  Facts take_distances(GlobalVertex root, std::span<const GlobalVertex> parents,
                       std::span<const float> distances, const TreeLevels& levels,
                       RuleTally<SsspRule>& tally);
  template <class IsParent>
  void check_at_hand(const IsParent& is_parent, Tallies& total);
  std::size_t chunk() const;
  void make_room_for_chunk();
  void check_together(std::span<const GlobalVertex> parents, Tallies& total);
  void read_chunk(std::int64_t first, std::size_t count);
  void classify_chunk(std::size_t count, Tallies& total);
  void report_unconfirmed(std::span<const GlobalVertex> parents, RuleTally<SsspRule>& tally) const;

  const Communicator& world_;
  const WeightedEdgeStream& edges_;
  OwnerExchange& exchange_;
  GatheredVertices& gathered_;
  std::int64_t num_vertices_;
  std::int64_t first_;           // own vertices
  LargeArray<float> held_ends_;  // end distance of each vertex whose facts are held
  std::span<float> ends_;        // those of own vertices
  TreeEdgeMarks marks_;

  // One chunk of edges, where owners are asked:
  LargeArray<Edge> chunk_edges_;
  LargeArray<float> chunk_weights_;
  LargeArray<float> chunk_ends_;  // of u and v of each edge in turn
  EdgeList candidates_;           // child and parent, for the child's owner
};

}  // namespace isobath
