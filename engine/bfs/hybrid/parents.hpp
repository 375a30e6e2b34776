// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/threads.hpp"
#include "graph/emit_parents.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// The parents of own searched vertices on several grid columns. Whoever finds one writes it here: the hub
/// pass and follow_hubs, the ring for own vertices (Fold::adopter), and Fold for all that is
/// proposed. Emit reads them. On one grid column OneColumn has its own.
///
/// A parent that is the first kept hub is a bit. Other parents are few and scattered. They are original
/// numbers, looked up by the proposer. If emit can sort them into ranges (can_deal_parents()), each thread
/// appends (own vertex, parent) to a list, and a kept hub stays a hub number until emit; otherwise they are
/// in an array by vertex.
class Parents {
 public:
  /// Where a thread writes what it finds, once for a vertex in a search.
  class Writer {
   public:
    Writer(const Hubs& hubs, ListedParents* list, std::int64_t* by_vertex)
        : hubs_(hubs), list_(list), by_vertex_(by_vertex) {}
    void write(std::uint32_t own, std::int64_t original) const {
      if (list_ != nullptr) return list_->add(FoundParent::by_original(own, original));
      by_vertex_[own] = original;
    }
    void write_hub(std::uint32_t own, std::uint32_t hub) const {
      if (list_ != nullptr) return list_->add(FoundParent::by_hub(own, hub));
      by_vertex_[own] = hubs_.original[hub];
    }

   private:
    const Hubs& hubs_;
    ListedParents* list_;  // nullptr: by vertex
    std::int64_t* by_vertex_;
  };

  /// @param graph  outlives this
  /// @param has_likely_parents  emit writes them, so that it deals the others, where it can
  explicit Parents(const Graph& graph, bool has_likely_parents = true);
  /// @param hubs      outlive this; none where owners keep none
  /// @param vertices  how many own searched vertices there are
  Parents(const Hubs& hubs, std::size_t vertices, bool in_lists);

  /// Before a search. Numbers by vertex may stay: only those of visited vertices are read, and Emit puts that
  /// of the start vertex right.
  void reset();

  /// Of the thread that asks. Valid until the next reset().
  Writer writer() {
    return {hubs_, lists_.empty() ? nullptr : &lists_[static_cast<std::size_t>(thread_id())],
            by_vertex_.data()};
  }
  /// Own vertices whose parent is the first hub that they keep: a bit, and nothing is written. Empty where
  /// owners keep no hubs.
  std::span<Word> by_first_hub() { return by_first_hub_.span(); }

  /// By own vertex, the original number of its parent, as written so far; of no meaning where by_first_hub()
  /// has its bit. Scatters what stands in lists.
  std::span<std::int64_t> by_vertex();
  /// What emit reads. @param dealt  parents are taken from the lists: they need not be laid out by vertex
  /// @param reached_leaves  own leaves of the root's component, or none
  FoundSeveralColumns found(const Graph& graph, std::span<const Word> visited, const Word* reached_leaves,
                            bool dealt) {
    return {graph,          visited.data(), by_first_hub_.data(), dealt ? nullptr : by_vertex().data(),
            reached_leaves, lists_};
  }

 private:
  const Hubs& hubs_;
  LargeArray<std::int64_t> by_vertex_;  // untouched memory while everything is in lists
  std::vector<ListedParents> lists_;    // by thread; none where parents are written by vertex
  LargeArray<Word> by_first_hub_;
};

}  // namespace isobath
