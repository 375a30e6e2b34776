// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/hub_pass.hpp"

#include <algorithm>
#include <bit>

#include "graph/graph.hpp"

namespace isobath {

HubPass::HubPass(const Graph& graph, const Communicator& row_comm, Parents& parents)
    : graph_(graph),
      parents_(parents),
      told_(graph.hubs, graph.layout, row_comm),
      step_(hub_pass_step(best_instruction_set())) {}

LevelCounts HubPass::find(std::span<const Word> visited, std::span<Word> visited_after) {
  Word* const by_first = parents_.by_first_hub().data();
  std::int64_t* const parent = parents_.original().data();
  const std::size_t words = graph_.layout.own_words();
  constexpr std::size_t part = words_at_once;
  const std::size_t parts = (words + part - 1) / part;
  std::int64_t found = 0;
  std::int64_t scanned = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : found, scanned)
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = p * part;
    const LevelCounts counts =
        step_({graph_.hubs, told_.visited(), first, std::min(part, words - first), visited.data() + first,
               visited_after.data() + first, by_first + first, parent + first * word_bits});
    found += counts.found;
    scanned += counts.arcs_scanned;
  }
  return {found, scanned};
}

HubPassStep hub_pass_step(InstructionSet set) {
  return set == InstructionSet::avx512 ? find_by_hubs_avx512 : find_by_hubs_portable;
}

LevelCounts find_by_hubs_portable(const HubPassRange& range) {
  const Hubs& hubs = range.hubs;
  LevelCounts counts;
  for (std::size_t w = 0; w < range.words; ++w) {
    Word found = 0;
    Word asking = ~range.visited[w] & hubs.has_kept[range.first_word + w];
    for (; asking != 0; asking &= asking - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(asking));
      const std::size_t vertex = (range.first_word + w) * word_bits + bit;
      for (std::size_t k = 0; k < num_kept_hubs; ++k) {
        ++counts.arcs_scanned;
        const std::uint32_t hub = hubs.kept[k][vertex];
        if ((range.visited_hubs[hub / word_bits] >> (hub % word_bits) & 1U) == 0) continue;
        found |= Word{1} << bit;
        if (k == 0) {
          range.by_first[w] |= Word{1} << bit;
        } else {
          range.parent[w * word_bits + bit] = hubs.original[hub];
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
