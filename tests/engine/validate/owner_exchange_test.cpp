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

TEST(OwnerExchange, BringsItemsToTheirOwners) {
  const BlockPartition partition(100, world().size());
  OwnerExchange exchange(world(), partition);
  std::vector<Edge> items;
  for (std::int64_t i = 0; i < 300; ++i)
    items.push_back({GlobalVertex{i % 100}, GlobalVertex{world().rank()}});

  const std::span<const Edge> delivered =
      exchange.deliver<Edge>(items, [](const Edge& item) { return item.u; });

  std::vector<Edge> arrived(delivered.begin(), delivered.end());
  std::vector<Edge> expected;
  const std::int64_t first = partition.first(world().rank());
  for (std::int64_t v = first; v < first + partition.size(world().rank()); ++v) {
    for (int rank = 0; rank < world().size(); ++rank) {
      expected.insert(expected.end(), 3, {GlobalVertex{v}, GlobalVertex{rank}});
    }
  }
  const auto by_ends = [](const Edge& a, const Edge& b) { return std::pair(a.u, a.v) < std::pair(b.u, b.v); };
  std::sort(arrived.begin(), arrived.end(), by_ends);
  EXPECT_EQ(arrived, expected);
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
