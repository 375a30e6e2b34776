// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/steps/find_by_hubs.hpp"

#include <bit>

#include "base/expects.hpp"

namespace isobath {

HubPassStep hub_pass_step(InstructionSet set) {
  return set == InstructionSet::avx512 ? find_by_hubs_avx512 : find_by_hubs_portable;
}

LevelCounts find_by_hubs_portable(const HubPassRange& range) {
  ISOBATH_EXPECTS(range.words <= words_at_once);
  const Hubs& hubs = range.hubs;
  const Parents::Writer parents = range.parents.writer();
  LevelCounts counts;
  Word followers[words_at_once];
  hubs.families.mark_followers(range.first_word, range.words, range.visited_hubs, followers);
  for (std::size_t w = 0; w < range.words; ++w) {
    Word asking = ~range.visited[w] & hubs.has_kept[range.first_word + w];
    Word found = asking & followers[w];  // by the first hub that they keep
    counts.arcs_scanned += std::popcount(found);
    range.by_first_hub[w] |= found;
    asking &= ~found;
    for (; asking != 0; asking &= asking - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(asking));
      const std::size_t vertex = (range.first_word + w) * word_bits + bit;
      for (std::size_t k = 0; k < num_kept_hubs; ++k) {
        ++counts.arcs_scanned;
        const std::uint32_t hub = hubs.kept[k][vertex];
        if (!test_bit(range.visited_hubs, hub)) continue;
        found |= Word{1} << bit;
        if (k == 0) {
          range.by_first_hub[w] |= Word{1} << bit;
        } else {
          parents.write_hub(static_cast<std::uint32_t>(vertex), hub);
        }
        break;
      }
    }
    range.visited_after[w] = range.visited[w] | found;
    counts.found += std::popcount(found);
  }
  return counts;
}

}  // namespace isobath
