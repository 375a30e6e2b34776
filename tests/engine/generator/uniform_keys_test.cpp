// SPDX-License-Identifier: Apache-2.0
#include "generator/uniform_keys.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

HasNeighbour multiples_of(std::int64_t step) {
  return [step](std::span<const GlobalVertex> vertices) {
    std::vector<char> answers;
    for (const GlobalVertex v : vertices) answers.push_back(raw(v) % step == 0 ? 1 : 0);
    return answers;
  };
}

TEST(UniformKeys, AreDifferentVerticesWithANeighbour) {
  for (const std::int64_t vertices : {std::int64_t{1000}, std::int64_t{1} << 40}) {
    const std::vector<GlobalVertex> keys = sample_uniform_keys(vertices, 1, 64, multiples_of(3));
    std::set<GlobalVertex> different(keys.begin(), keys.end());
    EXPECT_EQ(different.size(), 64U);
    for (const GlobalVertex key : keys) {
      EXPECT_EQ(raw(key) % 3, 0);
      EXPECT_LT(raw(key), vertices);
    }
  }
}

TEST(UniformKeys, AreAllThereAreInASmallGraph) {
  EXPECT_EQ(sample_uniform_keys(65536, 1, 64, multiples_of(65536)), std::vector{GlobalVertex{0}});
  EXPECT_EQ(sample_uniform_keys(10, 1, 64, multiples_of(1)).size(), 10U);
}

TEST(UniformKeys, EndWhereThereIsNone) {
  const auto nobody = [](std::span<const GlobalVertex> vertices) {
    return std::vector<char>(vertices.size(), 0);
  };
  EXPECT_TRUE(sample_uniform_keys(std::int64_t{1} << 30, 1, 4, nobody).empty());
}

TEST(UniformKeys, ChangeWithTheSeedAlone) {
  const auto keys = [](std::uint64_t seed) { return sample_uniform_keys(1 << 20, seed, 8, multiples_of(1)); };
  EXPECT_EQ(keys(5), keys(5));
  EXPECT_NE(keys(5), keys(6));
}

TEST(UniformKeys, LieEverywhere) {
  const std::vector<GlobalVertex> keys = sample_uniform_keys(1 << 30, 3, 4096, multiples_of(1));
  const auto low = std::ranges::count_if(keys, [](GlobalVertex key) { return raw(key) < 1 << 29; });
  EXPECT_NEAR(static_cast<double>(low), 2048, 5 * 32);  // five standard deviations
}

}  // namespace
}  // namespace isobath
