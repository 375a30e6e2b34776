// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bitmap.hpp"
#include "graph/families.hpp"

namespace isobath {

/// Own vertices and their families of hubs; arrays are of all own words.
struct HubsToFollow {
  const Families& families;
  const Word* visited_hubs;  // by hub number; of the frontier, and visited before
  std::size_t words;
  Word* visited;       // bits are added
  Word* by_first_hub;  // bits are added: the parent is the first kept hub
  Word* proposed;      // the own rows; bits are added
  Word* found;         // written: what is found
};

/// What owners do alone in a top-down level, by all threads: the followers of hubs that are visited are
/// found, with the hub as parent. Those of hubs visited before the frontier have been found already. Returns
/// how many are found.
std::int64_t follow_hubs_by_team(const HubsToFollow& hubs);

}  // namespace isobath
