// SPDX-License-Identifier: Apache-2.0
#include "collectives/process_shape.hpp"

#include <map>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {
namespace {

TEST(ProcessShape, IsReadAndWritten) {
  for (const char* text : {"1", "4", "2x3", "2x2x2"}) EXPECT_EQ(ProcessShape::parse(text).text(), text);
  EXPECT_EQ(ProcessShape::parse("2x3x4").size(), 24);
  for (const char* text :
       {"", "0", "2x", "x2", "2x0", "-2", "2x2x2x2", "2,2", "2x2 ", "99999x99999", "4294967297"}) {
    EXPECT_THROW(ProcessShape::parse(text), UsageError) << text;
  }
}

TEST(ProcessShape, RowsAndColumnsAreThoseOfTheSearchsGrid) {
  const ProcessShape shape = ProcessShape::parse("2x3");
  const GridShape grid{.rows = 2, .cols = 3};
  for (int rank = 0; rank < 6; ++rank) {
    const Place in_row = place_of(rank, shape, Along::parse("row", shape));
    EXPECT_EQ(in_row.colour, grid.row_of(rank));
    EXPECT_EQ(in_row.key, grid.col_of(rank));
    const Place in_column = place_of(rank, shape, Along::parse("col", shape));
    EXPECT_EQ(in_column.colour, grid.col_of(rank));
    EXPECT_EQ(in_column.key, grid.row_of(rank));
  }
}

TEST(ProcessShape, EveryDimensionCutsTheRanksIntoCommunicators) {
  const ProcessShape shape = ProcessShape::parse("2x3x4");
  for (const char* text : {"world", "0", "1", "2"}) {
    const Along along = Along::parse(text, shape);
    std::map<int, std::map<int, int>> found;
    for (int rank = 0; rank < shape.size(); ++rank) {
      const Place place = place_of(rank, shape, along);
      EXPECT_TRUE(found[place.colour].emplace(place.key, rank).second) << "two ranks in one place";
    }
    EXPECT_EQ(std::ssize(found), communicators(shape, along)) << text;
    int size = 1;
    for (const int extent : extents_of_one(shape, along)) size *= extent;
    for (const auto& [colour, members] : found) {
      EXPECT_GE(colour, 0);
      EXPECT_EQ(std::ssize(members), size);
      EXPECT_EQ(members.rbegin()->first, size - 1) << "keys without gaps";
    }
    EXPECT_EQ(place_of(0, shape, along).colour, 0);
  }
}

TEST(ProcessShape, SaysWhichCommunicatorsThereAre) {
  EXPECT_THROW(Along::parse("row", ProcessShape::parse("4")), UsageError);
  EXPECT_THROW(Along::parse("col", ProcessShape::parse("2x2x2")), UsageError);
  EXPECT_THROW(Along::parse("2", ProcessShape::parse("2x2")), UsageError);
  EXPECT_THROW(Along::parse("diagonal", ProcessShape::parse("2x2")), UsageError);
}

}  // namespace
}  // namespace isobath
