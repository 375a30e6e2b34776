// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/bitmap.hpp"
#include "bfs/hybrid/parents.hpp"
#include "bfs/hybrid/steps/find_by_hubs.hpp"
#include "bfs/hybrid/told_hubs.hpp"
#include "comm/communicator.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// The first step of a bottom-up level on several grid columns. tell(): all ranks learn which hubs are
/// visited. find(): owners give every unvisited own vertex the first of its kept hubs that is visited as
/// parent, without a message (docs/adr/0043). A visited neighbour of an unvisited vertex is always on the
/// last level, so such a parent is right.
class HubPass {
 public:
  /// @param graph, row_comm, parents  outlive this; the graph has hubs
  HubPass(const Graph& graph, const Communicator& row_comm, Parents& parents);

  /// Before a search.
  void reset() { told_.reset(); }
  /// All hubs were visited when they were last told: nothing more will be found by them.
  bool is_over() const { return told_.are_all_visited(); }
  /// How many own hubs are visited; the sum over all ranks is for tell().
  std::int64_t visited_hubs(const Word* visited) const { return told_.count_own(visited); }
  /// As ToldHubs::tell(). False where no hub is newly visited: then find() would find nothing in this level.
  bool tell(const Word* visited_cols, std::optional<std::int64_t> sum_over_ranks) {
    return told_.tell(visited_cols, sum_over_ranks);
  }
  /// Finds the own unvisited vertices that keep a visited hub, and writes their parents.
  /// @param visited        own words, before the level
  /// @param visited_after  own words, written: those and what is found
  LevelCounts find(std::span<const Word> visited, std::span<Word> visited_after);

 private:
  const Graph& graph_;
  Parents& parents_;
  ToldHubs told_;
  HubPassStep step_;
};

}  // namespace isobath
