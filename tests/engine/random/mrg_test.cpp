// SPDX-License-Identifier: Apache-2.0
#include "random/mrg.hpp"

#include <array>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "random/mrg_matrix.hpp"
#include "reference/mrg.hpp"

namespace isobath {
namespace {

struct Skip {
  std::uint64_t high;
  std::uint64_t mid;
  std::uint64_t low;
};

constexpr std::uint64_t all_bits = std::numeric_limits<std::uint64_t>::max();
constexpr std::array<Skip, 9> skips = {{{0, 0, 0},
                                        {0, 0, 1},
                                        {0, 1, 0},
                                        {1, 0, 0},
                                        {2, 0, 2 * 210},
                                        {50, 7, 0},
                                        {0, (std::uint64_t{1} << 47) - 1, 0},
                                        {0xFEDCBA9876543210, 0x0123456789ABCDEF, 0x8000000000000001},
                                        {all_bits, all_bits, all_bits}}};

void expect_same(const MrgState& fast, const reference::Mrg& slow) {
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(fast.z[i], slow.state()[i]);
}

TEST(Mrg, ReducesEverySumToItsResidue) {
  for (const std::uint64_t x :
       {std::uint64_t{0}, mrg_modulus - 1, mrg_modulus, mrg_modulus + 1, 2 * mrg_modulus,
        mrg_modulus * mrg_modulus, mrg_modulus << 32, all_bits, all_bits - 1}) {
    EXPECT_EQ(mrg_reduced(x), x % mrg_modulus) << x;
  }
}

TEST(Mrg, TakesItsStateFromAllBitsOfTheSeeds) {
  for (const auto& [seed1, seed2] : {std::pair<std::uint64_t, std::uint64_t>{2, 3},
                                     {0, 0},
                                     {all_bits, all_bits},
                                     {0x123456789ABCDEF0, 0xFEDCBA9876543210}}) {
    expect_same(MrgState::from_seeds(seed1, seed2), reference::Mrg(seed1, seed2));
  }
}

TEST(Mrg, DrawsWhatTheTwinDraws) {
  MrgState fast = MrgState::from_seeds(2, 3);
  reference::Mrg slow(2, 3);
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(fast.draw(), slow.draw()) << i;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(fast.draw_double(), slow.draw_double()) << i;
}

TEST(Mrg, SkippingIsDrawing) {
  MrgState drawn = MrgState::from_seeds(5, 8);
  const MrgState start = drawn;
  for (std::uint64_t n = 0; n < 300; ++n) {
    ASSERT_EQ(start.skipped(0, 0, n), drawn) << n;
    drawn.draw();
  }
}

TEST(Mrg, SkipsAsFarAsTheTwin) {
  const MrgState start = MrgState::from_seeds(2, 3);
  for (const Skip& skip : skips) {
    reference::Mrg slow(2, 3);
    slow.skip(skip.high, skip.mid, skip.low);
    expect_same(start.skipped(skip.high, skip.mid, skip.low), slow);
  }
}

TEST(Mrg, SkipsAddUp) {
  const MrgState start = MrgState::from_seeds(2, 3);
  EXPECT_EQ(start.skipped(0, 0, all_bits).skipped(0, 0, 1), start.skipped(0, 1, 0));
  EXPECT_EQ(start.skipped(0, all_bits, 0).skipped(0, 1, 0), start.skipped(1, 0, 0));
}

TEST(MrgMatrix, StepsFromOneEdgeToTheNext) {
  const MrgState start = MrgState::from_seeds(2, 3);
  const MrgMatrix next_edge = MrgMatrix::two_to_64_draws();
  MrgState state = start;
  for (std::uint64_t edge = 0; edge < 40; ++edge) {
    ASSERT_EQ(state, start.skipped(0, edge, 0)) << edge;
    ASSERT_EQ(state, next_edge.power(edge) * start) << edge;
    state = next_edge * state;
  }
}

TEST(MrgMatrix, PowersOfOneDrawAreSkips) {
  const MrgState start = MrgState::from_seeds(2, 3);
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{12345}, all_bits}) {
    EXPECT_EQ(MrgMatrix::one_draw().power(n) * start, start.skipped(0, 0, n));
  }
}

}  // namespace
}  // namespace isobath
