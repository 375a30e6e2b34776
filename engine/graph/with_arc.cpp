// SPDX-License-Identifier: Apache-2.0
#include "graph/with_arc.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/codes.hpp"

namespace isobath {
namespace {

constexpr std::size_t bits_ahead = 32;  // bits of ends wait for memory: ask for them early

/// Sets the bit of end_at(i) for each arc of a part. @return how many were not set
template <class EndAt>
std::size_t mark_ends(std::span<Word> bits, std::size_t arcs, EndAt&& end_at) {
  std::size_t marked = 0;
  for (std::size_t i = 0; i < arcs; ++i) {
    __builtin_prefetch(bits.data() + end_at(std::min(i + bits_ahead, arcs - 1)) / word_bits);
    marked += claim_bit(bits, end_at(i)) ? 1U : 0U;
  }
  return marked;
}

/// Sets the bits of those ends that are in a range. They may be a few of each part: those of one part wait
/// until memory has come, while the next parts are looked through.
class EndMarker {
 public:
  EndMarker(std::span<Word> bits, EndRange range) : bits_(bits), range_(range) {}

  /// @param end_at  end_at(i) of the i-th of so many arcs
  template <class EndAt>
  void add(std::size_t arcs, EndAt&& end_at) {
    if (range_.is_all()) {
      marked_ += mark_ends(bits_, arcs, end_at);
    } else {
      for (std::size_t i = 0; i < arcs; ++i) add_if_in_range(end_at(i));
    }
  }
  /// When all are added. @return how many bits were not set
  std::size_t finish() {
    for (std::size_t i = 0; i < std::min(added_, bits_ahead); ++i) set(waiting_[i]);
    return marked_;
  }

 private:
  void add_if_in_range(std::size_t end) {
    const std::size_t at = end - range_.first;  // of ends before the range it is large, too
    if (at >= range_.size()) return;
    __builtin_prefetch(bits_.data() + at / word_bits);
    const std::size_t before = std::exchange(waiting_[added_ % bits_ahead], at);
    if (added_++ >= bits_ahead) set(before);
  }
  void set(std::size_t at) { marked_ += claim_bit(bits_, at) ? 1U : 0U; }

  std::span<Word> bits_;
  EndRange range_;
  std::array<std::size_t, bits_ahead> waiting_{};  // the last ones that were added, in turn
  std::size_t added_ = 0;
  std::size_t marked_ = 0;
};

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

/// @param mark  mark(share, bits, met): sets bits for a share of the arcs, from `first` on and below `end`;
///              how many were not set. It may use `met` for whatever it likes
template <class MarkShare>
LargeArray<Word> with_arc(std::size_t first, std::size_t end, std::size_t count, std::size_t enough,
                          MarkShare&& mark) {
  LargeArray<Word> bits(words_for(count));
  std::atomic<std::size_t> marked = 0;
#pragma omp parallel
  {
    std::vector<std::uint8_t> met;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t share = first; share < end; ++share) {
      if (marked.load(std::memory_order_relaxed) >= enough) continue;
      marked.fetch_add(mark(share, bits.span(), met), std::memory_order_relaxed);
    }
  }
  return bits;
}

/// Pieces of weighted arcs, each with all its arcs.
/// @tparam Arc  RowArc, or WideRowArc where positions are wide
template <class Arc, class EndOf>
LargeArray<Word> ends_with_arc(const PieceList<Arc>& arcs, EndRange range, std::size_t enough,
                               EndOf&& end_of) {
  return with_arc(0, arcs.num_pieces(), range.size(), enough,
                  [&](std::size_t piece, std::span<Word> bits, std::vector<std::uint8_t>& /*met*/) {
                    EndMarker marker(bits, range);
                    const std::span<const Arc> of_piece = arcs.piece(piece);
                    marker.add(of_piece.size(), [&](std::size_t i) { return end_of(of_piece[i]); });
                    return marker.finish();
                  });
}

}  // namespace

LargeArray<Word> sources_with_arc(const DealtArcs& arcs, EndRange range, std::size_t enough) {
  return with_arc(0, arcs.num_ranges(), range.size(), enough,
                  [&](std::size_t dealt, std::span<Word> bits, std::vector<std::uint8_t>& /*met*/) {
                    EndMarker marker(bits, range);
                    for_each_part(arcs.parts(dealt), [&](const DealtArcs::Part& part) {
                      arcs.with_sources(
                          part, [&](const auto& source_at) { marker.add(part.sources.size(), source_at); });
                    });
                    return marker.finish();
                  });
}

LargeArray<Word> targets_with_arc(const DealtArcs& arcs, EndRange range, std::size_t enough) {
  if (range.size() == 0) return {};
  const auto dealt_range_of = [&](std::size_t target) {
    return arcs.range_of(static_cast<std::int64_t>(target));
  };
  return with_arc(dealt_range_of(range.first), dealt_range_of(range.end - 1) + 1, range.size(), enough,
                  [&](std::size_t dealt, std::span<Word> bits, std::vector<std::uint8_t>& met) {
                    const std::size_t first = arcs.first_target(dealt);
                    met.assign(arcs.end_target(dealt) - first, 0);
                    for_each_part(arcs.parts(dealt), [&](const DealtArcs::Part& part) {
                      for (const std::uint16_t target : part.targets()) met[target] = 1;
                    });
                    // The first and the last range of targets may be in this range in part.
                    const std::size_t begin = std::max(first, range.first);
                    const std::size_t end = std::min(first + met.size(), range.end);
                    return mark_targets(
                        bits, begin - range.first,
                        std::span<const std::uint8_t>(met).subspan(begin - first, end - begin));
                  });
}

LargeArray<Word> sources_with_arc(const PieceList<RowArc>& arcs, EndRange range, std::size_t enough) {
  return ends_with_arc(arcs, range, enough, [](const RowArc& arc) { return source_of(arc); });
}

LargeArray<Word> targets_with_arc(const PieceList<RowArc>& arcs, EndRange range, std::size_t enough) {
  return ends_with_arc(arcs, range, enough, [](const RowArc& arc) { return target_of(arc); });
}

LargeArray<Word> sources_with_arc(const PieceList<WideRowArc>& arcs, EndRange range, std::size_t enough) {
  return ends_with_arc(arcs, range, enough, [](const WideRowArc& arc) { return source_of(arc); });
}

LargeArray<Word> targets_with_arc(const PieceList<WideRowArc>& arcs, EndRange range, std::size_t enough) {
  return ends_with_arc(arcs, range, enough, [](const WideRowArc& arc) { return target_of(arc); });
}

}  // namespace isobath
