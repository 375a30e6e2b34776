// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/owner_exchange.hpp"
#include "validate/rule_tally.hpp"
#include "validate/tree_edge_marks.hpp"
#include "validate/tree_levels.hpp"

namespace isobath {

/// Rules 3, 4 and 5: every input edge against the levels of its ends, and every tree edge against the input.
///
/// A rank goes through its own share of the edges. It needs one LevelCode of each end, which it reads from
/// the array where there is one rank, and asks of the owners, a chunk of edges at a time, where there are
/// more. Nearly all edges are settled by their two codes; those that may be tree edges go on to the child's
/// owner, who compares parents and marks the child; those with deep ends ask for exact levels.
class EdgeRules {
 public:
  EdgeRules(const Communicator& world, const BlockPartition& partition, const EdgeStream& edges,
            OwnerExchange& exchange);

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
  TreeEdgeCounts check_alone(std::span<const GlobalVertex> parents, const TreeLevels& levels,
                             RuleTally<BfsRule>& tally);
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
  std::int64_t num_vertices_;
  TreeEdgeMarks marks_;

  // For more than one rank: one chunk of edges.
  LargeArray<Edge> chunk_edges_;
  LargeArray<LevelCode> chunk_codes_;  // of u and v of each edge in turn
  LargeArray<std::int64_t> chunk_levels_;
  EdgeList candidates_;  // child and parent, for the child's owner
  EdgeList apart_;       // edges for whose ends codes say too little
};

}  // namespace isobath
