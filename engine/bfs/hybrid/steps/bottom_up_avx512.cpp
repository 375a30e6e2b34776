// SPDX-License-Identifier: Apache-2.0
// The bottom-up step: families as a whole, then what is left 16 rows at a time; the same result as
// bottom_up_portable, parents included: both take the first visited neighbour of a row.
#include <immintrin.h>

#include <algorithm>
#include <bit>

#include "base/expects.hpp"
#include "bfs/hybrid/steps/bottom_up.hpp"
#include "bfs/hybrid/steps/rows_in_batches.hpp"

namespace isobath {
namespace {

/// Which of the columns `cols` (lanes `lanes`) are visited.
inline __mmask16 visited_lanes(__mmask16 lanes, __m512i cols, const Word* visited) {
  const __m512i words = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, _mm512_srli_epi32(cols, 5),
                                                    reinterpret_cast<const int*>(visited), 4);
  const __m512i bits = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(cols, _mm512_set1_epi32(31)));
  return _mm512_mask_test_epi32_mask(lanes, words, bits);
}

/// Position of the first visited neighbour in neighbours[0 .. count), or count. Line by line of the cache,
/// since a load would bring the line of lanes that are masked off, too.
inline std::uint64_t first_visited_of_many(const std::uint32_t* neighbours, std::uint64_t count,
                                           const Word* visited) {
  const std::uint64_t before = reinterpret_cast<std::uintptr_t>(neighbours) / sizeof *neighbours % 16;
  const std::uint32_t* line = neighbours - before;
  const std::uint64_t end = before + count;
  unsigned lanes = 0xFFFFU << before & 0xFFFFU;
  for (std::uint64_t at = 0; at < end; at += 16, line += 16, lanes = 0xFFFFU) {
    if (end - at < 16) lanes &= (1U << (end - at)) - 1;
    const __m512i cols = _mm512_maskz_load_epi32(static_cast<__mmask16>(lanes), line);
    const __mmask16 hit = visited_lanes(static_cast<__mmask16>(lanes), cols, visited);
    if (hit != 0) {
      return at + static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(hit))) - before;
    }
  }
  return count;
}

/// The same. Rows end, or have a visited neighbour, after a few mostly; those one by one take less time than
/// a gather of 16 lanes.
inline std::uint64_t first_visited(const std::uint32_t* neighbours, std::uint64_t count,
                                   const Word* visited) {
  const std::uint64_t few = std::min<std::uint64_t>(count, 8);
  for (std::uint64_t at = 0; at < few; ++at) {
    if (test_bit(visited, neighbours[at])) return at;
  }
  if (few == count) return count;
  return few + first_visited_of_many(neighbours + few, count - few, visited);
}

}  // namespace

LevelCounts bottom_up_avx512(const BottomUpRange& range) {
  ISOBATH_EXPECTS(range.words <= words_at_once);
  const Graph& graph = range.graph;
  LevelCounts counts;
  WaitingRows late;
  const auto first_row = static_cast<std::uint32_t>(range.first_row_word * word_bits);
  const auto scan_rest = [&](std::uint32_t row) {
    const std::uint64_t begin = graph.by_target.start[row] + num_planes;
    const std::uint64_t count = graph.by_target.start[row + 1] - begin;
    const std::uint32_t* const neighbours = graph.by_target.neighbour.data() + begin;
    const std::uint64_t at = first_visited(neighbours, count, range.visited_cols);
    counts.arcs_scanned += static_cast<std::int64_t>(at < count ? at + 1 : count);
    if (at == count) return;
    const std::uint32_t local = row - first_row;
    range.parent_col[local] = neighbours[at];
    range.visited_after[local / word_bits] |= Word{1} << (local % word_bits);
    ++counts.found;
  };
  Word followers[words_at_once];
  graph.families.mark_followers(range.first_row_word, range.words, range.visited_cols, followers);
  for (std::size_t w = 0; w < range.words; ++w) {
    const Word visited = range.visited[w];
    const Word unvisited = ~visited & graph.has_arc[range.first_row_word + w];
    if (unvisited == 0) {
      range.visited_after[w] = visited;
      continue;
    }
    Word first = unvisited & followers[w];
    const Word unsettled = unvisited & ~first;
    Word waiting = 0;
    counts.arcs_scanned += std::popcount(unvisited);
    const std::uint32_t word_row = first_row + static_cast<std::uint32_t>(w * word_bits);
    const bool in_families =
        word_row >= graph.families.first_row() && word_row + word_bits <= graph.families.end_row();
    for (std::uint32_t quarter = 0; quarter < word_bits; quarter += 16) {
      auto rest = static_cast<__mmask16>(unsettled >> quarter);
      if (rest == 0) continue;
      const std::uint32_t row = word_row + quarter;
      if (!in_families) {  // else their heads, which are their first neighbours, were asked as followers
        const __mmask16 hit =
            visited_lanes(rest, _mm512_loadu_si512(graph.plane[0].data() + row), range.visited_cols);
        first |= static_cast<Word>(hit) << quarter;
        rest = static_cast<__mmask16>(rest & ~hit);
      }
      for (std::size_t k = 1; k < num_planes && rest != 0; ++k) {
        counts.arcs_scanned += std::popcount(static_cast<unsigned>(rest));
        const __m512i cols = _mm512_loadu_si512(graph.plane[k].data() + row);
        const __mmask16 hit = visited_lanes(rest, cols, range.visited_cols);
        _mm512_mask_storeu_epi32(range.parent_col + (row - first_row), hit, cols);
        rest = static_cast<__mmask16>(rest & ~hit);
      }
      waiting |= static_cast<Word>(rest) << quarter;
    }
    const Word found = unvisited & ~waiting;
    range.visited_after[w] = visited | found;
    range.by_first_neighbour[w] |= first;
    counts.found += std::popcount(found);
    for (waiting &= graph.has_more[range.first_row_word + w]; waiting != 0; waiting &= waiting - 1) {
      late.push(word_row + static_cast<std::uint32_t>(std::countr_zero(waiting)));
    }
    if (late.is_full()) late.drain(graph.by_target, num_planes, scan_rest);
  }
  late.drain(graph.by_target, num_planes, scan_rest);
  return counts;
}

LevelCounts bottom_up_few_avx512(const BottomUpRange& range) {
  return ask_few_rows(range, [&](const std::uint32_t* neighbours, std::uint64_t count) {
    return first_visited(neighbours, count, range.visited_cols);
  });
}

LevelCounts ask_rows_avx512(const AskedRows& asked) {
  return ask_listed_rows(asked, [&](const std::uint32_t* neighbours, std::uint64_t count) {
    return first_visited(neighbours, count, asked.visited_cols);
  });
}

}  // namespace isobath
