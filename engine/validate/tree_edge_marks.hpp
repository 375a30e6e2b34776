// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/vertex.hpp"

namespace isobath {

/// Edges, appended to by all threads; room is reserved before.
class EdgeList {
 public:
  void reserve(std::size_t capacity) { edges_ = LargeArray<Edge>(capacity); }
  void clear() { size_ = 0; }
  void append(std::span<const Edge> edges) {
    const std::size_t at = size_.fetch_add(edges.size(), std::memory_order_relaxed);
    std::copy(edges.begin(), edges.end(), edges_.begin() + at);
  }
  std::span<const Edge> edges() const { return {edges_.data(), size_}; }

 private:
  LargeArray<Edge> edges_;
  std::atomic<std::size_t> size_ = 0;
};

/// Own vertices whose tree edge was met in the input.
class TreeEdgeMarks {
 public:
  /// Own vertices are first .. first + size - 1.
  TreeEdgeMarks(std::int64_t first, std::int64_t size)
      : first_(first), size_(static_cast<std::size_t>(size)), marks_(words_for(size_)) {}

  /// For a new tree: only the root needs no tree edge.
  void begin(GlobalVertex root) {
#pragma omp parallel for schedule(static)
    for (std::size_t word = 0; word < marks_.size(); ++word) marks_[word] = 0;
    const std::int64_t own_root = raw(root) - first_;
    if (own_root >= 0 && own_root < static_cast<std::int64_t>(size_)) {
      set_bit(marks_.span(), static_cast<std::size_t>(own_root));
    }
  }
  /// By any thread. Marks an own child whose parent this is.
  void confirm(GlobalVertex child, GlobalVertex parent, std::span<const GlobalVertex> parents) {
    const auto own_child = static_cast<std::size_t>(raw(child) - first_);
    if (parents[own_child] == parent) mark(own_child);
  }
  void mark(std::size_t own_child) { claim_bit(marks_.span(), own_child); }

  /// Calls report(v) for own vertices of the `word`-th 64 that are in the tree without a mark. By any
  /// thread.
  template <class IsInTree, class Report>
  void for_each_missing(std::size_t word, const IsInTree& is_in_tree, const Report& report) const {
    const std::size_t first = word * word_bits;
    const std::size_t count = std::min(word_bits, size_ - first);
    Word in_tree = 0;
    for (std::size_t i = 0; i < count; ++i) in_tree |= Word{is_in_tree(first + i) ? 1U : 0U} << i;
    for (Word missing = in_tree & ~marks_[word]; missing != 0; missing &= missing - 1) {
      report(first + static_cast<std::size_t>(std::countr_zero(missing)));
    }
  }
  std::size_t num_words() const { return marks_.size(); }
  GlobalVertex to_global(std::size_t own) const {
    return GlobalVertex{first_ + static_cast<std::int64_t>(own)};
  }

 private:
  std::int64_t first_;
  std::size_t size_;
  LargeArray<Word> marks_;
};

}  // namespace isobath
