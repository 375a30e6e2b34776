// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"

namespace isobath {

/// Plain values in the order in which they arrive, their number unknown. They stand in pieces of one huge
/// page: adding one never copies those before it, and whoever has read a piece for the last time gives it
/// back.
template <class T>
class PieceList {
 public:
  void add(const T& value) {
    if (size_ == pieces_.size() * per_piece) pieces_.emplace_back(per_piece);
    pieces_.back()[size_++ % per_piece] = value;
  }
  void add(std::span<const T> values) {
    while (!values.empty()) {
      if (size_ == pieces_.size() * per_piece) pieces_.emplace_back(per_piece);
      const std::size_t at = size_ % per_piece;
      const std::size_t count = std::min(values.size(), per_piece - at);
      std::copy_n(values.begin(), count, pieces_.back().begin() + at);
      values = values.subspan(count);
      size_ += count;
    }
  }
  std::size_t size() const { return size_; }
  std::size_t num_pieces() const { return pieces_.size(); }
  std::span<const T> piece(std::size_t k) const {
    const std::size_t before = k * per_piece;
    return pieces_[k].span().first(size_ - before < per_piece ? size_ - before : per_piece);
  }
  std::span<T> piece(std::size_t k) { return pieces_[k].span().first(std::as_const(*this).piece(k).size()); }
  /// Its memory goes back to the system; it must not be looked at again.
  void release(std::size_t k) { pieces_[k] = {}; }

 private:
  static constexpr std::size_t per_piece = (std::size_t{2} << 20) / sizeof(T);
  std::vector<LargeArray<T>> pieces_;
  std::size_t size_ = 0;
};

}  // namespace isobath
