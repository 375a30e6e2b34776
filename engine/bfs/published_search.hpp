// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "bfs/constructed_graph.hpp"

namespace isobath {

/// Where a search starts. Every rank works it out by itself: no message is needed.
struct Root {
  int owner;
  std::uint32_t vertex;  // at its owner
};

/// What the levels of a published plan are searched in: the graph, and the own part of the tree while it
/// grows. Every vertex keeps its number, and parents are written where they are found.
///
/// An own vertex is named by its position in the own block; a source by its column (graph/layout.hpp).
struct PublishedSearch {
  /// @param built  outlives this
  PublishedSearch(const ConstructedGraph& built, const Switches& switches);

  /// Forgets the search before; the root has been found.
  void reset(const Root& root);

  /// Proposes a parent for an own vertex; the first one stands. From any thread.
  void adopt(std::uint32_t vertex, GlobalVertex parent) {
    if (!claim_bit(visited.span(), vertex)) return;
    parents[vertex] = parent;
    claim_bit(found.span(), vertex);
  }
  GlobalVertex original_of(std::uint32_t col) const {
    return GlobalVertex{graph.layout.first_col_original() + graph.column_original[col]};
  }
  /// Words of bitmap of every piece of the grid column.
  std::vector<std::int64_t> words_of_col_pieces() const;
  /// Column of the root, where its arcs are stored on this rank; missing_col() elsewhere.
  std::uint32_t column_of(const Root& root) const;

  const ConstructedGraph& built;
  const Graph& graph;  // of `built`
  const Grid& grid;
  const Switches switches;
  const int threads;         // of every team
  LargeArray<Word> visited;  // own vertices
  LargeArray<Word> found;    // own vertices that joined in the last level
  LargeArray<GlobalVertex> parents;
};

/// How a published plan searches one level: all in which these plans differ.
class LevelStep {
 public:
  LevelStep() = default;
  LevelStep(const LevelStep&) = delete;
  LevelStep& operator=(const LevelStep&) = delete;
  virtual ~LevelStep() = default;

  virtual Direction direction() const { return Direction::top_down; }
  /// Forgets the search before, as far as the step itself remembers it.
  virtual void forget(const Root& /*root*/) {}
  /// Collective. Searches one level: `found` holds the own part of the frontier when it begins, and of the
  /// next one when it ends. Returns how many arcs this rank scanned.
  virtual std::int64_t search_level(Level level, SearchObserver& observer) = 0;
};

}  // namespace isobath
