// SPDX-License-Identifier: Apache-2.0
#include "profiler/regions.hpp"

#include <gtest/gtest.h>

namespace isobath::profiler {
namespace {

TEST(Regions, LeadBackToTheOneBefore) {
  Regions regions;
  EXPECT_EQ(regions.current(), 0);
  regions.enter("search", 3);
  const int search = regions.current();
  EXPECT_EQ(regions.all()[static_cast<std::size_t>(search)].name, "search");
  EXPECT_EQ(regions.all()[static_cast<std::size_t>(search)].number, 3);
  regions.enter("level", -1);
  regions.change("level", 1);
  EXPECT_NE(regions.current(), search);
  regions.leave();
  EXPECT_EQ(regions.current(), search);
  regions.leave();
  EXPECT_EQ(regions.current(), 0);
  regions.leave();  // one too many
  EXPECT_EQ(regions.current(), 0);
  regions.enter("search", 3);
  EXPECT_EQ(regions.current(), search) << "known by name and number";
}

TEST(Regions, AreLeftInOrderHoweverDeepTheyAre) {
  Regions regions;
  for (std::size_t depth = 0; depth < Regions::deepest + 9; ++depth) {
    regions.enter("inside", static_cast<int>(depth));
  }
  for (std::size_t depth = Regions::deepest + 9; depth-- > 1;) {
    regions.leave();
    if (depth >= Regions::deepest) continue;  // beyond, the way back is not known
    EXPECT_EQ(regions.all()[static_cast<std::size_t>(regions.current())].number, static_cast<int>(depth) - 1);
  }
  regions.leave();
  EXPECT_EQ(regions.current(), 0);
}

TEST(Regions, ThatAreTooManyAreOne) {
  Regions regions;
  for (std::size_t number = 0; number < Regions::limit + 10; ++number) {
    regions.change("part", static_cast<int>(number));
  }
  EXPECT_EQ(regions.all().size(), Regions::limit);
  EXPECT_EQ(regions.current(), 1);
  EXPECT_EQ(regions.all()[1].name, "(more regions)");
}

}  // namespace
}  // namespace isobath::profiler
