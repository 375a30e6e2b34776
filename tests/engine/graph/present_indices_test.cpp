// SPDX-License-Identifier: Apache-2.0
#include "graph/present_indices.hpp"

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/numbering.hpp"

namespace isobath {
namespace {

LargeArray<Word> bits_of(const std::vector<bool>& present) {
  LargeArray<Word> bits(words_for(present.size()));
  for (std::size_t index = 0; index < present.size(); ++index) {
    if (present[index]) set_bit(bits.span(), index);
  }
  return bits;
}

/// One of so many, and a piece without any.
std::vector<bool> some_of(std::size_t count, std::uint64_t one_of) {
  std::mt19937_64 random(one_of);
  std::vector<bool> present(count);
  for (std::size_t index = 0; index < count; ++index) {
    present[index] = index / piece_bits != 3 && random() % one_of == 0;
  }
  return present;
}

void expect_places(const PresentIndices& found, const std::vector<bool>& present) {
  std::uint32_t place = 0;
  for (std::uint32_t index = 0; index < present.size(); ++index) {
    ASSERT_EQ(found.contains(index), present[index]) << index;
    ASSERT_EQ(found.place_of(index), place) << index;
    if (!present[index]) continue;
    ASSERT_EQ(found.index_at(place), index) << place;
    ++place;
  }
  EXPECT_EQ(found.count(), place);
  EXPECT_EQ(found.place_of(static_cast<std::uint32_t>(present.size())), place) << "of the end";
}

TEST(PresentIndices, HaveAPlaceEach) {
  const std::vector<std::uint32_t> first = {0, 512, 2048, 2048, 20480};
  for (const std::uint64_t one_of : {1U, 2U, 7U, 300U, 5000U}) {
    const std::vector<bool> present = some_of(first.back(), one_of);
    const PresentIndices found(first, PlacedBits(bits_of(present)));
    EXPECT_FALSE(found.are_all());
    ASSERT_NO_FATAL_FAILURE(expect_places(found, present)) << "one of " << one_of;
    std::uint32_t below = 0;
    for (std::size_t piece = 0; piece + 1 < first.size(); ++piece) {
      EXPECT_EQ(found.first_place(piece), below);
      std::vector<std::pair<std::uint32_t, std::uint32_t>> visited;
      found.for_each_in(first[piece], first[piece + 1], [&](std::uint32_t index, std::uint32_t place) {
        visited.emplace_back(index, place);
      });
      EXPECT_EQ(below + visited.size(), found.first_place(piece + 1));
      for (const auto& [index, place] : visited) {
        EXPECT_EQ(found.index_at(place), index);
        EXPECT_EQ(found.piece_of(place), piece);
      }
      below = found.first_place(piece + 1);
    }
  }
}

TEST(PresentIndices, AreTheirPlacesWhereAllArePresent) {
  const std::vector<std::uint32_t> first = {0, 512, 1536};
  const PresentIndices all(first);
  EXPECT_TRUE(all.are_all());
  ASSERT_NO_FATAL_FAILURE(expect_places(all, std::vector<bool>(1536, true)));
  EXPECT_EQ(all.piece_of(511), 0U);
  EXPECT_EQ(all.piece_of(512), 1U);
  EXPECT_EQ(PresentIndices().count(), 0U);
}

/// Of 4096 originals the ones that occur: every 50th of the second piece, whose codes are in the order of
/// originals, and a leaf.
OriginalCodes few_codes(std::vector<std::uint32_t>& indices) {
  std::vector<std::size_t> originals;
  for (std::uint32_t index = 512; index < 2048; index += 50) {
    originals.push_back(index);
    indices.push_back(index);
  }
  originals.push_back(4000);
  LargeArray<std::uint32_t> codes(originals.size());
  std::copy(indices.begin(), indices.end(), codes.begin());
  codes[indices.size()] = Numbering::leaf;
  return {SparseMembers(4096, originals), std::move(codes)};
}

TEST(PresentIndices, AreThoseThatOccurAndTheOwnOnesInWholeWindows) {
  constexpr std::uint32_t window = 512;
  const std::vector<std::uint32_t> first = {0, 512, 2048, 2560};
  for (const std::size_t own_piece : {0U, 1U, 2U}) {
    std::vector<std::uint32_t> indices;
    OriginalCodes codes = few_codes(indices);
    const PresentIndices present = present_of(codes, Hypersparse::by_count, 2500, first, own_piece, window);
    ASSERT_FALSE(present.are_all());
    for (std::uint32_t index = first[own_piece]; index < first[own_piece + 1]; ++index) {
      EXPECT_TRUE(present.contains(index));
    }
    for (std::uint32_t begin = 0; begin < first.back(); begin += window) {
      const std::uint32_t places = present.place_of(begin + window) - present.place_of(begin);
      EXPECT_EQ(places % PresentIndices::whole_places, 0U) << begin;
      const bool is_own = first[own_piece] <= begin && begin < first[own_piece + 1];
      EXPECT_EQ(places, is_own ? window : 512 <= begin && begin < 2048 ? 16U : 0U) << begin;
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
      EXPECT_TRUE(present.contains(indices[i]));
      EXPECT_EQ(codes.by_place()[i], present.place_of(indices[i])) << "codes say places";
    }
    EXPECT_EQ(codes.by_place().back(), Numbering::leaf);
  }
}

TEST(PresentIndices, AreAllWhereMostMayHaveAnArc) {
  const std::vector<std::uint32_t> first = {0, 512, 2048, 2560};
  std::vector<std::uint32_t> indices;
  OriginalCodes codes = few_codes(indices);
  EXPECT_TRUE(present_of(codes, Hypersparse::by_count, 2 * indices.size(), first, 0, 512).are_all());
  EXPECT_FALSE(present_of(codes, Hypersparse::by_count, 2 * indices.size() + 1, first, 0, 512).are_all());
  OriginalCodes all(LargeArray<std::uint32_t>(4096));
  EXPECT_TRUE(present_of(all, Hypersparse::by_count, 1U << 20, first, 0, 512).are_all());
}

}  // namespace
}  // namespace isobath
