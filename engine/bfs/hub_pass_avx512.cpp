// SPDX-License-Identifier: Apache-2.0
// The local steps of the owner's pass, 16 vertices at a time.
#include <immintrin.h>

#include <bit>

#include "bfs/hub_bits.hpp"
#include "bfs/hub_pass.hpp"

namespace isobath {
namespace {

/// Which of the hubs `hubs` (lanes `lanes`) are visited.
inline __mmask16 visited_lanes(__mmask16 lanes, __m512i hubs, const Word* visited) {
  const __m512i words = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, _mm512_srli_epi32(hubs, 5),
                                                    reinterpret_cast<const int*>(visited), 4);
  const __m512i bits = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(hubs, _mm512_set1_epi32(31)));
  return _mm512_mask_test_epi32_mask(lanes, words, bits);
}

}  // namespace

BottomUpCounts find_by_hubs_avx512(const HubPassRange& range) {
  const Hubs& hubs = range.hubs;
  BottomUpCounts counts;
  for (std::size_t w = 0; w < range.words; ++w) {
    const Word visited = range.visited[w];
    const Word asking = ~visited & hubs.has_kept[range.first_word + w];
    Word first = 0;
    Word found = 0;
    for (std::uint32_t quarter = 0; quarter < word_bits; quarter += 16) {
      auto rest = static_cast<__mmask16>(asking >> quarter);
      const std::size_t vertex = (range.first_word + w) * word_bits + quarter;
      for (std::size_t k = 0; k < num_kept_hubs && rest != 0; ++k) {
        counts.arcs_scanned += std::popcount(static_cast<unsigned>(rest));
        const std::uint32_t* const kept = hubs.kept[k].data() + vertex;
        const __mmask16 hit = visited_lanes(rest, _mm512_loadu_si512(kept), range.visited_hubs);
        rest = static_cast<__mmask16>(rest & ~hit);
        found |= static_cast<Word>(hit) << quarter;
        if (k == 0) {
          first |= static_cast<Word>(hit) << quarter;
          continue;
        }
        for (unsigned lanes = hit; lanes != 0; lanes &= lanes - 1) {
          const int lane = std::countr_zero(lanes);
          range.parent[w * word_bits + quarter + static_cast<std::size_t>(lane)] = hubs.original[kept[lane]];
        }
      }
    }
    range.next[w] = visited | found;
    range.by_first[w] |= first;
    counts.found += std::popcount(found);
  }
  return counts;
}

void collect_hub_bits_avx512(const Word* hubs, const Word* visited, std::size_t words, Word* out) {
  lay_hub_bits(hubs, visited, words, out, [](Word word, Word mask) { return Word{_pext_u64(word, mask)}; });
}

}  // namespace isobath
