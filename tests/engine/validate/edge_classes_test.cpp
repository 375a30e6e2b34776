// SPDX-License-Identifier: Apache-2.0
#include "validate/edge_classes.hpp"

#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Every code a vertex can have, with a vertex of each low byte's last three bits as its parent.
std::vector<LevelCode> all_codes() {
  std::vector<LevelCode> codes = {level_code::deep, level_code::outside, level_code::severed,
                                  level_code::circular};
  for (std::int64_t level = 0; level <= level_code::max_shallow; ++level) {
    for (std::int64_t parent = 0; parent < 8; ++parent)
      codes.push_back(level_code::of(level, GlobalVertex{parent}));
  }
  return codes;
}

TEST(LevelCode, HoldsLevelsUpTo28) {
  for (std::int64_t level = 0; level <= 28; ++level) {
    EXPECT_EQ(level_code::level_of(level_code::of(level, GlobalVertex{0xFFFF'FFFF'FFFF})), level);
  }
  EXPECT_EQ(level_code::of(29, GlobalVertex{3}), level_code::deep);
  EXPECT_EQ(level_code::of(std::int64_t{1} << 40, GlobalVertex{3}), level_code::deep);
  EXPECT_TRUE(level_code::is_in_tree(level_code::deep));
  EXPECT_FALSE(level_code::is_in_tree(level_code::severed));
}

TEST(LevelCode, FollowsFromTheParents) {
  using namespace level_code;
  EXPECT_EQ(of_child(of(3, GlobalVertex{5}), GlobalVertex{14}), of(4, GlobalVertex{14}));
  EXPECT_EQ(of_child(of(27, GlobalVertex{0}), GlobalVertex{1}), of(28, GlobalVertex{1}));
  EXPECT_EQ(of_child(of(28, GlobalVertex{0}), GlobalVertex{1}), unresolved) << "deep: needs the exact level";
  EXPECT_EQ(of_child(deep, GlobalVertex{1}), unresolved);
  EXPECT_EQ(of_child(outside, GlobalVertex{1}), severed);
  EXPECT_EQ(of_child(severed, GlobalVertex{1}), severed);
  EXPECT_EQ(of_child(unresolved, GlobalVertex{1}), unresolved);
}

/// Classes of one edge, said plainly.
struct Expected {
  bool touching;
  bool apart;
  bool tree_edge_of_u;
  bool tree_edge_of_v;
};
Expected expected(LevelCode code_u, LevelCode code_v, std::int64_t u, std::int64_t v) {
  using namespace level_code;
  const std::int64_t level_u = level_of(code_u);
  const std::int64_t level_v = level_of(code_v);
  const bool shallow = is_shallow(code_u) && is_shallow(code_v);
  Expected classes;
  classes.touching = is_in_tree(code_u) || is_in_tree(code_v);
  classes.apart = shallow ? std::abs(level_u - level_v) > 1 : classes.touching;
  classes.tree_edge_of_u = shallow && level_u == level_v + 1 && (code_u & parent_mask) == v % 8;
  classes.tree_edge_of_v = shallow && level_v == level_u + 1 && (code_v & parent_mask) == u % 8;
  return classes;
}

TEST(EdgeBatch, ClassifiesEveryPairOfCodes) {
  EdgeBatch batch;
  const std::vector<LevelCode> codes = all_codes();
  for (std::int64_t u = 0; u < 8; ++u) {
    for (const LevelCode code_u : codes) {
      batch.size = 0;
      for (const LevelCode code_v : codes) {
        batch.code_u[batch.size] = code_u;
        batch.code_v[batch.size] = code_v;
        batch.low_u[batch.size] = static_cast<std::uint8_t>(u + 8 * u);
        batch.low_v[batch.size] = static_cast<std::uint8_t>(5 + 16 * u);
        ++batch.size;
      }

      const std::int64_t touching = batch.classify();

      std::int64_t expected_touching = 0;
      for (std::size_t i = 0; i < batch.size; ++i) {
        const Expected classes = expected(code_u, codes[i], u, 5);
        expected_touching += classes.touching ? 1 : 0;
        ASSERT_EQ((batch.classes[i] & edge_class::apart) != 0, classes.apart)
            << int{code_u} << " " << int{codes[i]};
        if (classes.apart) continue;  // exact levels decide, whatever the other bits say
        ASSERT_EQ((batch.classes[i] & edge_class::tree_edge_of_u) != 0, classes.tree_edge_of_u);
        ASSERT_EQ((batch.classes[i] & edge_class::tree_edge_of_v) != 0, classes.tree_edge_of_v);
      }
      EXPECT_EQ(touching, expected_touching);
    }
  }
}

TEST(EdgeBatch, FlagsEdgesThatMayBeSelfLoops) {
  EdgeBatch batch;
  batch.size = 3;
  batch.code_u = {level_code::of(2, GlobalVertex{1}), level_code::of(2, GlobalVertex{1}),
                  level_code::outside};
  batch.code_v = {level_code::of(2, GlobalVertex{1}), level_code::of(2, GlobalVertex{3}),
                  level_code::outside};
  batch.low_u = {7, 7, 200};
  batch.low_v = {7, 7, 200};

  EXPECT_EQ(batch.classify(), 2);

  EXPECT_EQ(batch.classes[0], edge_class::self_loop);
  EXPECT_EQ(batch.classes[1], 0);
  EXPECT_EQ(batch.classes[2], edge_class::self_loop);
}

std::vector<std::size_t> flagged(const EdgeBatch& batch) {
  std::vector<std::size_t> found;
  batch.for_each_flagged([&](std::size_t i) { found.push_back(i); });
  return found;
}

TEST(EdgeBatch, VisitsWhatHasAnyClassInOrder) {
  EdgeBatch batch;
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{700}, EdgeBatch::capacity}) {
    batch.size = size;
    batch.classes.fill(0);
    EXPECT_TRUE(flagged(batch).empty());
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < EdgeBatch::capacity; i += 11) {
      batch.classes[i] = static_cast<std::uint8_t>(1U << (i % 4));
      if (i < size) expected.push_back(i);
    }
    EXPECT_EQ(flagged(batch), expected) << size;
    batch.classes.fill(15);
    EXPECT_EQ(flagged(batch).size(), size);
  }
}

}  // namespace
}  // namespace isobath
