// SPDX-License-Identifier: Apache-2.0
#include "validate/gathered_vertices.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

static_assert(!gathers(VertexFacts::gathered, 100, 1000, 1), "one rank has all vertices");
static_assert(gathers(VertexFacts::gathered, 100, 1, 2) && !gathers(VertexFacts::asked, 1, 1000, 2));
static_assert(gathers(VertexFacts::fewest_bytes, 1 << 20, 16 << 20, 16));
static_assert(!gathers(VertexFacts::fewest_bytes, 1 << 20, 16 << 20, 17), "asking sends fewer bytes");
static_assert(!gathers(VertexFacts::gathered, std::int64_t{1} << 32, std::int64_t{1} << 40, 2),
              "parents are numbers of 32 bits");

/// Blocks that end in the middle of words, fewer vertices than ranks among them.
constexpr std::int64_t sizes[] = {3, 70, 131, 1000};

TEST(GatheredVertices, BringOwnEntriesToAllRanks) {
  for (const std::int64_t num_vertices : sizes) {
    const BlockPartition partition(num_vertices, world().size());
    const GatheredVertices gathered(world(), partition, 0, VertexFacts::gathered);
    if (world().size() == 1) {
      EXPECT_FALSE(gathered.are_gathered());
      continue;
    }
    LargeArray<std::int32_t> all(static_cast<std::size_t>(num_vertices));
    for (std::int32_t& entry : gathered.own(all.span())) entry = world().rank() + 1;

    gathered.share(all.span());

    for (std::int64_t v = 0; v < num_vertices; ++v) {
      EXPECT_EQ(all[static_cast<std::size_t>(v)], partition.block_of(GlobalVertex{v}) + 1) << v;
    }
  }
}

TEST(GatheredVertices, KnowEveryParentAndTakeNothingElseForOne) {
  if (world().size() == 1) GTEST_SKIP() << "one rank gathers nothing";
  constexpr std::int64_t num_vertices = 100;
  const BlockPartition partition(num_vertices, world().size());
  GatheredVertices gathered(world(), partition, 0, VertexFacts::gathered);
  std::vector<GlobalVertex> parents;
  for (std::int64_t i = 0; i < partition.size(world().rank()); ++i) {
    const std::int64_t v = partition.first(world().rank()) + i;
    parents.push_back(v == 40 ? GlobalVertex{(std::int64_t{1} << 32) + 3} : GlobalVertex{v - 1});
  }

  gathered.share_parents(parents);

  for (std::int64_t v = 1; v < num_vertices; ++v) {
    EXPECT_EQ(gathered.is_parent(GlobalVertex{v}, GlobalVertex{v - 1}), v != 40) << v;
  }
  EXPECT_FALSE(gathered.is_parent(GlobalVertex{40}, GlobalVertex{3})) << "its parent is 2^32 + 3";
  for (std::int64_t u = 0; u < num_vertices; ++u) {
    EXPECT_FALSE(gathered.is_parent(GlobalVertex{0}, GlobalVertex{u})) << "its parent is -1";
  }
}

TEST(GatheredVertices, UniteTheBitsOfOwnVertices) {
  if (world().size() == 1) GTEST_SKIP() << "one rank gathers nothing";
  for (const std::int64_t num_vertices : sizes) {
    const BlockPartition partition(num_vertices, world().size());
    GatheredVertices gathered(world(), partition, 0, VertexFacts::gathered);
    LargeArray<Word> bits(words_for(static_cast<std::size_t>(num_vertices)));
    const auto rank_that_sets = [&](std::int64_t v) { return v * 7 % (world().size() + 1); };  // or nobody
    for (std::int64_t v = 0; v < num_vertices; ++v) {
      if (rank_that_sets(v) == world().rank()) set_bit(bits.span(), static_cast<std::size_t>(v));
    }

    gathered.unite_own(bits.span());

    const std::int64_t first = partition.first(world().rank());
    for (std::int64_t v = first; v < first + partition.size(world().rank()); ++v) {
      EXPECT_EQ(test_bit(bits.span(), static_cast<std::size_t>(v)), rank_that_sets(v) < world().size()) << v;
    }
  }
}

}  // namespace
}  // namespace isobath::test
