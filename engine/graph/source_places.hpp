// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/placed_bits.hpp"
#include "base/sparse_members.hpp"

namespace isobath {

/// The sources of a rank's arcs that vertices are numbered by, before there is a layout: on one grid column
/// the heavy vertices, on several the hubs. A source is known by its position among the originals of the grid
/// column; its *place* is where it stands in an order that all ranks know. Columns that are hubs, when owners
/// keep these, have their places in the same way. In construction only.
///
/// Memory: 4 bytes for each that has a place, and a bit a source and 4 bytes for 64 of them; or where sources
/// are many and few have a place, as on many ranks, a byte for each that has, and 4 for 256 sources.
class SourcePlaces {
 public:
  struct Placed {
    std::size_t source;
    std::uint32_t place;
  };
  /// @param size       sources, with a place or without
  /// @param count      places that there are: sources of other grid columns may have some of them
  /// @param placed     the sources here that have one
  /// @param most_bits  so many sources have bits in any case, 96 MB with counts, which are looked up faster
  SourcePlaces(std::size_t size, std::uint32_t count, std::span<const Placed> placed,
               std::size_t most_bits = std::size_t{1} << 29);

  std::uint32_t count() const { return place_[0]; }
  /// use(place_of), where place_of(source) is the place of a source; count() where it has none. Code that
  /// asks often is compiled for both forms.
  template <class Visit>
  decltype(auto) visit(Visit&& use) const {
    if (are_few_) {
      return use([this](std::size_t source) {
        const std::size_t among = few_.place_of(source);
        return among < few_.count() ? place_[1 + among] : place_[0];
      });
    }
    // Without a branch, for arcs come from those that have one without a pattern.
    return use([this](std::size_t source) {
      const auto has_place = static_cast<std::size_t>(bits_.contains(source));
      return place_[(bits_.members_below(source) + 1) & (std::size_t{0} - has_place)];
    });
  }

 private:
  bool are_few_;
  PlacedBits bits_;  // those that have a place; or
  SparseMembers few_;
  std::vector<std::uint32_t> place_;  // count(); behind it that of every source that has one
};

}  // namespace isobath
