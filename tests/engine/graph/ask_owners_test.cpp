// SPDX-License-Identifier: Apache-2.0
// What owners tell of what they are asked for, against what they have.
#include "graph/ask_owners.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

/// The number of the vertex at a position: anybody can say it, but only its owner gives it.
std::uint32_t number_at(std::size_t position) { return static_cast<std::uint32_t>(position * 2654435761U); }

/// Pieces of all ranks, drawn alike by everybody: many are empty, and few begin with a word.
std::vector<std::size_t> drawn_pieces(std::mt19937_64& draw) {
  std::vector<std::size_t> first = {0};
  for (int rank = 0; rank < test::world().size(); ++rank) {
    const std::size_t most = draw() % 3 == 0 ? 1 : (draw() % 3 == 0 ? 5 : 700);
    first.push_back(first.back() + draw() % most);
  }
  return first;
}

/// What this rank asks for: nothing, everything, or so many of 64.
LargeArray<Word> drawn_bits(std::mt19937_64& draw, std::size_t count, std::uint64_t share) {
  LargeArray<Word> bits(words_for(count));
  for (std::size_t position = 0; position < count; ++position) {
    if (draw() % 64 < share) set_bit(bits.span(), position);
  }
  return bits;
}

TEST(AskOwners, TellThatOfWhatIsAskedForInOrder) {
  const Communicator& world = test::world();
  const int threads = max_threads();
  std::mt19937_64 alike(7);
  std::mt19937_64 own(static_cast<std::uint64_t>(world.rank()));
  for (int turn = 0; turn < 40; ++turn) {
    set_num_threads(1 + turn % 2);
    const std::vector<std::size_t> first = drawn_pieces(alike);
    const std::size_t begin = first[static_cast<std::size_t>(world.rank())];
    std::vector<std::uint32_t> numbers;
    for (std::size_t at = begin; at < first[static_cast<std::size_t>(world.rank()) + 1]; ++at) {
      numbers.push_back(number_at(at));
    }
    constexpr std::uint64_t shares[] = {0, 1, 20, 64};
    const PlacedBits asked(drawn_bits(own, first.back(), shares[(turn + world.rank()) % 4]));
    std::vector<std::uint32_t> told(asked.count());
    const auto expect_told = [&] {
      std::size_t place = 0;
      for_each_bit(asked.bits(), [&](std::size_t at) { ASSERT_EQ(told[place++], number_at(at)) << at; });
    };
    ask_owners(world, asked, first, numbers, told);
    expect_told();
    std::ranges::fill(told, 0);
    if (asked.count() == first.back()) {  // ranks of one line may ask in any form
      ask_owners(world, AllAsked(first.back()), first, numbers, told);
    } else if (world.rank() % 2 == turn / 2 % 2) {
      ask_owners(world, SparseMembers(asked.bits()), first, numbers, told);
    } else {
      ask_owners(world, asked, first, numbers, told);
    }
    expect_told();
  }
  set_num_threads(threads);
}

/// Of more than 32 bits can number, where nobody would like to have a bit for each.
TEST(AllAsked, AreAllOfAnyNumber) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{65}, std::size_t{14'000'000'000}}) {
    const AllAsked all(count);
    EXPECT_EQ(all.count(), count);
    EXPECT_EQ(asked_before(all, count), count);
    EXPECT_EQ(asked_before(all, count / 2), count / 2);
    EXPECT_EQ(asked_before(all, count + 1), count);
  }
}

}  // namespace
}  // namespace isobath
