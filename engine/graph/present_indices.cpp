// SPDX-License-Identifier: Apache-2.0
#include "graph/present_indices.hpp"

#include <utility>

#include "base/expects.hpp"
#include "graph/construct_steps.hpp"
#include "graph/numbering.hpp"

namespace isobath {
namespace {

/// Where a window of a piece has some that are present, others become it until their number is whole. They
/// have no arc, which does no harm.
void make_whole(std::span<Word> window) {
  const std::size_t present = count_bits(window);
  std::size_t wanted =
      (PresentIndices::whole_places - present % PresentIndices::whole_places) % PresentIndices::whole_places;
  for (std::size_t w = window.size(); wanted > 0; --wanted) {
    while (~window[w - 1] == 0) --w;
    window[w - 1] |= Word{1} << (word_bits - 1 - static_cast<std::size_t>(std::countl_one(window[w - 1])));
  }
}

/// Every piece is whole words, and so is a window of it.
void make_whole(std::span<Word> members, std::span<const std::uint32_t> first, std::uint32_t window) {
  for (std::size_t piece = 0; piece + 1 < first.size(); ++piece) {
    for (std::uint32_t begin = first[piece]; begin < first[piece + 1];) {
      const std::uint32_t length = std::min(window, first[piece + 1] - begin);
      make_whole(members.subspan(begin / word_bits, length / word_bits));
      begin += length;
    }
  }
}

}  // namespace

PresentIndices::PresentIndices(std::span<const std::uint32_t> first)
    : first_place_(first.begin(), first.end()) {}

PresentIndices::PresentIndices(std::span<const std::uint32_t> first, PlacedBits members)
    : are_all_(false), members_(std::move(members)), word_of_sample_(members_.count() / sample + 2) {
  first_place_.clear();
  for (const std::uint32_t index : first) first_place_.push_back(place_of(index));
  const std::span<const Word> words = members_.bits();
  std::size_t next = 0;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const std::size_t behind = place_of(static_cast<std::uint32_t>((w + 1) * word_bits));
    for (; next * sample < behind; ++next) word_of_sample_[next] = static_cast<std::uint32_t>(w);
  }
  for (; next < word_of_sample_.size(); ++next) {
    word_of_sample_[next] = words.empty() ? 0 : static_cast<std::uint32_t>(words.size() - 1);
  }
}

/// The last word before which no more than `place` are present, among those between two samples.
std::uint32_t PresentIndices::find(std::uint32_t place) const {
  ISOBATH_EXPECTS(place < count());
  std::size_t word = word_of_sample_[place / sample];
  for (std::size_t end = word_of_sample_[place / sample + 1]; word < end;) {
    const std::size_t middle = word + (end - word + 1) / 2;
    if (members_.members_below(middle * word_bits) <= place) {
      word = middle;
    } else {
      end = middle - 1;
    }
  }
  Word left = members_.bits()[word];
  for (std::size_t before = members_.members_below(word * word_bits); before < place; ++before) {
    left &= left - 1;
  }
  return static_cast<std::uint32_t>(word * word_bits) + static_cast<std::uint32_t>(std::countr_zero(left));
}

PresentIndices present_of(OriginalCodes& codes, Hypersparse asked, std::size_t searched,
                          std::span<const std::uint32_t> first, std::size_t own_piece, std::uint32_t window) {
  if (!searched_are_few(codes, asked, searched)) return PresentIndices(first);
  LargeArray<Word> members = searched_bits(codes, first.back());
  std::fill(members.begin() + first[own_piece] / word_bits,
            members.begin() + first[own_piece + 1] / word_bits, ~Word{0});
  make_whole(members.span(), first, window);
  PresentIndices present(first, PlacedBits(std::move(members)));
  const std::span<std::uint32_t> values = codes.stored();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < Numbering::leaf) values[i] = present.place_of(values[i]);
  }
  return present;
}

}  // namespace isobath
