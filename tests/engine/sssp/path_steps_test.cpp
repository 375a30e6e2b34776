// SPDX-License-Identifier: Apache-2.0
#include "sssp/path_steps.hpp"

#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/arena.hpp"

namespace isobath {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

TEST(PathSteps, AddOverArcs) {
  std::mt19937 draws(1);
  std::vector<float> distance;
  for (int i = 0; i < 100; ++i)
    distance.push_back(i % 9 == 0 ? unreached : static_cast<float>(draws()) * 0x1p-32F);
  for (const InstructionSet set : supported_instruction_sets()) {
    for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 31U, 33U, 100U}) {
      std::vector<WeightedArc> arcs;
      for (std::size_t i = 0; i < count; ++i) {
        arcs.push_back({static_cast<std::uint32_t>(draws() % 100), static_cast<float>(draws()) * 0x1p-32F});
      }
      std::vector<float> out(count + 1, -7);
      path_steps(set).add_over_arcs(arcs.data(), count, distance.data(), out.data());
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(out[i], distance[arcs[i].to] + arcs[i].weight);
      EXPECT_EQ(out[count], -7);
    }
  }
}

TEST(PathSteps, EmitWritesEverySlotOfItsRange) {
  std::mt19937 draws(2);
  const std::vector<PathEntry> entries = {{0.5F, 7}, {0.25F, 0}, {unreached, no_parent}, {1.5F, 0x7FFFFFFF}};
  for (const InstructionSet set : supported_instruction_sets()) {
    for (const std::size_t end : {16U, 17U, 32U, 100U}) {
      std::vector<std::uint32_t> entry;
      std::vector<float> weight;
      for (int v = 0; v < 100; ++v) {
        entry.push_back(static_cast<std::uint32_t>(draws() % 4));
        weight.push_back(entry.back() == 2 ? 0 : static_cast<float>(draws()) * 0x1p-32F);
      }
      LargeArray<GlobalVertex> parents(128);
      LargeArray<float> distances(128);
      for (std::size_t v = 0; v < 128; ++v) {
        parents[v] = GlobalVertex{-5};
        distances[v] = -5;
      }
      path_steps(set).emit(entries.data(), {entry.data(), weight.data()}, 16, end, parents.data(),
                           distances.data());
      for (std::size_t v = 0; v < 128; ++v) {
        if (v < 16 || v >= end) {
          EXPECT_EQ(raw(parents[v]), -5);
          EXPECT_EQ(distances[v], -5);
          continue;
        }
        const PathEntry& right = entries[entry[v]];
        EXPECT_EQ(raw(parents[v]), right.parent == no_parent ? -1 : std::int64_t{right.parent});
        EXPECT_EQ(distances[v], right.distance + weight[v]);
      }
    }
  }
}

}  // namespace
}  // namespace isobath
