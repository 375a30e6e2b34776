// SPDX-License-Identifier: Apache-2.0
#include "sssp/path_steps.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/arena.hpp"

namespace isobath {
namespace {

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

/// Relaxing sixteen arcs at once gives what relaxing one after the other gives.
TEST(PathSteps, RelaxTakesOnlyWhatIsNearer) {
  std::mt19937 draws(3);
  for (const InstructionSet set : supported_instruction_sets()) {
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 16U, 17U, 40U}) {
      std::vector<float> distance(64);
      for (float& d : distance) d = draws() % 4 == 0 ? unreached : static_cast<float>(draws() % 64) / 64;
      std::vector<std::uint32_t> parent(64, 99);
      Word changed = 0;
      std::vector<WeightedArc> arcs;
      for (std::uint32_t i = 0; i < count; ++i) {
        arcs.push_back({(i * 5) % 64, static_cast<float>(draws() % 64) / 64});
      }
      const std::vector<float> held = distance;
      path_steps(set).relax(arcs.data(), count, 0.25F, 7, {distance.data(), parent.data(), &changed});
      std::vector<float> right = held;
      for (const auto& [to, weight] : arcs) right[to] = std::min(right[to], 0.25F + weight);
      EXPECT_EQ(distance, right);
      for (std::uint32_t v = 0; v < 64; ++v) {
        const bool nearer = right[v] < held[v];
        EXPECT_EQ(parent[v], nearer ? 7U : 99U);
        EXPECT_EQ((changed >> v & 1) != 0, nearer);
      }
    }
  }
}

/// Own vertices as a graph of a few hubs leaves them, emitted by every instruction set.
TEST(PathSteps, EmitIsTheSameForAllInstructionSets) {
  constexpr std::size_t size = 5000;  // two blocks and a part
  OwnVertices own;
  {
    KeptEdges kept;
    kept.rows.start = LargeArray<std::uint64_t>(size + 1);
    std::vector<WeightedArc> arcs;
    UpperNumbers numbers{LargeArray<std::uint32_t>(size)};
    UpperGraph upper;
    upper.original = LargeArray<std::uint32_t>(10);
    std::mt19937 draws(5);
    for (std::size_t v = 0; v < size; ++v) {
      const bool is_upper = v % 500 == 0;
      numbers.of[v] = is_upper ? static_cast<std::uint32_t>(v / 500) : UpperNumbers::not_upper;
      if (is_upper) upper.original[v / 500] = static_cast<std::uint32_t>(v);
      const std::size_t length = is_upper ? 1 : draws() % 4;
      for (std::size_t i = 0; i < length; ++i) {
        arcs.push_back(
            {static_cast<std::uint32_t>(500 * ((v + i) % 10)), static_cast<float>(draws() % 64) / 64});
      }
      kept.rows.start[v + 1] = arcs.size();
    }
    kept.rows.neighbour = LargeArray<WeightedArc>(arcs.size());
    std::copy(arcs.begin(), arcs.end(), kept.rows.neighbour.begin());
    own = OwnVertices(kept, 0, upper, numbers);
  }
  const std::size_t entries = 10 + own.several.num_rows();
  std::vector<float> distance(entries);
  std::vector<std::uint32_t> parent(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    distance[i] = i % 7 == 3 ? unreached : static_cast<float>(i) / 8;
    parent[i] = static_cast<std::uint32_t>(3 * i);
  }
  const FoundPaths found{own, distance.data(), parent.data()};
  std::vector<std::vector<std::int64_t>> all_parents;
  std::vector<std::vector<float>> all_distances;
  for (const InstructionSet set : supported_instruction_sets()) {
    LargeArray<GlobalVertex> parents(size + OwnVertices::block);
    LargeArray<float> distances(size + OwnVertices::block);
    path_steps(set).emit(found, 0, 1, parents.data(), distances.data());
    path_steps(set).emit(found, 1, own.num_blocks(), parents.data(), distances.data());
    std::vector<std::int64_t> as_numbers;
    for (std::size_t v = 0; v < size; ++v) as_numbers.push_back(raw(parents[v]));
    all_parents.push_back(as_numbers);
    all_distances.emplace_back(distances.begin(), distances.begin() + size);
  }
  for (std::size_t v = 0; v < size; ++v) {
    if (own.is_isolated(v)) {
      EXPECT_EQ(all_parents[0][v], -1);
      EXPECT_EQ(all_distances[0][v], unreached);
    } else if (v % 500 == 0) {
      EXPECT_EQ(all_distances[0][v], distance[v / 500]);
      EXPECT_EQ(all_parents[0][v], distance[v / 500] == unreached ? -1 : std::int64_t{parent[v / 500]});
    } else if (own.ways_up(v).size() == 1) {
      const WeightedArc way = own.ways_up(v)[0];
      EXPECT_EQ(all_distances[0][v], distance[way.to] + way.weight);
      EXPECT_EQ(all_parents[0][v], distance[way.to] == unreached ? -1 : std::int64_t{500 * way.to});
    }
  }
  for (std::size_t set = 1; set < all_parents.size(); ++set) {
    EXPECT_EQ(all_parents[set], all_parents[0]);
    EXPECT_EQ(all_distances[set], all_distances[0]);
  }
}

}  // namespace
}  // namespace isobath
