// SPDX-License-Identifier: Apache-2.0
// The local step of the hub pass, 16 vertices at a time.
#include <immintrin.h>

#include <array>
#include <bit>

#include "base/expects.hpp"
#include "bfs/hybrid/steps/find_by_hubs.hpp"

namespace isobath {
namespace {

/// Which of the hubs `hubs` (lanes `lanes`) are visited.
inline __mmask16 visited_lanes(__mmask16 lanes, __m512i hubs, const Word* visited) {
  const __m512i words = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, _mm512_srli_epi32(hubs, 5),
                                                    reinterpret_cast<const int*>(visited), 4);
  const __m512i bits = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(hubs, _mm512_set1_epi32(31)));
  return _mm512_mask_test_epi32_mask(lanes, words, bits);
}

/// Vertices of a range that their first kept hub does not find, by their place in the range.
class LeftOver {
 public:
  void add(__mmask16 lanes, std::uint32_t first) {
    const __m512i places = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)), lane_numbers());
    _mm512_storeu_si512(place_.data() + count_, _mm512_maskz_compress_epi32(lanes, places));
    count_ += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(lanes)));
  }
  /// Calls asks(lanes, places) for all of them, 16 at a time; those that it returns stay.
  template <class Asks>
  void ask(Asks&& asks) {
    const std::size_t all = count_;
    count_ = 0;
    for (std::size_t i = 0; i < all; i += 16) {
      const auto lanes = static_cast<__mmask16>(all - i >= 16 ? 0xFFFFU : (1U << (all - i)) - 1);
      const __m512i places = _mm512_loadu_si512(place_.data() + i);
      const __mmask16 stays = asks(lanes, places);
      _mm512_storeu_si512(place_.data() + count_, _mm512_maskz_compress_epi32(stays, places));
      count_ += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(stays)));
    }
  }
  std::size_t count() const { return count_; }

 private:
  static __m512i lane_numbers() {
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
  std::array<std::uint32_t, words_at_once * word_bits + 16> place_;  // not set; room for a whole store
  std::size_t count_ = 0;
};

}  // namespace

/// First everybody asks the first kept hub, families as a whole; the few that are left ask the others, laid
/// side by side.
LevelCounts find_by_hubs_avx512(const HubPassRange& range) {
  ISOBATH_EXPECTS(range.words <= words_at_once);
  const Hubs& hubs = range.hubs;
  const std::size_t first_vertex = range.first_word * word_bits;
  const Parents::Writer parents = range.parents.writer();
  LevelCounts counts;
  LeftOver left;
  Word followers[words_at_once];
  hubs.families.mark_followers(range.first_word, range.words, range.visited_hubs, followers);
  for (std::size_t w = 0; w < range.words; ++w) {
    const std::size_t vertex = first_vertex + w * word_bits;
    const Word asking = ~range.visited[w] & hubs.has_kept[range.first_word + w];
    Word found = asking & followers[w];
    const bool in_families =
        vertex >= hubs.families.first_row() && vertex + word_bits <= hubs.families.end_row();
    const Word still_asking = asking & ~found;
    for (std::uint32_t quarter = 0; quarter < word_bits; quarter += 16) {
      const auto lanes = static_cast<__mmask16>(still_asking >> quarter);
      if (lanes == 0) continue;
      __mmask16 hit = 0;
      if (!in_families) {  // else their heads, which are their first kept hubs, were asked as followers
        const __m512i kept = _mm512_loadu_si512(hubs.kept[0].data() + vertex + quarter);
        hit = visited_lanes(lanes, kept, range.visited_hubs);
        found |= static_cast<Word>(hit) << quarter;
      }
      const auto others = static_cast<__mmask16>(lanes & ~hit);
      if (others == 0) continue;
      for (std::size_t k = 1; k < num_kept_hubs; ++k) {
        __builtin_prefetch(hubs.kept[k].data() + vertex + quarter);
      }
      left.add(others, static_cast<std::uint32_t>(w * word_bits) + quarter);
    }
    counts.arcs_scanned += std::popcount(asking);
    counts.found += std::popcount(found);
    range.visited_after[w] = range.visited[w] | found;
    range.by_first_hub[w] |= found;
  }
  for (std::size_t k = 1; k < num_kept_hubs && left.count() != 0; ++k) {
    counts.arcs_scanned += static_cast<std::int64_t>(left.count());
    const std::uint32_t* const kept = hubs.kept[k].data() + first_vertex;
    left.ask([&](__mmask16 lanes, __m512i places) {
      const __m512i hub = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, places, kept, 4);
      const __mmask16 hit = visited_lanes(lanes, hub, range.visited_hubs);
      alignas(64) std::array<std::uint32_t, 16> place;
      alignas(64) std::array<std::uint32_t, 16> parent;
      _mm512_store_si512(place.data(), _mm512_maskz_compress_epi32(hit, places));
      _mm512_store_si512(parent.data(), _mm512_maskz_compress_epi32(hit, hub));
      const auto found = static_cast<std::size_t>(std::popcount(static_cast<unsigned>(hit)));
      for (std::size_t i = 0; i < found; ++i) {
        parents.write_hub(static_cast<std::uint32_t>(first_vertex) + place[i], parent[i]);
        range.visited_after[place[i] / word_bits] |= Word{1} << (place[i] % word_bits);
      }
      counts.found += static_cast<std::int64_t>(found);
      return static_cast<__mmask16>(lanes & ~hit);
    });
  }
  return counts;
}

}  // namespace isobath
