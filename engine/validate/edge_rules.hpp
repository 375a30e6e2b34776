// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/gathered_vertices.hpp"
#include "validate/owner_exchange.hpp"
#include "validate/rule_tally.hpp"
#include "validate/tree_edge_marks.hpp"
#include "validate/tree_levels.hpp"

namespace isobath {

/// Rules 3, 4 and 5: every input edge against the levels of its ends, and every tree edge against the input.
///
/// A rank goes through its own share of the edges. It needs one LevelCode of each end, which it has where
/// there is one rank or codes are gathered, and asks of the owners, a chunk of edges at a time, where not.
/// Nearly all edges are settled by their two codes. Those that may be tree edges are held against the child's
/// parent, and the child is marked; where neither is here, they go on to the child's owner. Edges with deep
/// ends need exact levels, which are never gathered.
class EdgeRules {
 public:
  EdgeRules(const Communicator& world, const BlockPartition& partition, const EdgeStream& edges,
            OwnerExchange& exchange, GatheredVertices& gathered);

  /// Collective. Counts are those of this rank's share. `parents` are this rank's.
  /// @throws EnvironmentError when edges cannot be read or name a vertex that does not exist
  TreeEdgeCounts check(GlobalVertex root, std::span<const GlobalVertex> parents, const TreeLevels& levels,
                       RuleTally<BfsRule>& tally);

 private:
  struct Tallies {  // of one thread
    TreeEdgeCounts counts;
    RuleTally<BfsRule> rules;
    void merge(const Tallies& other);
  };
  template <class LevelOf, class IsParent>
  TreeEdgeCounts check_at_hand(std::span<const LevelCode> codes, const LevelOf& level_of,
                               const IsParent& is_parent, RuleTally<BfsRule>& tally);
  std::size_t chunk() const;
  void make_room_for_chunk();
  TreeEdgeCounts check_together(std::span<const GlobalVertex> parents, const TreeLevels& levels,
                                RuleTally<BfsRule>& tally);
  void check_chunk(std::int64_t first, std::size_t count, const TreeLevels& levels, Tallies& total);
  void classify_chunk(std::size_t count, bool codes_may_be_deep, Tallies& total);
  void judge_apart(const TreeLevels& levels, Tallies& total);
  void deliver_candidates(std::span<const GlobalVertex> parents);
  void report_unconfirmed(std::span<const GlobalVertex> parents, const TreeLevels& levels,
                          RuleTally<BfsRule>& tally) const;

  const Communicator& world_;
  const EdgeStream& edges_;
  OwnerExchange& exchange_;
  GatheredVertices& gathered_;
  BlockPartition partition_;
  TreeEdgeMarks marks_;

  // One chunk of edges, where owners are asked:
  LargeArray<Edge> chunk_edges_;
  LargeArray<LevelCode> chunk_codes_;  // of u and v of each edge in turn
  LargeArray<std::int64_t> chunk_levels_;
  EdgeList candidates_;  // child and parent, for the child's owner
  EdgeList apart_;       // edges for whose ends codes say too little
};

}  // namespace isobath
