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

/// Vertices whose tree edge was met in the input.
class TreeEdgeMarks {
 public:
  /// Of vertices first .. first + size - 1.
  TreeEdgeMarks(std::int64_t first, std::int64_t size)
      : first_(first), size_(static_cast<std::size_t>(size)), marks_(words_for(size_)) {}

  /// For a new tree: only the root needs no tree edge.
  void begin(GlobalVertex root) {
#pragma omp parallel for schedule(static)
    for (std::size_t word = 0; word < marks_.size(); ++word) marks_[word] = 0;
    if (raw(root) >= first_ && raw(root) - first_ < static_cast<std::int64_t>(size_)) mark(root);
  }
  /// By any thread.
  void mark(GlobalVertex child) { claim_bit(marks_.span(), position(child)); }

  /// Calls report(v) for those of the vertices first .. first + size - 1 that are in the tree without a mark.
  /// By all threads of a parallel region, which share the vertices.
  template <class IsInTree, class Report>
  void for_each_missing(std::int64_t first, std::int64_t size, const IsInTree& is_in_tree,
                        const Report& report) const {
    const auto begin = static_cast<std::size_t>(first - first_);
    const std::size_t end = begin + static_cast<std::size_t>(size);
#pragma omp for schedule(static)
    for (std::size_t word = begin / word_bits; word < words_for(end); ++word) {
      const std::size_t from = std::max(begin, word * word_bits);
      const std::size_t count = std::min(end, (word + 1) * word_bits) - from;
      Word in_tree = 0;
      for (std::size_t i = 0; i < count; ++i) in_tree |= Word{is_in_tree(vertex(from + i)) ? 1U : 0U} << i;
      const Word missing = in_tree & ~(marks_[word] >> (from % word_bits));
      for (Word left = missing; left != 0; left &= left - 1) {
        report(vertex(from + static_cast<std::size_t>(std::countr_zero(left))));
      }
    }
  }
  std::span<Word> words() { return marks_.span(); }

 private:
  std::size_t position(GlobalVertex v) const { return static_cast<std::size_t>(raw(v) - first_); }
  GlobalVertex vertex(std::size_t at) const { return GlobalVertex{first_ + static_cast<std::int64_t>(at)}; }

  std::int64_t first_;
  std::size_t size_;
  LargeArray<Word> marks_;
};

}  // namespace isobath
