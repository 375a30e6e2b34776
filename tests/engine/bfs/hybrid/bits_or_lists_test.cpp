// SPDX-License-Identifier: Apache-2.0
// Pieces of bits reach everybody, in the form that the rule says: counted in bytes.
#include "bfs/hybrid/bits_or_lists.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "bfs/hybrid/grid_graph.hpp"
#include "bfs/proposal_codec.hpp"

namespace isobath {
namespace {

constexpr std::size_t num_words = 8;

std::size_t count_of(int rank) { return num_words * word_bits - 37 * static_cast<std::size_t>(rank); }

/// Drawn by rank: `share` of 64 of the first bits, the same and others where it is more.
std::vector<Word> drawn(int rank, std::uint64_t share) {
  const test::Drawn is_set{static_cast<std::uint64_t>(rank), share};
  std::vector<Word> bits(num_words);
  for (std::size_t bit = 0; bit < count_of(rank); ++bit) {
    if (is_set(static_cast<std::int64_t>(bit))) set_bit(bits, bit);
  }
  return bits;
}

std::int64_t expected_bytes(const BitsOrLists::Piece& own, const BitsOrLists::ListRule& rule) {
  std::vector<std::uint32_t> fresh;
  std::vector<std::uint32_t> unset;
  for (std::uint32_t bit = 0; bit < own.count; ++bit) {
    const bool was_set = !own.before.empty() && test_bit(own.before, bit);
    if (!test_bit(own.now, bit)) {
      unset.push_back(bit);
    } else if (!was_set) {
      fresh.push_back(bit);
    }
  }
  const bool lists_new =
      rule.prefers_new ? std::ssize(fresh) <= rule.most_bytes : fresh.size() <= unset.size();
  const auto list = static_cast<std::int64_t>(packed_size(lists_new ? fresh : unset));
  return list <= rule.most_bytes ? list : static_cast<std::int64_t>(num_words * sizeof(Word));
}

TEST(BitsOrLists, ReachEverybodyInTheFormOfTheRule) {
  const Communicator& world = test::world();
  BitsOrLists pieces(world);
  for (const std::uint64_t earlier : {0U, 1U, 30U, 60U}) {
    for (const std::uint64_t share : {0U, 1U, 4U, 31U, 33U, 60U, 63U, 64U}) {
      if (share < earlier) continue;
      for (const BitsOrLists::ListRule rule : {BitsOrLists::ListRule{63, false}, {32, true}, {-1, false}}) {
        const std::vector<Word> before = drawn(world.rank(), earlier);
        const std::vector<Word> now = drawn(world.rank(), share);
        const BitsOrLists::Piece own{now, earlier == 0 ? std::span<const Word>{} : std::span(before),
                                     count_of(world.rank())};
        const std::int64_t sent = world.traffic().bytes_sent;
        pieces.gather(own, rule);
        EXPECT_EQ(world.traffic().bytes_sent - sent, (8 + expected_bytes(own, rule)) * (world.size() - 1))
            << share << "/64 after " << earlier;
        for (int rank = 0; rank < world.size(); ++rank) {
          std::vector<Word> unpacked = drawn(rank, earlier);
          pieces.unpack(static_cast<std::size_t>(rank), unpacked, count_of(rank));
          EXPECT_EQ(unpacked, drawn(rank, share)) << share << "/64 after " << earlier;
        }
      }
    }
  }
}

}  // namespace
}  // namespace isobath
