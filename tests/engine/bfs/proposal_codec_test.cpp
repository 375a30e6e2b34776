// SPDX-License-Identifier: Apache-2.0
// What is packed comes out again, takes the bytes that a plain count says, and damage is noticed.
#include "bfs/proposal_codec.hpp"

#include <algorithm>
#include <bit>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

/// Bytes of an ascending list, number by number: one for every 7 bits of the difference, one at least.
std::size_t plain_size(std::span<const std::uint32_t> ascending) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    const std::uint32_t difference = i == 0 ? ascending[0] : ascending[i] - ascending[i - 1] - 1;
    const auto bits = static_cast<std::size_t>(std::bit_width(difference));
    bytes += std::max<std::size_t>(1, (bits + 6) / 7);
  }
  return bytes;
}

std::vector<std::uint32_t> distinct_numbers(std::mt19937_64& draw, std::size_t count, std::uint64_t bound) {
  std::set<std::uint32_t> numbers;
  while (numbers.size() < count) numbers.insert(static_cast<std::uint32_t>(draw() % bound));
  return {numbers.begin(), numbers.end()};
}

TEST(ProposalCodec, PacksHandWorkedNumbers) {
  std::vector<std::byte> packed;
  pack_ascending(std::vector<std::uint32_t>{0, 1, 130, 131, 0xFFFFFFFF}, packed);
  // Differences 0, 0, 128 = 0x80 0x01, 0, and 0xFFFFFFFF - 132 in five bytes.
  ASSERT_EQ(packed.size(), 1 + 1 + 2 + 1 + 5U);
  EXPECT_EQ(packed[2], std::byte{0x80});
  EXPECT_EQ(packed[3], std::byte{0x01});
}

TEST(ProposalCodec, ListsComeOutAgain) {
  std::mt19937_64 draw(1);
  for (const std::uint64_t bound : {200ULL, 5000ULL, 1ULL << 20, 1ULL << 32}) {
    for (const std::size_t count : {0U, 1U, 2U, 100U}) {
      const std::vector<std::uint32_t> numbers = distinct_numbers(draw, count, bound);
      std::vector<std::byte> packed;
      pack_ascending(numbers, packed);
      EXPECT_EQ(packed.size(), plain_size(numbers));
      EXPECT_EQ(packed.size(), packed_size(numbers));
      std::vector<std::uint32_t> unpacked;
      unpack_ascending(packed, unpacked);
      EXPECT_EQ(unpacked, numbers);
    }
  }
}

TEST(ProposalCodec, ProposalsComeOutAgainInTheOrderOfTheirTargets) {
  std::mt19937_64 draw(2);
  for (const int bits : {0, 1, 7, 8, 18, 31}) {
    for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
      std::vector<Proposal> proposals;
      for (const std::uint32_t target : distinct_numbers(draw, count, 1 << 20)) {
        proposals.push_back({target, static_cast<std::uint32_t>(draw() % (std::uint64_t{1} << bits))});
      }
      const std::vector<Proposal> sorted = proposals;
      std::reverse(proposals.begin(), proposals.end());
      std::rotate(proposals.begin(), proposals.begin() + std::ssize(proposals) / 3, proposals.end());
      std::vector<std::byte> packed;
      pack_proposals(proposals, bits, packed);
      std::vector<std::uint32_t> targets;
      for (const Proposal& proposal : sorted) targets.push_back(proposal.target);
      const std::vector<std::uint32_t> number = {static_cast<std::uint32_t>(count)};
      const std::size_t expected = count == 0 ? 0
                                              : plain_size(number) + plain_size(targets) +
                                                    (count * static_cast<std::size_t>(bits) + 7) / 8;
      EXPECT_EQ(packed.size(), expected) << bits << " bits, " << count;
      std::vector<Proposal> unpacked;
      unpack_proposals(packed, bits, unpacked);
      EXPECT_EQ(unpacked, sorted);
    }
  }
}

/// Sources that are entries of wide originals go as these, and come out with the first of the grid column.
TEST(ProposalCodec, WideSourcesAreLookedUpWhenTheyArePacked) {
  std::mt19937_64 draw(3);
  constexpr std::size_t entries = 700;
  constexpr std::int64_t first_original = std::int64_t{5} << 40;
  for (const int bits : {9, 31, 32, 33, 34, 40}) {
    for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
      const PositionSplit split;
      LargeArray<std::uint32_t> low(entries);
      LargeArray<std::uint8_t> high(entries);
      std::vector<std::int64_t> original;
      for (std::size_t entry = 0; entry < entries; ++entry) {
        const std::uint64_t position = draw() % (std::uint64_t{1} << bits);
        original.push_back(static_cast<std::int64_t>(position));
        low[entry] = split.low(position);
        high[entry] = split.high(position);
      }
      const ColumnOriginals originals(std::move(low), std::move(high), split);
      std::vector<Proposal> proposals;
      std::vector<WideProposal> expected;
      for (const std::uint32_t target : distinct_numbers(draw, count, 1 << 20)) {
        const auto entry = static_cast<std::uint32_t>(draw() % entries);
        proposals.push_back({target, entry});
        expected.push_back({target, first_original + original[entry]});
      }
      std::reverse(proposals.begin(), proposals.end());
      std::vector<std::byte> packed;
      pack_proposals(proposals, originals, bits, packed);
      std::vector<WideProposal> unpacked;
      unpack_proposals(packed, bits, first_original, unpacked);
      EXPECT_EQ(unpacked, expected) << bits << " bits, " << count;
    }
  }
}

TEST(ProposalCodec, NoticesDamage) {
  std::vector<Proposal> proposals = {{5, 1}, {7, 2}, {300, 3}};
  std::vector<std::byte> packed;
  pack_proposals(proposals, 18, packed);
  std::vector<Proposal> unpacked;
  for (std::size_t length = 1; length < packed.size(); ++length) {
    EXPECT_THROW(unpack_proposals(std::span(packed).first(length), 18, unpacked), InternalError) << length;
  }
  packed.push_back(std::byte{0});
  EXPECT_THROW(unpack_proposals(packed, 18, unpacked), InternalError);
  std::vector<std::uint32_t> numbers;
  const std::vector<std::byte> unfinished = {std::byte{0x80}};
  EXPECT_THROW(unpack_ascending(unfinished, numbers), InternalError);
}

}  // namespace
}  // namespace isobath
