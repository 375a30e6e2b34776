// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/arena.hpp"
#include "base/expects.hpp"
#include "base/sparse_members.hpp"
#include "graph/numbering.hpp"

namespace isobath {

/// The code of every original of a grid row or column, by its position there.
struct AllCodes {
  const std::uint32_t* codes;
  std::uint32_t of(std::size_t position) const { return codes[position]; }

  // Asking memory for a code that is read soon, in three steps: those near it, its place among them, and the
  // code. There is something to the first two where codes stand by place.
  void prefetch_block(std::size_t /*position*/) const {}
  void prefetch_place(std::size_t /*position*/) const {}
  void prefetch(std::size_t position) const { __builtin_prefetch(codes + position); }
};

/// The codes of those that occur in arcs of this rank. The others are as if they had no arc at all.
struct PlacedCodes {
  const SparseMembers* occurring;
  const std::uint32_t* codes;  // by place
  std::uint32_t of(std::size_t position) const {
    const std::size_t place = occurring->place_of(position);
    return place < occurring->count() ? codes[place] : Numbering::isolated;
  }
  void prefetch_block(std::size_t position) const { occurring->prefetch_block(position); }
  void prefetch_place(std::size_t position) const { occurring->prefetch_members(position); }
  void prefetch(std::size_t position) const { __builtin_prefetch(codes + occurring->place_of(position)); }
};

/// Codes of the originals of a grid row or column, as Numbering has them of the own ones: of all, or of those
/// that occur in arcs of this rank. See docs/adr/0050-rows-that-exist.md.
class OriginalCodes {
 public:
  OriginalCodes() = default;
  /// Of all, kept by someone else.
  explicit OriginalCodes(std::span<const std::uint32_t> all) : codes_(all) {}
  /// Of all.
  explicit OriginalCodes(LargeArray<std::uint32_t> all) : stored_(std::move(all)), codes_(stored_.span()) {}
  OriginalCodes(SparseMembers occurring, LargeArray<std::uint32_t> by_place)
      : occurring_(std::move(occurring)),
        stored_(std::move(by_place)),
        codes_(stored_.span()),
        are_of_all_(false) {}

  bool are_of_all() const { return are_of_all_; }
  std::span<const std::uint32_t> of_all() const {
    ISOBATH_EXPECTS(are_of_all_);
    return codes_;
  }
  /// Of those that occur, or of all, in order.
  std::span<const std::uint32_t> by_place() const { return codes_; }
  /// The same, where they are stored here.
  std::span<std::uint32_t> stored() { return stored_.span(); }

  /// use(codes): AllCodes or PlacedCodes. Code that asks often is compiled for both.
  template <class Visit>
  decltype(auto) visit(Visit&& use) const {
    return are_of_all_ ? use(AllCodes{codes_.data()}) : use(PlacedCodes{&occurring_, codes_.data()});
  }
  std::uint32_t operator[](std::size_t position) const {
    return visit([position](const auto& codes) { return codes.of(position); });
  }

 private:
  SparseMembers occurring_;
  LargeArray<std::uint32_t> stored_;
  std::span<const std::uint32_t> codes_;
  bool are_of_all_ = true;
};

}  // namespace isobath
