// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/placed_bits.hpp"

namespace isobath {

/// The sources of a rank's arcs that vertices are numbered by, before there is a layout: on one grid column
/// the heavy vertices, on several the hubs. A source is known by its position among the originals of the grid
/// column; its *place* is where it stands in an order that all ranks know. In construction only.
///
/// Memory: a bit a source and 4 bytes for 64 of them; 4 bytes for each that has a place.
class SourcePlaces {
 public:
  struct Placed {
    std::uint32_t source;
    std::uint32_t place;
  };
  /// @param size    sources, with a place or without
  /// @param count   places that there are: sources of other grid columns may have some of them
  /// @param placed  the sources here that have one
  SourcePlaces(std::size_t size, std::uint32_t count, std::span<const Placed> placed);

  std::uint32_t count() const { return place_[0]; }
  /// Place of a source; count() where it has none. Without a branch, for arcs come from those that have one
  /// without a pattern.
  std::uint32_t place_of(std::uint32_t source) const {
    const auto has_place = static_cast<std::size_t>(has_place_.contains(source));
    return place_[(has_place_.members_below(source) + 1) & (std::size_t{0} - has_place)];
  }

 private:
  PlacedBits has_place_;
  std::vector<std::uint32_t> place_;  // count(); behind it that of every source that has one
};

}  // namespace isobath
