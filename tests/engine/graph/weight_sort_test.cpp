// SPDX-License-Identifier: Apache-2.0
#include "graph/weight_sort.hpp"

#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/arc_buckets.hpp"

namespace isobath {
namespace {

using Row = std::vector<std::pair<float, std::uint32_t>>;

/// The lightest copy of every neighbour, by weight, then index; the plain way.
Row expected_row(const std::vector<WeightedArc>& row) {
  std::map<std::uint32_t, float> lightest;
  for (const auto& [index, weight] : row) {
    const auto [place, is_first] = lightest.emplace(index, weight);
    if (!is_first) place->second = std::min(place->second, weight);
  }
  std::set<std::pair<float, std::uint32_t>> sorted;
  for (const auto& [index, weight] : lightest) sorted.emplace(weight, index);
  return {sorted.begin(), sorted.end()};
}

Row pairs_of(std::span<const WeightedArc> row) {
  Row pairs;
  for (const auto& [index, weight] : row) pairs.emplace_back(weight, index);
  return pairs;
}

float drawn(std::mt19937_64& random, std::uint64_t kind) {
  switch (kind % 5) {
    case 0:
      return static_cast<float>(random() >> 33) * 0x1p-31F;  // as the benchmark's
    case 1:
      return 0;  // all equal
    case 2:
      return static_cast<float>(random() % 3);  // ties
    case 3:
      return random() % 50 == 0 ? 3e38F : static_cast<float>(random() % 1000) * 1e-38F;  // crowded
    default:
      return 1 + static_cast<float>(random() % 4) * 0x1p-23F;  // neighbouring numbers
  }
}

TEST(WeightSort, AgreesWithTheTwinForRowsOfAllLengths) {
  constexpr std::uint32_t indices = 700;
  WeightSort sort(indices);  // one for all rows: what a row leaves behind would show
  std::mt19937_64 random(1);
  for (std::uint64_t k = 0; k < 600; ++k) {
    std::vector<WeightedArc> row(k < 120 ? k : random() % 3000);
    for (auto& neighbour : row) {
      neighbour = {static_cast<std::uint32_t>(random() % indices), drawn(random, k)};
    }
    const Row expected = expected_row(row);
    const std::uint32_t kept = sort(row.data(), static_cast<std::uint32_t>(row.size()));
    ASSERT_EQ(pairs_of(std::span(row).first(kept)), expected) << "row " << k;
  }
}

/// No row is long enough for bits; one sorter for all.
TEST(WeightSort, AgreesWithTheTwinWhereIndicesAreManyMoreThanArcs) {
  constexpr std::uint32_t most = 0xFFFFFFFF;
  for (const std::uint32_t indices : {20'000'000U, 1U << 25U, 1U << 31U, most}) {
    WeightSort sort(indices);
    std::mt19937_64 random(indices);
    for (std::uint64_t k = 0; k < 300; ++k) {
      std::vector<WeightedArc> row(k < 120 ? k : random() % 3000);
      const std::uint64_t step = k % 3 == 0 ? 1 : k % 3 == 1 ? 512 : 0;  // neighbours in a row, or far apart
      const std::uint64_t of = 1 + random() % (2 * row.size() + 1);      // few have many copies
      for (auto& neighbour : row) {
        const std::uint64_t drawn_index = random() % of;
        neighbour = {step == 0 ? static_cast<std::uint32_t>(drawn_index * (indices / of) + indices % of)
                               : static_cast<std::uint32_t>(indices - 1 - drawn_index * step),
                     drawn(random, k)};
        ASSERT_LT(neighbour.to, indices);
      }
      const Row expected = expected_row(row);
      const auto count = static_cast<std::uint32_t>(row.size());
      ASSERT_FALSE(WeightSort::has_bits(indices, count));
      const std::uint32_t kept = sort(row.data(), count);
      ASSERT_EQ(pairs_of(std::span(row).first(kept)), expected) << "row " << k << " of " << indices;
    }
    EXPECT_LE(sort.met_bytes(), 3000 * 16);
  }
}

TEST(WeightSort, ARowLongerThanItsBitsHasBitsAndTheNextATableAgain) {
  constexpr std::uint32_t indices = 18'000'000;
  constexpr std::uint32_t bytes_of_bits = (indices + 63) / 64 * 8;
  WeightSort sort(indices);
  std::mt19937_64 random(5);
  for (const std::uint32_t count : {100U, 262'144U, 262'145U, 100U, 280'000U, 2U}) {
    EXPECT_EQ(WeightSort::has_bits(indices, count), count > 262'144);
    std::vector<WeightedArc> row(count);
    for (auto& neighbour : row) {
      neighbour = {static_cast<std::uint32_t>(random() % (count / 2) * 60), drawn(random, 0)};
    }
    const Row expected = expected_row(row);
    const std::uint32_t kept = sort(row.data(), count);
    ASSERT_EQ(pairs_of(std::span(row).first(kept)), expected) << "row of " << count;
  }
  EXPECT_LE(sort.met_bytes(), bytes_of_bits + 262'144U * 8);
}

TEST(WeightSort, FewIndicesHaveBitsWhateverTheRow) {
  EXPECT_TRUE(WeightSort::has_bits(1U << 24U, 2));
  EXPECT_FALSE(WeightSort::has_bits((1U << 24U) + 64, 2));
  WeightSort sort(1U << 24U);
  std::vector<WeightedArc> row = {{5, 1}, {5, 0.5F}, {4, 2}};
  EXPECT_EQ(sort(row.data(), 3), 2U);
  EXPECT_EQ(sort.met_bytes(), 1U << 21U);
}

TEST(WeightedArcBuckets, AreAboutFiveHundredAndOfManyArcsUpToTwiceAsMany) {
  EXPECT_EQ(WeightedArcBuckets::wanted_length(1000), 1U << 14U) << "few arcs make few buckets";
  constexpr std::uint64_t million = 1U << 20U;
  EXPECT_EQ(WeightedArcBuckets::wanted_length(100 * million), 100 * million / 512 + 1);
  EXPECT_EQ(WeightedArcBuckets::wanted_length(700 * million), million)
      << "one is as long as a thread has room";
  EXPECT_EQ(WeightedArcBuckets::wanted_length(4096 * million), 4 * million + 1) << "pages count, too";
}

/// With starts of 64 bits, and with compact ones.
template <class Taken>
void expect_sorted_rows(Taken&& taken) {
  constexpr std::uint32_t rows = 900;
  std::mt19937_64 random(2);
  std::vector<std::vector<WeightedArc>> arcs(rows);
  std::vector<std::uint32_t> length(rows, 0);
  for (std::uint32_t i = 0; i < 90000; ++i) {
    const auto row = static_cast<std::uint32_t>(random() % rows * (random() % rows) / rows);
    arcs[row].push_back({static_cast<std::uint32_t>(random() % rows), drawn(random, 0)});
    ++length[row];
  }
  WeightedArcBuckets buckets(length);
  {
    WeightedArcBuckets::Writer writer(buckets);
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (const WeightedArc& neighbour : arcs[row]) writer.add(row, neighbour);
    }
  }
  EXPECT_GT(buckets.num_buckets(), 1U);
  const auto found = taken(buckets, rows);
  ASSERT_EQ(found.num_rows(), rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    EXPECT_EQ(pairs_of(found.of(row)), expected_row(arcs[row])) << "row " << row;
  }
}

TEST(WeightedArcBuckets, MakeSortedRowsOfManyBuckets) {
  expect_sorted_rows([](WeightedArcBuckets& buckets, std::uint32_t rows) { return buckets.into_rows(rows); });
  expect_sorted_rows(
      [](WeightedArcBuckets& buckets, std::uint32_t rows) { return buckets.into_compact_rows(rows); });
}

}  // namespace
}  // namespace isobath
