// SPDX-License-Identifier: Apache-2.0
#include "validate/owner_exchange.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

TEST(OwnerExchange, AnswersEveryQuestionInOrder) {
  for (const std::int64_t num_vertices : {1, 5, 1000, 4096}) {
    const BlockPartition partition(num_vertices, world().size());
    OwnerExchange exchange(world(), partition);
    const std::int64_t first = partition.first(world().rank());
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{777}, exchange.chunk()}) {
      const std::size_t mine = world().rank() % 2 == 0 ? count : count / 2;  // unequal numbers
      const auto vertex_of = [&](std::size_t i) {
        return GlobalVertex{static_cast<std::int64_t>(i * 7919) % num_vertices};
      };
      std::vector<std::int64_t> answers(mine, -1);

      exchange.ask<std::int64_t>(
          mine, vertex_of,
          [&](std::size_t local) { return 3 * (first + static_cast<std::int64_t>(local)) + 1; }, answers);

      std::vector<std::int64_t> expected(mine);
      for (std::size_t i = 0; i < mine; ++i) expected[i] = 3 * raw(vertex_of(i)) + 1;
      EXPECT_EQ(answers, expected) << num_vertices << " vertices, " << mine << " questions";
    }
  }
}

/// Limits under which chunks of 600 travel at once, in a few parts, and in very many.
const std::vector<ExchangeLimits> limits_of_600 = {{600, 3600}, {600, 1000}, {600, 7}, {600, 1}};

/// All ranks ask one, of which one vertex, as of the centre of a star; some ask nothing.
TEST(OwnerExchange, AnswersEveryQuestionInParts) {
  const BlockPartition partition(100, world().size());
  const std::int64_t first = partition.first(world().rank());
  for (const ExchangeLimits& limits : limits_of_600) {
    OwnerExchange exchange(world(), partition, limits);
    for (const std::int64_t spread : {1, 10, 100}) {
      const std::size_t mine = world().rank() == 1 ? 0 : 600 - static_cast<std::size_t>(world().rank());
      const auto vertex_of = [&](std::size_t i) {
        return GlobalVertex{99 - static_cast<std::int64_t>(i * 7919) % spread};
      };
      std::vector<std::int64_t> answers(mine, -1);

      exchange.ask<std::int64_t>(
          mine, vertex_of, [&](std::size_t local) { return 3 * (first + static_cast<std::int64_t>(local)); },
          answers);

      for (std::size_t i = 0; i < mine; ++i) ASSERT_EQ(answers[i], 3 * raw(vertex_of(i))) << limits.arriving;
    }
  }
}

TEST(OwnerExchange, BringsItemsToTheirOwners) {
  const BlockPartition partition(100, world().size());
  std::vector<Edge> items;
  for (std::int64_t i = 0; i < 300; ++i)
    items.push_back({GlobalVertex{i % 100}, GlobalVertex{world().rank()}});
  std::vector<Edge> expected;
  const std::int64_t first = partition.first(world().rank());
  for (std::int64_t v = first; v < first + partition.size(world().rank()); ++v) {
    for (int rank = 0; rank < world().size(); ++rank) {
      expected.insert(expected.end(), 3, {GlobalVertex{v}, GlobalVertex{rank}});
    }
  }
  for (const ExchangeLimits& limits : limits_of_600) {
    OwnerExchange exchange(world(), partition, limits);
    std::vector<Edge> arrived;

    exchange.deliver<Edge>(
        items, [](const Edge& item) { return item.u; },
        [&](std::span<const Edge> part) { arrived.insert(arrived.end(), part.begin(), part.end()); });

    const auto by_ends = [](const Edge& a, const Edge& b) {
      return std::pair(a.u, a.v) < std::pair(b.u, b.v);
    };
    std::sort(arrived.begin(), arrived.end(), by_ends);
    EXPECT_EQ(arrived, expected) << limits.arriving;
  }
}

/// What all send to one rank reaches it in as few parts as the limit allows, none of them over it.
TEST(OwnerExchange, KeepsWhatArrivesWithinTheLimit) {
  const std::int64_t ranks = world().size();
  if (ranks == 1) return;  // nothing travels
  const std::vector<Edge> items(600, Edge{GlobalVertex{0}, GlobalVertex{7}});
  for (const ExchangeLimits& limits : limits_of_600) {
    OwnerExchange exchange(world(), BlockPartition(100, world().size()), limits);
    std::int64_t parts = 0;
    std::int64_t most = 0;
    std::int64_t total = 0;

    exchange.deliver<Edge>(
        items, [](const Edge& item) { return item.u; },
        [&](std::span<const Edge> arrived) {
          ++parts;
          most = std::max(most, std::ssize(arrived));
          total += std::ssize(arrived);
        });

    EXPECT_EQ(parts, (600 * ranks + limits.arriving - 1) / limits.arriving);
    EXPECT_LE(most, limits.arriving + ranks);
    EXPECT_EQ(total, world().rank() == 0 ? 600 * ranks : 0);
  }
}

TEST(OwnerExchange, GrowsWithTheRanksWithinBounds) {
  for (const int ranks : {1, 4, 16}) {  // whoever is addressed: one part
    EXPECT_EQ(ExchangeLimits::of(ranks).chunk, std::int64_t{1} << 18);
    EXPECT_LE(ExchangeLimits::of(ranks).chunk * ranks, ExchangeLimits::of(ranks).arriving);
  }
  for (const int ranks : {17, 4096, 16384}) EXPECT_EQ(ExchangeLimits::of(ranks).chunk, std::int64_t{1} << 18);
  EXPECT_EQ(ExchangeLimits::of(32768).chunk, std::int64_t{1} << 19);
  for (const int ranks : {65536, 99856, 1 << 20}) {
    EXPECT_EQ(ExchangeLimits::of(ranks).chunk, std::int64_t{1} << 20);
    EXPECT_EQ(ExchangeLimits::of(ranks).arriving, std::int64_t{1} << 22);
  }
}

TEST(OwnerExchange, CountsTheRoundsOfTheBusiestRank) {
  const OwnerExchange exchange(world(), BlockPartition(10, world().size()));
  const auto chunk = static_cast<std::int64_t>(exchange.chunk());
  EXPECT_EQ(exchange.rounds(0), 0);
  EXPECT_EQ(exchange.rounds(world().rank() == 0 ? 2 * chunk + 1 : 1), 3);
  EXPECT_EQ(exchange.rounds(chunk), 1);
}

}  // namespace
}  // namespace isobath::test
