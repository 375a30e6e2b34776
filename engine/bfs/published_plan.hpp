// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "bfs/graph_plan.hpp"

namespace isobath {

/// What the published plans share: every vertex keeps its number, parents are written where they are found,
/// and levels follow each other until none finds anything. A plan says how one level is searched.
///
/// An own vertex is named by its position in the own block; a source by its column (graph/layout.hpp).
class PublishedPlan : public GraphPlan {
 public:
  FoundTree search(GlobalVertex root, SearchObserver& observer) final;

 protected:
  /// Collective. A plan ends its own constructor with label().
  PublishedPlan(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                PhaseObserver& observer);

  /// Where the search starts. Every rank works it out by itself: no message is needed.
  struct Root {
    int owner;
    std::uint32_t vertex;  // at its owner
  };

  /// Collective. Component labels, by a search.
  void label(PhaseObserver& observer);

  virtual Direction direction() const { return Direction::top_down; }
  /// Forgets the search before, as far as the plan itself remembers it.
  virtual void forget(const Root& root) = 0;
  /// Collective. Searches one level: `found_` holds the own part of the frontier when it begins, and of the
  /// next one when it ends. `arcs_scanned_` is to be set.
  virtual void search_level(Level level, SearchObserver& observer) = 0;

  /// Proposes a parent for an own vertex; the first one stands. From any thread.
  void adopt(std::uint32_t vertex, GlobalVertex parent) {
    if (!claim_bit(visited_.span(), vertex)) return;
    parents_[vertex] = parent;
    claim_bit(found_.span(), vertex);
  }
  GlobalVertex original_of(std::uint32_t col) const {
    return GlobalVertex{graph_.layout.first_col_original() + graph_.column_original[col]};
  }
  /// Words of bitmap of every piece of the grid column.
  std::vector<std::int64_t> words_of_col_pieces() const;
  /// Column of the root, where its arcs are stored on this rank; missing_col() elsewhere.
  std::uint32_t column_of(const Root& root) const;
  static void clear(std::span<Word> words);

  const Switches switches_;
  const int threads_;              // of every team
  LargeArray<Word> visited_;       // own vertices
  LargeArray<Word> found_;         // own vertices that joined in the last level
  std::int64_t arcs_scanned_ = 0;  // by this rank in the level
  LargeArray<GlobalVertex> parents_;

 private:
  void search_levels(const Root& root, SearchObserver& observer);
  void reset(const Root& root);
};

}  // namespace isobath
