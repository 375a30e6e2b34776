// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/placed_bits.hpp"
#include "graph/named_hubs.hpp"

namespace isobath {

/// The hubs among the sources of a rank's arcs, by position among the originals of its grid column, before
/// there is a layout. In construction only. HeavySources is the same of heavy vertices, for one grid column.
///
/// Memory: a bit a source and 4 bytes for 64 of them; 4 bytes a hub of the grid column.
class HubSources {
 public:
  /// @param first  original number of the first source
  /// @param size   sources, hubs or not
  HubSources(const NamedHubs& named, int grid_col, std::int64_t first, std::int64_t size);

  /// Hubs of all ranks.
  std::uint32_t count() const { return place_[0]; }
  /// Place of a hub (NamedHubs::by_degree); count() for every other source. Without a branch, for arcs come
  /// from hubs without a pattern.
  std::uint32_t place_of(std::uint32_t source) const {
    const auto is_hub = static_cast<std::size_t>(is_hub_.contains(source));
    return place_[(is_hub_.members_below(source) + 1) & (std::size_t{0} - is_hub)];
  }

 private:
  PlacedBits is_hub_;
  std::vector<std::uint32_t> place_;  // count(); behind it that of every source that is a hub
};

}  // namespace isobath
