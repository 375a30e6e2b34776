// SPDX-License-Identifier: Apache-2.0
#include "graph/with_arc.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace isobath {
namespace {

constexpr std::size_t bits_ahead = 32;  // bits of sources wait for memory: ask for them early

/// Sets the bit of end_of(arc) for each arc of a part. @return how many were not set
template <class Arc, class EndOf>
std::size_t mark_ends(std::span<Word> bits, std::span<const Arc> arcs, EndOf&& end_of) {
  std::size_t marked = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    __builtin_prefetch(bits.data() + end_of(arcs[std::min(i + bits_ahead, arcs.size() - 1)]) / word_bits);
    marked += claim_bit(bits, end_of(arcs[i])) ? 1U : 0U;
  }
  return marked;
}
std::size_t mark_sources(std::span<Word> bits, std::span<const std::uint32_t> sources) {
  return mark_ends(bits, sources, [](std::uint32_t source) { return source; });
}

/// Sets the bit of target `first` + i where met[i] is not 0. @return how many
std::size_t mark_targets(std::span<Word> bits, std::size_t first, std::span<const std::uint8_t> met) {
  std::size_t marked = 0;
  for (std::size_t i = 0; i < met.size();) {
    const std::size_t word = (first + i) / word_bits;
    Word of_word = 0;
    for (; i < met.size() && (first + i) / word_bits == word; ++i) {
      of_word |= Word{met[i]} << ((first + i) % word_bits);
    }
    // Short ranges share words.
    if (of_word != 0) std::atomic_ref(bits[word]).fetch_or(of_word, std::memory_order_relaxed);
    marked += static_cast<std::size_t>(std::popcount(of_word));
  }
  return marked;
}

/// @param mark  mark(range, bits, met): sets bits for the arcs of the range; how many were not set. It may
///              use `met` for whatever it likes
template <class MarkRange>
LargeArray<Word> with_arc(std::size_t num_ranges, std::size_t count, std::size_t enough, MarkRange&& mark) {
  LargeArray<Word> bits(words_for(count));
  std::atomic<std::size_t> marked = 0;
#pragma omp parallel
  {
    std::vector<std::uint8_t> met;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t range = 0; range < num_ranges; ++range) {
      if (marked.load(std::memory_order_relaxed) >= enough) continue;
      marked.fetch_add(mark(range, bits.span(), met), std::memory_order_relaxed);
    }
  }
  return bits;
}

}  // namespace

LargeArray<Word> sources_with_arc(const DealtArcs& arcs, std::size_t count, std::size_t enough) {
  return with_arc(arcs.num_ranges(), count, enough,
                  [&](std::size_t range, std::span<Word> bits, std::vector<std::uint8_t>& /*met*/) {
                    std::size_t marked = 0;
                    for_each_part(arcs.parts(range), [&](const DealtArcs::Part& part) {
                      marked += mark_sources(bits, part.sources);
                    });
                    return marked;
                  });
}

LargeArray<Word> targets_with_arc(const DealtArcs& arcs, std::size_t count, std::size_t enough) {
  return with_arc(arcs.num_ranges(), count, enough,
                  [&](std::size_t range, std::span<Word> bits, std::vector<std::uint8_t>& met) {
                    const std::uint32_t first = arcs.first_target(range);
                    met.assign(arcs.end_target(range) - first, 0);
                    for_each_part(arcs.parts(range), [&](const DealtArcs::Part& part) {
                      for (const std::uint16_t target : part.targets) met[target] = 1;
                    });
                    return mark_targets(bits, first, met);
                  });
}

LargeArray<Word> sources_with_arc(const PieceList<RowArc>& arcs, std::size_t count, std::size_t enough) {
  return with_arc(arcs.num_pieces(), count, enough,
                  [&](std::size_t piece, std::span<Word> bits, std::vector<std::uint8_t>& /*met*/) {
                    return mark_ends(bits, arcs.piece(piece), [](const RowArc& arc) { return arc.arc.to; });
                  });
}

LargeArray<Word> targets_with_arc(const PieceList<RowArc>& arcs, std::size_t count, std::size_t enough) {
  return with_arc(arcs.num_pieces(), count, enough,
                  [&](std::size_t piece, std::span<Word> bits, std::vector<std::uint8_t>& /*met*/) {
                    return mark_ends(bits, arcs.piece(piece), [](const RowArc& arc) { return arc.row; });
                  });
}

}  // namespace isobath
