// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/hub_pass.hpp"

#include <algorithm>

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

}  // namespace isobath
