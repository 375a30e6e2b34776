// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/window.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath {
namespace {

constexpr std::int64_t places = 100;

struct Update {
  int to;
  std::int64_t place;
  std::int64_t value;
};

/// What a rank does to the memory of others in an epoch. Places are few, so that ranks meet.
std::vector<Update> updates_of(int epoch, int rank, int ranks) {
  std::mt19937_64 draw(static_cast<std::uint64_t>(epoch * 1009 + rank));
  std::vector<Update> updates(300);
  for (Update& update : updates) {
    update.to = static_cast<int>(draw() % static_cast<std::uint64_t>(ranks));
    update.place = static_cast<std::int64_t>(draw() % places);
    update.value = static_cast<std::int64_t>(draw() >> 1);
  }
  return updates;
}

/// Epoch after epoch, with own stores in between: minima in one window, bits in another.
TEST(Window, AccumulatesOfAllRanksMeetInTheirTargets) {
  const Communicator& world = test::world();
  Window minima(world, 8 * places);
  Window bits(world, 8 * places);
  const std::span least(reinterpret_cast<std::int64_t*>(minima.memory()), places);
  const std::span set(reinterpret_cast<std::uint64_t*>(bits.memory()), places);
  for (int epoch = 0; epoch < 20; ++epoch) {
    std::ranges::fill(least, std::numeric_limits<std::int64_t>::max());
    std::ranges::fill(set, 0U);
    minima.fence(0);
    bits.fence(0);
    const std::vector<Update> mine = updates_of(epoch, world.rank(), world.size());
    std::vector<std::uint64_t> masks;
    for (const Update& update : mine) masks.push_back(std::uint64_t{1} << (update.value % 64));
    for (std::size_t k = 0; k < mine.size(); ++k) {
      minima.accumulate_min(mine[k].value, mine[k].to, 8 * mine[k].place);
      bits.accumulate_or(masks[k], mine[k].to, 8 * mine[k].place);
    }
    minima.fence(0);
    bits.fence(0);
    std::vector<std::int64_t> expected_least(places, std::numeric_limits<std::int64_t>::max());
    std::vector<std::uint64_t> expected_set(places, 0);
    for (int rank = 0; rank < world.size(); ++rank) {
      for (const Update& update : updates_of(epoch, rank, world.size())) {
        if (update.to != world.rank()) continue;
        const auto place = static_cast<std::size_t>(update.place);
        expected_least[place] = std::min(expected_least[place], update.value);
        expected_set[place] |= std::uint64_t{1} << (update.value % 64);
      }
    }
    EXPECT_TRUE(std::ranges::equal(least, expected_least)) << "epoch " << epoch;
    EXPECT_TRUE(std::ranges::equal(set, expected_set)) << "epoch " << epoch;
  }
}

}  // namespace
}  // namespace isobath
