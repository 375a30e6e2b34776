// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/steps/follow_hubs.hpp"

#include <algorithm>
#include <bit>

#include "bfs/hybrid/steps/bottom_up.hpp"

namespace isobath {

std::int64_t follow_hubs_by_team(const HubsToFollow& hubs) {
  std::int64_t found = 0;
#pragma omp parallel for schedule(static) reduction(+ : found)
  for (std::size_t first = 0; first < hubs.words; first += words_at_once) {
    const std::size_t words = std::min(words_at_once, hubs.words - first);
    hubs.families.mark_followers(first, words, hubs.visited_hubs, hubs.found + first);
    for (std::size_t w = first; w < first + words; ++w) {
      const Word fresh = hubs.found[w] & ~hubs.visited[w];
      hubs.found[w] = fresh;
      hubs.visited[w] |= fresh;
      hubs.by_first_hub[w] |= fresh;
      hubs.proposed[w] |= fresh;
      found += std::popcount(fresh);
    }
  }
  return found;
}

}  // namespace isobath
