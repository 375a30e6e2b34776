// SPDX-License-Identifier: Apache-2.0
#include "validate/distance_classes.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

using namespace edge_class;

struct Case {
  float to_u, to_v, weight;
  int classes;
};

TEST(DistanceClasses, FollowFromTheDistancesOfTheEnds) {
  const float out = end_distance::outside;
  const float none = end_distance::unusable;
  const std::vector<Case> cases = {
      {0.25F, 0.5F, 0.25F, tree_edge_of_v},
      {0.5F, 0.25F, 0.25F, tree_edge_of_u},
      {0.5F, 0.5F, 0, tree_edge_of_u | tree_edge_of_v},
      {0.25F, 0.5F, 0.5F, 0},
      {0.25F, 0.5F, 0.125F, apart},
      {0.5F, 0.25F, 0.125F, apart},
      {out, out, 0, 0},
      {out, out, 0.5F, 0},
      {out, 0.5F, 0.5F, apart},
      {0, out, 0.5F, apart},
      {out, 0, 1, apart},  // -1 + 1 is 0, but nobody comes from there
      {none, 0.5F, 0.5F, 0},
      {none, none, 0.5F, 0},
      {none, out, 0.5F, apart},
  };
  DistanceBatch batch;
  for (const Case& edge : cases) {
    batch.to_u[batch.size] = edge.to_u;
    batch.to_v[batch.size] = edge.to_v;
    batch.weights[batch.size] = edge.weight;
    batch.self_loops[batch.size] = 0;
    ++batch.size;
  }

  const std::int64_t touching = batch.classify();

  EXPECT_EQ(touching, static_cast<std::int64_t>(cases.size()) - 2);
  std::vector<std::size_t> flagged;
  batch.for_each_flagged([&](std::size_t i) { flagged.push_back(i); });
  std::vector<std::size_t> expected;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].classes != 0) expected.push_back(i);
    EXPECT_EQ(int{batch.classes[i]} & (apart | tree_edge_of_u | tree_edge_of_v), cases[i].classes)
        << "case " << i;
  }
  EXPECT_EQ(flagged, expected);
}

TEST(DistanceClasses, MarkSelfLoops) {
  DistanceBatch batch;
  batch.to_u[0] = batch.to_v[0] = 0.5F;
  batch.weights[0] = 0.5F;
  batch.self_loops[0] = 1;
  batch.size = 1;

  EXPECT_EQ(batch.classify(), 1);
  EXPECT_EQ(batch.classes[0], self_loop);
}

}  // namespace
}  // namespace isobath
