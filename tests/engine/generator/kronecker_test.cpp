// SPDX-License-Identifier: Apache-2.0
#include "generator/kronecker.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "reference/kronecker.hpp"

namespace isobath {
namespace {

class EveryInstructionSet : public testing::TestWithParam<InstructionSet> {
 protected:
  /// Compares edges, both small forms and their weights, with and without, with the slow twin.
  static void expect_twin(const KroneckerParameters& parameters, std::int64_t first, std::int64_t count) {
    const KroneckerGenerator generator(parameters, GetParam());
    const reference::Kronecker twin{parameters.scale, parameters.edgefactor, parameters.seed1,
                                    parameters.seed2};
    const auto size = static_cast<std::size_t>(count);
    std::vector<Edge> edges(size);
    std::vector<Edge> weighted_edges(size);
    std::vector<float> weights(size);
    std::vector<PackedEdge> packed(size);
    std::vector<float> packed_weights(size);
    std::vector<CompactEdge> compact(parameters.scale <= 32 ? size : 0);
    std::vector<float> compact_weights(compact.size());
    generator.edges(first, edges);
    generator.edges(first, weighted_edges, weights);
    generator.packed(first, packed, packed_weights);
    if (!compact.empty()) generator.compact(first, compact, compact_weights);
    expect_same_without_weights(generator, first, packed, compact);

    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t index = first + static_cast<std::int64_t>(i);
      const reference::WeightedEdge expected = reference::kronecker_edge(twin, index);
      ASSERT_EQ(edges[i], expected.edge) << "scale " << parameters.scale << ", edge " << index;
      ASSERT_EQ(weighted_edges[i], expected.edge) << "scale " << parameters.scale << ", edge " << index;
      ASSERT_EQ(weights[i], expected.weight) << "scale " << parameters.scale << ", edge " << index;
      ASSERT_EQ(unpacked(packed[i]), expected.edge);
      ASSERT_EQ(packed_weights[i], expected.weight);
      if (!compact.empty()) {
        ASSERT_EQ(unpacked(compact[i]), expected.edge);
        ASSERT_EQ(compact_weights[i], expected.weight);
      }
    }
  }

  static void expect_same_without_weights(const KroneckerGenerator& generator, std::int64_t first,
                                          const std::vector<PackedEdge>& packed,
                                          const std::vector<CompactEdge>& compact) {
    std::vector<PackedEdge> packed_alone(packed.size());
    std::vector<CompactEdge> compact_alone(compact.size());
    generator.packed(first, packed_alone);
    if (!compact.empty()) generator.compact(first, compact_alone);
    EXPECT_EQ(packed_alone, packed);
    EXPECT_EQ(compact_alone, compact);
  }
};

TEST_P(EveryInstructionSet, GivesEveryEdgeOfSmallGraphs) {
  for (int scale = 1; scale <= 12; ++scale) {
    const KroneckerParameters parameters{.scale = scale};
    expect_twin(parameters, 0, parameters.num_edges());
  }
}

TEST_P(EveryInstructionSet, GivesTheSameEdgesWhereverARangeBeginsAndEnds) {
  const KroneckerParameters parameters{.scale = 15};
  for (std::int64_t count = 0; count <= 70; ++count) expect_twin(parameters, 1000 * count + count % 7, count);
  expect_twin(parameters, parameters.num_edges() - 1, 1);
  expect_twin(parameters, 3, 5 * max_group * max_groups / 2 + 11);  // more than one call of the kernel
}

TEST_P(EveryInstructionSet, KnowsEveryScale) {
  for (int scale = 1; scale <= max_scale; ++scale) {
    const KroneckerParameters parameters{.scale = scale};
    expect_twin(parameters, parameters.num_edges() / 3,
                std::min<std::int64_t>(101, parameters.num_edges() / 2));
  }
}

TEST_P(EveryInstructionSet, ReachesLargeIndices) {
  for (const int scale : {32, 33, 36, 40, 43}) {
    const KroneckerParameters parameters{.scale = scale};
    for (const int bit : {31, 32, 33, 35}) expect_twin(parameters, (std::int64_t{1} << bit) - 50, 101);
    expect_twin(parameters, parameters.num_edges() - 101, 101);
  }
  const KroneckerParameters largest{.scale = max_scale};
  expect_twin(largest, (std::int64_t{1} << 40) - 37, 75);
  expect_twin(largest, (std::int64_t{1} << 46) - 37, 75);
}

TEST_P(EveryInstructionSet, KnowsOtherEdgefactorsAndSeeds) {
  expect_twin({.scale = 9, .edgefactor = 1}, 0, 512);
  expect_twin({.scale = 9, .edgefactor = 7}, 512, 3072);
  expect_twin({.scale = 9, .edgefactor = max_edgefactor}, 2000000, 1000);
  expect_twin({.scale = 20, .seed1 = 0, .seed2 = 0}, 99, 500);
  expect_twin({.scale = 21, .seed1 = 0x123456789ABCDEF0, .seed2 = 0xFEDCBA9876543210}, 99, 500);
  expect_twin({.scale = 41, .seed1 = ~std::uint64_t{0}, .seed2 = ~std::uint64_t{0}}, std::int64_t{1} << 44,
              500);
}

/// Rejected draws are one in 600,000; these two million hold several, and the scalar path makes them right.
TEST_P(EveryInstructionSet, RepeatsRejectedDraws) {
  const KroneckerParameters parameters{.scale = 16};
  const KroneckerGenerator generator(parameters, GetParam());
  std::vector<Edge> edges(1 << 17);
  std::vector<float> weights(edges.size());
  generator.edges(1, edges, weights);
  int rejected = 0;
  const MrgState initial = MrgState::from_seeds(2, 3);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    MrgState state = initial.skipped(0, i + 1, 0);
    bool is_rejected = false;
    for (int level = 0; level < parameters.scale; ++level) is_rejected |= state.draw() < rejected_below;
    if (!is_rejected) continue;
    ++rejected;
    const reference::WeightedEdge expected =
        reference::kronecker_edge({16}, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(edges[i], expected.edge);
    EXPECT_EQ(weights[i], expected.weight);
  }
  EXPECT_GT(rejected, 0);
}

INSTANTIATE_TEST_SUITE_P(Generator, EveryInstructionSet, testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& set) { return std::string(name_of(set.param)); });

