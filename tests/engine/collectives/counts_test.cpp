// SPDX-License-Identifier: Apache-2.0
#include "collectives/counts.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

using Row = std::vector<std::int64_t>;

Row row_of(const std::string& distribution, int row, int columns, std::int64_t total) {
  return spread(Distribution::parse(distribution), row, columns, total);
}

TEST(Counts, UniformOnesDifferByOneAtMost) {
  EXPECT_EQ(row_of("uniform", 0, 4, 8), (Row{2, 2, 2, 2}));
  EXPECT_EQ(row_of("uniform", 2, 3, 8), (Row{3, 3, 2}));
}

TEST(Counts, ZipfOnesFallWithTheRank) {
  // in proportion to 1, 1/2, 1/3, 1/4: of 25 twelfths 12, 6, 4, 3
  EXPECT_EQ(row_of("zipf:1", 3, 4, 25), (Row{12, 6, 4, 3}));
  EXPECT_EQ(row_of("zipf:0", 3, 4, 8), (Row{2, 2, 2, 2})) << "exponent 0 is uniform";
}

TEST(Counts, SparseOnesGoToSomePeersBehindTheRank) {
  EXPECT_EQ(row_of("sparse:1", 0, 4, 8), (Row{0, 8, 0, 0}));
  EXPECT_EQ(row_of("sparse:1", 3, 4, 8), (Row{8, 0, 0, 0}));
  EXPECT_EQ(row_of("sparse:2", 0, 4, 8), (Row{0, 4, 0, 4}));
  EXPECT_EQ(row_of("sparse:4", 1, 4, 8), (Row{2, 2, 2, 2}));
}

TEST(Counts, BlockOnesStayInTheirGroup) {
  EXPECT_EQ(row_of("block:2", 0, 5, 6), (Row{3, 3, 0, 0, 0}));
  EXPECT_EQ(row_of("block:2", 3, 5, 6), (Row{0, 0, 3, 3, 0}));
  EXPECT_EQ(row_of("block:2", 4, 5, 6), (Row{0, 0, 0, 0, 6})) << "the last group is smaller";
}

TEST(Counts, AllSpreadTheSameTotal) {
  for (const char* text : {"uniform", "zipf:0.5", "zipf:2", "sparse:1", "sparse:3", "block:2", "block:7"}) {
    for (int columns = 3; columns <= 9; ++columns) {
      for (const std::int64_t total :
           {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, (std::int64_t{1} << 60) + 7}) {
        for (int row = 0; row < columns; ++row) {
          const Row counts = row_of(text, row, columns, total);
          EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), total) << text << columns;
          for (const std::int64_t count : counts) EXPECT_GE(count, 0) << text;
        }
      }
    }
  }
}

TEST(Counts, TextsSayWhatTheyMean) {
  for (const char* text : {"uniform", "zipf:1.5", "sparse:3", "block:4", "recorded:level 4 fold"}) {
    EXPECT_EQ(Distribution::parse(text).text(), text);
  }
  for (const char* text : {"", "even", "uniform:2", "zipf", "zipf:", "zipf:-1", "zipf:x", "sparse:0",
                           "sparse:1.5", "block:", "recorded:", "recorded"}) {
    EXPECT_THROW(Distribution::parse(text), UsageError) << text;
  }
}

TEST(Counts, FactsAreThoseOfTheMatrix) {
  const CountFacts facts = facts_of({.rows = 2, .columns = 3, .elements = {1, 0, 5, 0, 0, 6}});
  EXPECT_EQ(facts.total, 12);
  EXPECT_EQ(facts.largest_row, 6);
  EXPECT_EQ(facts.largest_column, 11);
  EXPECT_EQ(facts.largest_entry, 6);
  EXPECT_EQ(facts.fewest_peers, 1);
  EXPECT_EQ(facts.most_peers, 2);
  // sorted 0 0 0 1 5 6: 2 (4*1 + 5*5 + 6*6) / (6*12) - 7/6
  EXPECT_DOUBLE_EQ(facts.gini, 2.0 * 65 / 72 - 7.0 / 6);
}

TEST(Counts, GiniIsTheMeanDifferenceByTwiceTheMean) {
  EXPECT_EQ(gini({}), 0);
  EXPECT_EQ(gini({0, 0}), 0);
  EXPECT_EQ(gini({4, 4, 4}), 0);
  EXPECT_DOUBLE_EQ(gini({0, 0, 0, 8}), 0.75);
  const std::vector<std::int64_t> entries = {3, 9, 1, 1, 4};
  double differences = 0;
  double sum = 0;
  for (const std::int64_t a : entries) {
    sum += static_cast<double>(a);
    for (const std::int64_t b : entries) differences += static_cast<double>(a > b ? a - b : b - a);
  }
  const double n = static_cast<double>(entries.size());
  EXPECT_NEAR(gini(entries), differences / (n * n) / (2 * sum / n), 1e-12);
}

}  // namespace
}  // namespace isobath
