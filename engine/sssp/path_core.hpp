// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sssp/distance.hpp"

namespace isobath {

/// The core: one of so many vertices, those nearest to the hub of highest degree. More would climb longer,
/// fewer would need more sweeps.
inline constexpr std::size_t core_share = 32;

/// A vertex is a hub if this part of all arcs is its own: most shortest paths run through a few such.
constexpr std::uint64_t least_hub_arcs(std::uint64_t arcs) {
  constexpr std::uint64_t hubs_share = 8192;
  constexpr std::uint64_t fewest = 256;
  return std::max(fewest, arcs / hubs_share);
}

/// Where pushing ends and pulling begins.
struct PathTurn {
  float least_source = unreached;  // no vertex below it has an arc left to relax; unreached: all is done
  float settled = 0;               // distances below are final
};

}  // namespace isobath
