// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/emit_parents.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// The parents of own searched vertices on several grid columns. Whoever finds one writes it here: the hub
/// pass, the ring for own vertices, and the fold for what others propose (both by Fold). Emit reads them. On
/// one grid column OneColumn has its own.
class Parents {
 public:
  /// @param graph  outlives this
  explicit Parents(const Graph& graph)
      : graph_(graph),
        original_(graph.layout.own_searched()),
        by_first_hub_(graph.hubs.empty() ? 0 : graph.layout.own_words()) {}

  /// Before a search. Numbers may stay: nobody reads that of a vertex that is not visited, but of the start
  /// vertex, which Emit puts right.
  void reset() { clear_words(by_first_hub_.span()); }

  /// By own vertex, the original number of its parent; of no meaning where by_first_hub() has its bit.
  std::span<std::int64_t> original() { return original_.span(); }
  /// Own vertices whose parent is the first hub that they keep: a bit, and no number is written. Empty where
  /// owners keep no hubs.
  std::span<Word> by_first_hub() { return by_first_hub_.span(); }

  /// What emit reads. @param reached_leaves  own leaves of the root's component, or none
  FoundSeveralColumns found(std::span<const Word> visited, const Word* reached_leaves) const {
    return {graph_, visited.data(), by_first_hub_.data(), original_.data(), reached_leaves};
  }

 private:
  const Graph& graph_;
  LargeArray<std::int64_t> original_;
  LargeArray<Word> by_first_hub_;
};

}  // namespace isobath
