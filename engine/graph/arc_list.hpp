// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "graph/arc_buckets.hpp"

namespace isobath {

/// Arcs in the order in which they arrive, their number unknown. They stand in pieces of one huge page:
/// adding an arc never copies those before it, and whoever has read a piece for the last time gives it back.
class ArcList {
 public:
  using Arc = ArcBuckets::Arc;

  void add(Arc arc) {
    if (size_ == pieces_.size() * arcs_per_piece) pieces_.emplace_back(arcs_per_piece);
    pieces_.back()[size_++ % arcs_per_piece] = arc;
  }
  std::size_t num_pieces() const { return pieces_.size(); }
  std::span<const Arc> piece(std::size_t k) const {
    const std::size_t before = k * arcs_per_piece;
    return pieces_[k].span().first(size_ - before < arcs_per_piece ? size_ - before : arcs_per_piece);
  }
  /// Its memory goes back to the system; it must not be looked at again.
  void release(std::size_t k) { pieces_[k] = {}; }

 private:
  static constexpr std::size_t arcs_per_piece = (std::size_t{2} << 20) / sizeof(Arc);
  std::vector<LargeArray<Arc>> pieces_;
  std::size_t size_ = 0;
};

}  // namespace isobath
