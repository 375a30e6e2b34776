// SPDX-License-Identifier: Apache-2.0
#include "graph/owned_updates.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Sums over a table whose entry i belongs to thread i mod threads: a plain addition, so a wrong thread would
/// be a race.
TEST(OwnedUpdates, ApplyEveryItemOnceByItsOwnerInTheOrderOfTheThreads) {
  constexpr std::uint32_t entries = 37;
  struct Item {
    std::uint32_t entry;
    std::uint32_t dealer;
    std::uint64_t value;
  };
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    OwnedUpdates<Item> updates(threads);
    std::vector<std::uint64_t> sums(entries, 0);
    std::uint64_t dealt = 0;
    std::uint64_t applied = 0;
    std::uint64_t prefetched = 0;
    std::uint64_t misplaced = 0;
#pragma omp parallel reduction(+ : dealt, applied, prefetched, misplaced)
    {
      const auto me = static_cast<std::size_t>(thread_id());
      std::mt19937_64 draw(me);
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, 23 + me, std::size_t{1000} * (me + 1),
                                      OwnedUpdates<Item>::capacity}) {
        for (std::size_t k = 0; k < count; ++k) {
          const Item item{static_cast<std::uint32_t>(draw() % entries), static_cast<std::uint32_t>(me),
                          draw() % 1000};
          updates.deal(me, item.entry % static_cast<std::uint32_t>(threads), item);
          dealt += item.value;
        }
        std::uint32_t last_dealer = 0;
        updates.round([&](const Item&) { ++prefetched; },
                      [&](const Item& item) {
                        sums[item.entry] += item.value;
                        ++applied;
                        misplaced += item.entry % static_cast<std::uint32_t>(threads) != me ? 1U : 0U;
                        misplaced += item.dealer < last_dealer ? 1U : 0U;
                        last_dealer = item.dealer;
                      });
      }
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t value : sums) sum += value;
    EXPECT_EQ(sum, dealt) << threads << " threads";
    EXPECT_EQ(prefetched, applied) << threads << " threads";
    EXPECT_EQ(misplaced, 0U) << threads << " threads";
  }
}

}  // namespace
}  // namespace isobath
