// SPDX-License-Identifier: Apache-2.0
#include "bfs/hub_pass.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "bfs/hub_bits.hpp"
#include "graph/graph.hpp"

namespace isobath {

HubPass::HubPass(const Graph& graph, const Communicator& world)
    : graph_(graph),
      world_(world),
      steps_(hub_pass_steps(best_instruction_set())),
      visited_hubs_(graph.hubs.num_words() + 1),
      by_first_(graph.layout.own_words()) {
  const Hubs& hubs = graph.hubs;
  for (std::size_t rank = 0; rank + 1 < hubs.offset.size(); ++rank) {
    words_of_rank_.push_back((hubs.offset[rank + 1] - hubs.offset[rank]) /
                             static_cast<std::int64_t>(word_bits));
  }
  for (std::size_t w = 0; w < hubs.own.size(); ++w) {
    if (hubs.own[w] != 0) words_with_hubs_ = w + 1;
  }
}

void HubPass::reset() {
  std::fill(by_first_.begin(), by_first_.end(), Word{0});
  is_over_ = false;
}

void HubPass::tell(const Word* visited) {
  const Hubs& hubs = graph_.hubs;
  const auto me = static_cast<std::size_t>(world_.rank());
  const std::span<Word> all = visited_hubs_.span().first(hubs.num_words());
  const std::span<Word> own =
      all.subspan(hubs.offset[me] / word_bits, static_cast<std::size_t>(words_of_rank_[me]));
  steps_.collect(hubs.own.data(), visited, words_with_hubs_, own.data());
  world_.allgatherv<Word>(own, words_of_rank_, all);
  std::int64_t reached = 0;
  for (const Word word : all) reached += std::popcount(word);
  is_over_ = reached == hubs.count;
}

LevelCounts HubPass::find(const Word* visited, Word* next, std::int64_t* parent) {
  const std::size_t words = graph_.layout.own_words();
  constexpr std::size_t part = words_at_once;
  const std::size_t parts = (words + part - 1) / part;
  std::int64_t found = 0;
  std::int64_t scanned = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : found, scanned)
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = p * part;
    const LevelCounts counts =
        steps_.find({graph_.hubs, visited_hubs_.data(), first, std::min(part, words - first), visited + first,
                     next + first, by_first_.data() + first, parent + first * word_bits});
    found += counts.found;
    scanned += counts.arcs_scanned;
  }
  return {found, scanned};
}

HubPassSteps hub_pass_steps(InstructionSet set) {
  if (set == InstructionSet::avx512) return {find_by_hubs_avx512, collect_hub_bits_avx512};
  return {find_by_hubs_portable, collect_hub_bits_portable};
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

void collect_hub_bits_portable(const Word* hubs, const Word* visited, std::size_t words, Word* out) {
  lay_hub_bits(hubs, visited, words, out, [](Word word, Word mask) {
    if (mask == ~Word{0}) return word;
    Word bits = 0;
    for (int at = 0; mask != 0; mask &= mask - 1, ++at) bits |= (word >> std::countr_zero(mask) & 1U) << at;
    return bits;
  });
}

}  // namespace isobath