TEST(KroneckerGenerator, AgreesWithTheSingleEdge) {
  const KroneckerGenerator generator({.scale = 30});
  std::vector<Edge> edges(100);
  std::vector<float> weights(100);
  generator.edges(7777777777, edges, weights);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const WeightedEdge single = generator.edge_at(7777777777 + static_cast<std::int64_t>(i));
    EXPECT_EQ(edges[i], single.edge);
    EXPECT_EQ(weights[i], single.weight);
  }
}

TEST(KroneckerGenerator, RefusesWeightsThatAreNotAsManyAsTheEdges) {
  const KroneckerGenerator generator({.scale = 6});
  std::vector<Edge> edges(8);
  std::vector<CompactEdge> compact(8);
  std::vector<PackedEdge> packed(8);
  std::vector<float> weights(7);
  EXPECT_THROW(generator.edges(0, edges, weights), InternalError);
  EXPECT_THROW(generator.compact(0, compact, weights), InternalError);
  EXPECT_THROW(generator.packed(0, packed, weights), InternalError);
}

/// The product in double, rounded to float, for every value that 24 bits can take; other draws differ by a
/// power of two.
TEST(Weights, AreWhatTheSpecificationsProductRoundsTo) {
  constexpr double per_draw = 4.65661287524579692e-10;
  const auto specified = [](float drawn) {
    return static_cast<float>(static_cast<double>(drawn) * per_draw);
  };
  int wrong = 0;
  for (std::int32_t drawn = 0; drawn < 1 << 24; ++drawn) {
    const auto as_float = static_cast<float>(drawn);
    wrong += specified(as_float) == as_float * weight_per_unit ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
  const auto largest = static_cast<float>(mrg_modulus - 1);
  EXPECT_EQ(specified(largest), 1.0F);
  EXPECT_EQ(largest * weight_per_unit, 1.0F);
}

TEST(KroneckerGenerator, RefusesParametersOutOfRange) {
  EXPECT_THROW(KroneckerGenerator({.scale = 0}), UsageError);
  EXPECT_THROW(KroneckerGenerator({.scale = 44}), UsageError);
  EXPECT_THROW(KroneckerGenerator({.scale = 8, .edgefactor = 0}), UsageError);
  EXPECT_THROW(KroneckerGenerator({.scale = 8, .edgefactor = max_edgefactor + 1}), UsageError);
  try {
    check({.scale = 44});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "scale 44 is out of range; choose 1 to 43");
  }
}

TEST(CompactEdges, KeepEveryBit) {
  const Edge edge{GlobalVertex{0xABCD'1234'5678}, GlobalVertex{0xFFFF'0000'0001}};
  EXPECT_EQ(unpacked(packed(edge)), edge);
  EXPECT_EQ(packed(edge).high, 0xFFFF'ABCDU);
  const Edge small{GlobalVertex{0xFFFF'FFFF}, GlobalVertex{7}};
  EXPECT_EQ(unpacked(CompactEdge{0xFFFF'FFFF, 7}), small);
}

}  // namespace
}  // namespace isobath
