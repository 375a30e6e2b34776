// SPDX-License-Identifier: Apache-2.0
#include "overlap/fixed_work.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

TEST(FixedWork, ProductIsTheProduct) {
  constexpr int order = 12;
  for (const auto& [rank, ranks] : {std::pair(0, 1), std::pair(1, 3)}) {
    const auto work = make_fixed_work(WorkKind::product, order, rank, ranks);
    const int rows = order / ranks;
    work->run(0, rows);
    double expected = 0;  // the sum of all elements, in the textbook's order
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < order; ++j) {
        for (int k = 0; k < order; ++k) {
          expected += ((i * order + k + rank) % 7) * ((k * order + j) % 5 - 2);
        }
      }
    }
    EXPECT_EQ(work->checksum(), expected);
    work->run(0, 5 * rows + 3);  // again, and in parts
    EXPECT_EQ(work->checksum(), expected);
  }
}

TEST(FixedWork, IsTheSameHoweverItIsCut) {
  for (const WorkKind kind : {WorkKind::product, WorkKind::triad, WorkKind::scan}) {
    const auto whole = make_fixed_work(kind, 16, 0, 2);
    const auto cut = make_fixed_work(kind, 16, 0, 2);
    EXPECT_EQ(whole->checksum(), 0) << name_of(kind);
    whole->run(0, 40);
    cut->run(0, 1);
    cut->run(1, 1);  // no unit
    cut->run(1, 17);
    cut->run(17, 40);
    EXPECT_EQ(whole->checksum(), cut->checksum()) << name_of(kind);
    EXPECT_NE(whole->checksum(), 0) << name_of(kind);
  }
}

TEST(FixedWork, NoTwoUnitsOfARoundWriteToTheSamePlace) {
  for (const std::int64_t places : {1, 3, 4096}) {
    for (const auto& [first, end] : {std::pair(0, 0), std::pair(5, 6), std::pair(2, 9000)}) {
      std::int64_t next = first;
      in_rounds(first, end, places, [&](std::int64_t begin, std::int64_t stop) {
        EXPECT_EQ(begin, next);
        EXPECT_GT(stop, begin);
        EXPECT_LE(stop - begin, places);  // so their places differ
        next = stop;
      });
      EXPECT_EQ(next, end);
    }
  }
}

TEST(FixedWork, ATriadMayBeLongerThanItsArrays) {
  const auto once = make_fixed_work(WorkKind::triad, 1, 0, 1);
  const auto more = make_fixed_work(WorkKind::triad, 1, 0, 1);
  once->run(0, 4096);
  more->run(100, 3 * 4096 + 17);
  EXPECT_EQ(more->checksum(), once->checksum());
}

TEST(FixedWork, AScanLooksUpEverySetBit) {
  const auto work = make_fixed_work(WorkKind::scan, 1, 0, 1);
  work->run(0, (std::int64_t{1} << 23) / 64 / 64);
  const double looked_up = ((1 << 23) + 2) / 3;  // half of what is looked up is there
  EXPECT_NEAR(work->checksum() / looked_up, 0.5, 0.02);
}

TEST(FixedWork, IsNamed) {
  EXPECT_EQ(parse_work_kind("triad"), WorkKind::triad);
  EXPECT_EQ(name_of(WorkKind::scan), "scan");
  EXPECT_THROW(parse_work_kind("sleep"), UsageError);
}

}  // namespace
}  // namespace isobath
